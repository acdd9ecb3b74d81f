"""Whether people stay to the end of their games, and what becomes of it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import services as accounts
from games import services
from games.models import Reliability, Seat, Table
from games.queries import reliability
from tests.pages import page_html

pytestmark = pytest.mark.django_db


@pytest.fixture
def figures(person):
    """`figures()`: games and finished games, by name, of everybody of whom there are any."""
    return lambda: {one.user.username: (one.games, one.finished) for one in Reliability.objects.select_related("user")}


@pytest.fixture
def lose_connection():
    """`lose_connection(table, seat)`: what the tick does with somebody who has been away for the grace time."""

    def lose(table, number):
        Seat.objects.filter(table=table, number=number).update(away_since=table.started_at, is_gone=True)

    return lose


def record(*games):
    """The figure after these games, True where the person stayed."""
    one = Reliability()
    for stayed in games:
        one.take(stayed=stayed)
    return one


def test_there_is_a_figure_from_five_games_on():
    assert (record(*[True] * 4).percent, record(*[True] * 5).percent) == (None, 100)
    assert str(record(*[True] * 5)) == "finishes 100 % of games"


def test_the_figure_is_the_mean_of_all_games_with_less_weight_for_older_ones():
    weights = [0.95**age for age in range(6)]
    assert record(True, True, True, True, False, True).percent == int(100 * (sum(weights) - weights[1]) / sum(weights))


def test_one_game_that_was_left_weighs_less_with_every_game_that_is_finished():
    games = [True] * 20 + [False]
    after = [record(*games, *[True] * more).percent for more in range(0, 100, 10)]
    assert after == sorted(after) and after[0] < 93 and after[1] > 94 and after[-1] == 99


def test_the_page_of_a_game_says_whether_the_others_stay_and_moves_do_not_read_it_again(table_of, person, as_user):
    table = table_of("alice", "bob")
    for name, percent in (("alice", 100), ("bob", 80)):
        Reliability.objects.create(user=person(name), games=5, finished=percent, weight=100)
    alice = as_user(person("alice"))
    html = page_html(alice.get(table.get_absolute_url()))
    assert "bob finishes 80 % of games</p>" in html and "finishes 100 %" not in html
    with CaptureQueriesContext(connection) as asked:
        html = page_html(alice.get(f"{table.get_absolute_url()}board/", headers={"HX-Request": "true"}))
    assert 'id="stays"' in html and "finishes" not in html
    assert not any("reliability" in query["sql"] for query in asked)


def test_a_game_to_its_end_counts_for_all_who_played_it_and_only_once(table_of, play_on, figures):
    table = play_on(table_of("alice", "bob", deals=1))
    assert figures() == {"alice": (1, 1), "bob": (1, 1)}
    services.flag_overdue(table_id=table.pk, now=table.finished_at)
    assert figures() == {"alice": (1, 1), "bob": (1, 1)}


def test_a_claimed_game_counts_against_whoever_was_gone(table_of, play_on, person, figures, lose_connection):
    table = play_on(table_of("alice", "bob"), 4)
    lose_connection(table, 1)
    services.claim_game(table_id=table.pk, user=person("alice"))
    assert figures() == {"alice": (1, 1), "bob": (1, 0)}


@pytest.mark.parametrize(("is_away", "finished"), [(True, 0), (False, 1)])
def test_a_clock_that_falls_counts_against_whoever_was_not_there(
    table_of, play_on, figures, lose_connection, is_away, finished
):
    table = play_on(table_of("alice", "bob", move_seconds=20), 4)
    if is_away:
        lose_connection(table, 0)
    services.flag_overdue(table_id=table.pk, now=table.deadline_at + timedelta(hours=1))
    assert figures() == {"alice": (1, finished), "bob": (1, 1)}


def test_resigning_a_game_for_two_is_an_end_like_any_other_but_not_before_everybody_has_moved(
    table_of, play_on, person, figures
):
    services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    assert figures() == {}
    services.resign(table_id=play_on(table_of("alice", "bob", secret=bytes([1] * 32)), 2).pk, user=person("alice"))
    assert figures() == {"alice": (1, 1), "bob": (1, 1)}


def test_leaving_a_game_that_a_bot_finishes_counts_against_the_leaver_unless_he_comes_back(
    table_of, play_on, person, figures, lose_connection
):
    table = table_of("alice", "bob", "carl", deals=1)
    Seat.objects.filter(table=table, number__in=[1, 2]).update(has_left=True, is_gone=True)
    services.come_back(table_id=table.pk, user=person("bob"))
    play_on(Table.objects.get(pk=table.pk))
    assert figures() == {"alice": (1, 1), "bob": (1, 1), "carl": (1, 0)}


def test_a_game_against_bots_or_stopped_by_a_director_does_not_count(table_of, play_on, person, house_bot, figures):
    house_bot("Ada")
    alone = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None, bot_level="first-steps")
    services.resign(table_id=alone.pk, user=person("alice"))
    services.stop_table(table_id=play_on(table_of("alice", "bob"), 4).pk)
    assert figures() == {}


def test_the_figure_is_on_the_profile_and_at_an_open_table(person, as_user):
    Reliability.objects.create(user=person("alice"), games=9, finished=6, weight=7)
    Reliability.objects.create(user=person("bob"), games=2, finished=2, weight=2)
    assert "finishes 85 % of games" in page_html(as_user(person("bob")).get("/players/alice/"))
    assert "finishes" not in page_html(as_user(person("alice")).get("/players/bob/"))
    table = services.open_and_sit(user=person("alice"), game="casino", seats=3, options=None)
    services.sit_down(table_id=table.pk, user=person("bob"))
    assert page_html(as_user(person("carl")).get(table.get_absolute_url())).count("finishes 85 % of games") == 1
    assert reliability.reliabilities_of([person("alice"), person("bob")]).keys() == {person("alice").pk}


def test_the_data_of_a_person_hold_the_figure_and_a_closed_account_keeps_none(person):
    Reliability.objects.create(user=person("alice"), games=9, finished=6, weight=7)
    kept = accounts.export_account_data(person("alice"))["reliability"]
    assert kept == {"games": 9, "finished": 6, "weight": 7, "percent": 85}
    accounts.close_account(user=person("alice"))
    assert not Reliability.objects.exists()
