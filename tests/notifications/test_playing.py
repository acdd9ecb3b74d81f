"""What people are told of the games that they play, and when that is past."""

import time

import pytest
from django.utils import timezone

from games import services, tasks
from games.domain.clocks import PACES
from games.live import presence
from games.models import Seat, Table
from notifications.models import Notice

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("eager_tasks")]
DAYS = PACES["days-1"].fields


@pytest.fixture
def looks(person):
    """`looks("ann", table)`: she has its page open."""

    def act(name, table):
        now = time.time()
        presence.store_heartbeats({presence.heartbeat_member(table.pk, person(name).pk): now + 60}, now)

    return act


def told(about: str = "") -> list[tuple[str, str]]:
    """Who has not read what, of all whose key has this in it."""
    return [(str(notice.user), notice.text) for notice in Notice.objects.unread().filter(key__contains=about)]


def test_in_a_game_over_days_each_is_told_of_the_own_turn_once(table_of, play_on):
    table = table_of("ann", "bob", **DAYS)
    assert told(":turn:") == [("ann", "Your turn in Casino with bob.")]
    play_on(table, 1)
    assert told(":turn:") == [("bob", "Your turn in Casino with ann.")], "hers is past, she has moved"
    assert Notice.objects.filter(key__contains=":turn:").count() == 2
    assert Notice.objects.first().url == table.get_absolute_url()


def test_whoever_looks_at_the_table_is_not_told(table_of, play_on, looks):
    table = table_of("ann", "bob", **DAYS)
    looks("bob", table)
    play_on(table, 1)
    assert told(":turn:") == []


def test_at_one_sitting_nobody_is_told_who_is_connected(table_of, play_on):
    play_on(table_of("ann", "bob"), 2)
    assert told(":turn:") == []


def test_at_one_sitting_who_has_lost_the_connection_hears_of_the_own_turn(table_of, play_on):
    table = table_of("ann", "bob")
    Seat.objects.filter(table=table, number=1).update(away_since=table.started_at)
    play_on(table, 1)
    assert told(":turn:") == [("bob", "Your turn in Casino with ann.")]


def test_where_several_are_to_move_each_is_told_once(table_of, play_on):
    table = table_of("ann", "bob", "cat", "dan", game="partnership-cribbage", **DAYS)
    assert {name for name, _ in told(":turn:")} == {"ann", "bob", "cat", "dan"}
    play_on(table, 1)
    assert {name for name, _ in told(":turn:")} == {"bob", "cat", "dan"}
    assert Notice.objects.filter(key__contains=":turn:").count() == 4


def test_whoever_goes_on_in_the_own_turn_is_not_told_again(table_of, play_on, state_of):
    table = table_of("ann", "bob", game="gin-rummy", **DAYS)
    was_to_move = None
    while state_of(table).to_act != was_to_move:
        was_to_move = state_of(table).to_act
        Notice.objects.update(read_at=timezone.now())
        table = play_on(table, 1)
    assert told(":turn:") == []


def test_nothing_is_left_to_see_to_once_the_game_is_over(table_of, person):
    table = table_of("ann", "bob", **DAYS)
    services.resign(table_id=table.pk, user=person("bob"))
    assert told(":turn:") == []
    assert told(":over") == [
        ("bob", "Your game of Casino with ann is over. ann wins."),
        ("ann", "Your game of Casino with bob is over. ann wins."),
    ]


def test_a_game_at_one_sitting_ends_before_the_eyes_of_all(table_of, person):
    services.resign(table_id=table_of("ann", "bob").pk, user=person("bob"))
    assert told(":over") == []


def test_who_opened_a_table_and_went_away_hears_that_the_game_has_begun(table_of, looks, person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("ann"))
    services.sit_down(table_id=table.pk, user=person("ann"))
    looks("bob", table)
    services.sit_down(table_id=table.pk, user=person("bob"))
    assert told() == [("ann", "Your game has started: Casino with bob.")]


def test_little_time_left_takes_the_place_of_the_turn(table_of, let_pass):
    table = table_of("ann", "bob", **DAYS)
    let_pass(table, (4 - 0.125) * 86_400)
    tasks.tick()
    assert told(":turn:") == [("ann", "2 hours left for your move in Casino with bob.")]


def test_a_question_reaches_who_is_elsewhere_and_a_refusal_who_has_asked(table_of, play_on, person):
    table = play_on(table_of("ann", "bob", **DAYS), 1)
    table = services.ask_question(table_id=table.pk, user=person("ann"), kind="undo")
    assert told(":asked:") == [("bob", "Casino: ann asks to take back the last move.")]
    mark = Table.objects.get(pk=table.pk).asked["question"]
    mark = f"{mark['kind']}-{mark['seat']}-{mark['move_count']}"
    services.answer_question(table_id=table.pk, user=person("bob"), key=mark, agrees=False)
    assert told(":asked:") == [("ann", "Casino: bob refuses to take back the last move.")]
