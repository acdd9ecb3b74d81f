"""Time to appear: until when players may come to a table of an event, and what follows for those who do not."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from games import engines, services, tasks
from games.live import presence
from games.models import Reliability, Table
from games.presentation.table_wording import headline, result_reason
from games.queries.head_to_head import head_to_head
from tests.pages import page_html

pytestmark = pytest.mark.django_db

MINUTES_5 = 300
PAIRS = {"game": "tabletop-cribbage"}


@pytest.fixture
def table_for(person):
    """`table_for("ann", "bob")`: a table of an event where these have five minutes to appear; the first one moves."""

    def make(*players, game="casino", absence="forfeit", move_seconds=45, **more):
        people = [person(player) if isinstance(player, str) else player for player in players]
        return services.seat_and_start(
            game=game,
            players=people,
            options=None,
            first_dealer=len(people) - 1,
            absence=absence,
            appear_seconds=MINUTES_5,
            move_seconds=move_seconds,
            **more,
        )

    return make


def comes(table, *names):
    """The pages of these players give a sign of life, and the tick hears it."""
    now = time.time()
    users = [seat.user_id for seat in table.seats.all() if seat.user.username in names]
    presence.store_heartbeats(
        {presence.heartbeat_member(table.pk, user): now + presence.ONLINE_SECONDS for user in users}, now
    )
    for pk in services.tables_with_arrivals(now=timezone.now()):
        tasks.note_arrivals(pk)
    return again(table)


def again(table):
    return Table.objects.with_seats().get(pk=table.pk)


def time_is_over(table):
    services.flag_overdue(table_id=table.pk, now=again(table).deadline_at + timedelta(seconds=1))
    return again(table)


def running(table):
    return [seat for seat, timer in enumerate(table.timers) if timer.since is not None]


def here(table):
    return [seat.user.username for seat in table.seats.all() if seat.has_come]


def test_the_clock_starts_when_both_are_there(table_for):
    table = table_for("ann", "bob", move_seconds=45)
    assert (running(table), table.deadline_at) == ([], table.appear_by)
    assert timedelta(seconds=290) < table.appear_by - timezone.now() <= timedelta(seconds=MINUTES_5)
    table = comes(table, "ann")
    assert (here(table), running(table)) == (["ann"], [])
    version = table.version
    table = comes(table, "bob")
    assert (here(table), running(table), table.appear_by) == (["ann", "bob"], [0], None)
    assert table.deadline_at - timezone.now() <= timedelta(seconds=46)
    assert table.version > version
    assert services.tables_with_arrivals(now=timezone.now()) == []


def test_opening_the_page_of_the_table_is_enough(table_for, as_user, person):
    table = table_for("ann", "bob")
    for name in ("ann", "bob"):
        page = page_html(as_user(person(name)).get(table.get_absolute_url()))
        assert "The clocks start when everyone is here" in page
        tasks.tick.apply()
        for pk in services.tables_with_arrivals(now=timezone.now()):
            tasks.note_arrivals(pk)
    assert running(again(table)) == [0]
    page = page_html(as_user(person("ann")).get(table.get_absolute_url()))
    assert "The clocks start when everyone is here" not in page


def test_a_move_proves_that_its_player_is_there_and_the_game_goes_on_before_the_other_comes(table_for, play_on):
    table = play_on(table_for("ann", "bob"), 1)
    assert (here(table), table.move_count, running(table)) == (["ann"], 1, [])
    table = play_on(table, 1)
    assert (here(again(table)), running(table), table.appear_by) == (["ann", "bob"], [0], None)


@pytest.mark.parametrize("absence", ["forfeit", "score", "hold"])
def test_who_does_not_come_loses_to_who_came_also_if_the_other_was_to_move(table_for, absence):
    table = time_is_over(comes(table_for("ann", "bob", absence=absence, hold_seconds=60), "ann"))
    assert (table.ended_by, table.result["places"], table.result["gone"]) == ("no-show", [1, 2], [1])
    assert result_reason(table) == "bob didn't come to the table."


@pytest.mark.parametrize("absence", ["forfeit", "score", "hold", "bot"])
def test_where_nobody_comes_the_game_ends_without_a_winner(table_for, absence):
    table = time_is_over(table_for("ann", "bob", absence=absence, hold_seconds=60))
    assert (table.ended_by, table.result["gone"]) == ("no-show", [0, 1])
    assert table.result["places"] == [2, 2]
    assert (headline(table), result_reason(table)) == ("No one wins", "ann and bob didn't come to the table.")


def test_a_game_to_which_neither_came_is_no_draw_in_their_record_against_each_other(table_for, person):
    table = time_is_over(table_for("ann", "bob"))
    assert head_to_head(person("ann"), person("bob")) == []
    table = time_is_over(comes(table_for("ann", "bob"), "ann"))
    (tally,) = head_to_head(person("ann"), person("bob"))
    assert (tally.game.slug, tally.ahead, tally.level) == (table.game, 1, 0)


def test_a_sign_of_life_that_no_tick_has_heard_counts_when_the_time_is_over(table_for):
    table = table_for("ann", "bob")
    now = time.time()
    presence.store_heartbeats(
        {presence.heartbeat_member(table.pk, seat.user_id): now for seat in table.seats.all()}, now
    )
    table = time_is_over(table)
    assert (table.status, running(table)) == (Table.Status.RUNNING, [0])


def test_who_was_there_and_does_not_move_runs_out_of_time(table_for):
    table = comes(table_for("ann", "bob"), "ann", "bob")
    table = time_is_over(table)
    assert (table.ended_by, result_reason(table)) == ("flag", "ann ran out of time.")


def test_a_bot_plays_for_who_does_not_come_where_the_event_says_so(table_for, person):
    table = time_is_over(comes(table_for("ann", "bob", absence="bot"), "bob"))
    assert ([seat.has_left for seat in table.seats.all()], table.status) == ([True, False], Table.Status.RUNNING)
    tasks.play_bot(table.pk)
    table = again(table)
    assert (table.move_count, running(table), here(table)) == (1, [1], ["bob"])
    services.come_back(table_id=table.pk, user=person("ann"))
    assert here(again(table)) == ["ann", "bob"]


def test_bots_play_on_at_a_larger_table_unless_nobody_comes(table_for):
    names = ("ann", "bob", "cat")
    table = time_is_over(comes(table_for(*names, game="carousel"), "bob"))
    assert [seat.has_left for seat in table.seats.all()] == [True, False, True]
    assert table.status == Table.Status.RUNNING
    table = time_is_over(table_for(*names, game="carousel"))
    assert (table.ended_by, table.result["gone"]) == ("no-show", [0, 1, 2])


def test_a_bot_is_always_there_and_moves_before_its_opponent_has_come(table_for, house_bot):
    table = table_for(house_bot("Ada").user, "ann")
    tasks.play_bot(table.pk)
    table = again(table)
    assert (table.move_count, running(table), table.deadline_at) == (1, [], table.appear_by)
    table = time_is_over(table)
    assert (table.result["places"], table.result["gone"]) == ([1, 2], [1])


def test_a_table_of_bots_waits_for_nobody(table_for, house_bot):
    table = table_for(house_bot("Ada").user, house_bot("Bo").user)
    assert (table.appear_by, table.deadline_at) == (None, None)


def test_of_partners_both_have_to_come(table_for):
    names = ("ann", "bob", "cat", "dan")
    table = table_for(*names, **PAIRS)
    table = time_is_over(comes(table, "ann", "bob", "cat"))
    sides = engines.get(table.game).sides(table.options, 4)
    (lost,) = [side for side in sides if 3 in side]
    assert {seat for seat, place in enumerate(table.result["places"]) if place > 1} == set(lost)
    assert result_reason(table) == "dan didn't come to the table."


def test_a_pause_by_a_director_makes_the_time_longer(table_for, let_pass):
    table = table_for("ann", "bob")
    services.pause_table(table_id=table.pk)
    Table.objects.filter(pk=table.pk).update(paused_at=timezone.now() - timedelta(minutes=20))
    services.resume_table(table_id=table.pk)
    late = again(table)
    assert timedelta(minutes=19) < late.appear_by - table.appear_by < timedelta(minutes=21)
    assert late.deadline_at == late.appear_by


def test_who_resigns_at_once_was_there(table_for, person):
    table = table_for("ann", "bob", "cat", game="carousel")
    services.resign(table_id=table.pk, user=person("ann"))
    assert here(again(table)) == ["ann"]


def test_a_substitute_has_to_come_as_well(table_for, person):
    table = comes(table_for("ann", "bob"), "ann")
    services.hand_over(table_id=table.pk, user=person("ann"), to=person("cat"))
    assert here(again(table)) == []
    assert running(comes(table, "bob")) == []
    assert running(comes(again(table), "cat")) == [0]


def test_who_does_not_come_is_less_reliable_and_who_came_not(table_for, person):
    time_is_over(comes(table_for("ann", "bob"), "ann"))
    assert [(row.user.username, row.finished) for row in Reliability.objects.all()] == [("bob", 0)]


def test_a_table_without_a_time_to_appear_starts_its_clock_at_once(person):
    table = services.seat_and_start(
        game="casino", players=[person("ann"), person("bob")], options=None, first_dealer=1, move_seconds=45
    )
    assert running(table) == [0]
