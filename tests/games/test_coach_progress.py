"""Progress with the coach: a player's reviewed games together, and its page."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import engines
from games.models import CoachReview, Table
from games.presentation.coach_progress import progress_of
from games.queries.coach_reviews import own_reviews, reviewed_games
from games.record.coach_rows import DecisionRow
from tests.pages import page_html, page_words
from tests.tables import account, play_last_moves, table_with

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

NOW = timezone.now()
CRIBBAGE = engines.get("partnership-cribbage")


@pytest.fixture(scope="module")
def played(kept):
    return play_last_moves(table_with("alice", "bob", game="partnership-cribbage", deals=1))


@pytest.fixture
def table(played):
    return Table.objects.with_seats().get(pk=played.pk)


def decision(at, loss=0.0, *, hand=1, kind="discard", in_percent=False, judged=True, lost=None):
    """A row that a mistake has if it lost something."""
    return DecisionRow(
        at=at,
        hand=hand,
        kind=kind,
        played="AC",
        best="2C",
        loss=loss,
        error=0.1,
        in_percent=in_percent,
        is_mistake=loss > 0,
        lead=0.0,
        best_lead=0.0,
        spread=5.0,
        worlds=20 if judged else 0,
        values=[],
        chosen={"strong": "2C"},
        made_of=lost or {},
        is_open=not judged,
    ).as_json()


def review_of(table, *decisions, name="alice"):
    """Not stored."""
    user = account(name)
    seat = next((seat.number for seat in table.seat_rows if seat.user == user), 0)
    return CoachReview(
        table=table, user=user, seat=seat, decisions=list(decisions), at=table.move_count, asked_at=NOW, finished_at=NOW
    )


def copies_of(table, count):
    """Tables like this one, each a day older than the one before."""
    for number in range(1, count + 1):
        copied = Table.objects.get(pk=table.pk)
        copied.pk, copied.code, copied.commitment = None, f"copy{number}", f"{number:064}"
        copied.finished_at = table.finished_at - timedelta(days=number)
        copied.save()
        for seat in table.seat_rows:
            copied.seats.create(number=seat.number, user=seat.user)
        yield Table.objects.with_seats().get(pk=copied.pk)


def mixed(table, decisions, mistakes):
    return review_of(table, *(decision(at, 2.0 if at < mistakes else 0.0) for at in range(decisions)))


def progress(*reviews):
    return progress_of(CRIBBAGE, reviews)


def test_figures_are_of_all_games_together(table):
    first = review_of(table, decision(0, 3.0), decision(2), decision(4, 1.0, kind="play"), decision(6, kind="play"))
    second = review_of(table, decision(0), decision(2, 2.5), decision(4, kind="play"), decision(6, kind="play"))
    found = progress(first, second)
    assert (found.accuracy, found.mistakes_a_game, found.cost_a_game) == (62, 1.5, 3.25)
    assert [(game.accuracy, game.mistakes, game.cost) for game in found.games] == [(50, 2, 4.0), (75, 1, 2.5)]
    kinds = [(tally.label, tally.decisions, tally.mistakes, tally.cost) for tally in found.kinds]
    assert kinds == [("Discard", 4, 2, 5.5), ("Play", 4, 1, 1.0)]
    parts = [(tally.label, tally.decisions, tally.mistakes) for tally in found.parts]
    assert parts == [("First third of a deal", 4, 2), ("Middle of a deal", 2, 1), ("Last third of a deal", 2, 0)]


def test_the_kind_that_cost_most_comes_first(table):
    found = progress(review_of(table, decision(0, 1.0), decision(2, 1.0), decision(4, 7.0, kind="play")))
    assert [tally.label for tally in found.kinds] == ["Play", "Discard"]


def test_decisions_without_a_judgment_count_for_nothing(table):
    unjudged = [decision(at, judged=False) for at in (0, 2)]
    assert progress(review_of(table, *unjudged)) is None
    found = progress(review_of(table, *unjudged), review_of(table, decision(0, 2.0), decision(2), *unjudged))
    assert len(found.games) == 1 and found.accuracy == 50
    late = progress(review_of(table, *(decision(at, judged=at > 0) for at in range(3))), review_of(table, decision(0)))
    parts = [(tally.label, tally.decisions) for tally in late.parts]
    assert parts == [(f"{part} of a deal", 1) for part in ("First third", "Middle", "Last third")]


def test_losses_in_chances_cost_no_points(table):
    found = progress(review_of(table, decision(0, 12.0, in_percent=True), decision(2, 2.0)))
    assert found.has_points and found.cost_a_game == 2.0 and found.mistakes_a_game == 2
    assert not progress(review_of(table, decision(0, 12.0, in_percent=True))).has_points


def test_the_costliest_mistakes_of_all_games_keep_their_number_in_their_own(table):
    first = review_of(table, decision(0, 1.0), decision(2, 9.0), decision(4, 3.0))
    second = review_of(table, *(decision(at, cost) for at, cost in enumerate((4.0, 2.0, 8.0, 0.0))))
    third = review_of(table, decision(0, 5.0), decision(2, 7.0))
    found = progress(first, second, third).costliest
    ranked = [(mistake.row.loss, mistake.number) for mistake in found]
    assert ranked == [(9.0, 1), (8.0, 1), (7.0, 1), (5.0, 2), (4.0, 2)], "two of a game at most, and five of all"
    assert [mistake.about for mistake in found][:2] == ["about 9 points", "about 8 points"]


def test_what_was_lost_is_added_up_by_the_rules_that_score(table):
    fifteens, pairs = "partnership-cribbage:show-fifteen", "partnership-cribbage:show-pair"
    first = review_of(table, decision(0, 3.0, lost={fifteens: 4.0, pairs: -1.0}))
    second = review_of(table, decision(0, 4.0, lost={fifteens: 1.0, pairs: 3.0}))
    assert progress(first, second).lost == (("fifteens", 5), ("pairs", 2))
    assert progress(first).lost == ()


@pytest.mark.parametrize(
    ("last", "before", "is_clear"), [((40, 2), (40, 10), True), ((40, 8), (40, 10), False), ((40, 9), (40, 9), False)]
)
def test_a_trend_is_called_clear_only_where_chance_hardly_explains_it(table, last, before, is_clear):
    found = progress(*[mixed(table, *last)] * 10, *[mixed(table, *before)] * 10).trend
    accuracies = [round(100 - 100 * mistakes / decisions) for decisions, mistakes in (last, before)]
    assert [found.last, found.before] == accuracies and found.is_clear == is_clear


def test_a_trend_needs_as_many_games_before(table):
    assert progress(*[mixed(table, 10, 1)] * 19).trend is None
    assert progress(*[mixed(table, 10, 1)] * 20).trend is not None


def test_the_graph_goes_from_the_oldest_game_to_the_newest(table):
    found = progress(mixed(table, 10, 0), mixed(table, 10, 5), mixed(table, 10, 10)).graph
    heights = [spot.y for spot in found.spots]
    assert heights == sorted(heights, reverse=True) and len(set(heights)) == 3
    assert progress(mixed(table, 10, 0), mixed(table, 10, 5)).graph is None


# The page


@pytest.fixture
def visit(as_user, person):
    def shown(query="", name="alice"):
        return as_user(person(name)).get(reverse("games:coach-progress") + query)

    return shown


def test_the_page_has_the_figures_and_leads_to_the_games_and_mistakes(table, visit):
    review_of(table, decision(0, 3.0), decision(2, 12.0), decision(4), decision(6)).save()
    shown = visit()
    words, html = page_words(shown), page_html(shown)
    assert "Your play in Cribbage" in words and "Accuracy 50 %" in words and "Points lost a game 15" in words
    coach = reverse("games:coach", args=[table.code])
    assert f'href="{coach}?mistake=1#mistake"' in html and f'href="{coach}"' in html
    assert "move 3 (discard) cost about 12 points, in a game with bob" in words


def test_only_games_that_the_player_played_count(table, visit, person):
    review_of(table, decision(0, 3.0)).save()
    watched = review_of(table, decision(0, 3.0), name="carol")  # of a bot that carol runs, say
    watched.save()
    running = review_of(table, decision(0, 3.0), name="bob")
    running.finished_at = None
    running.save()
    assert [review.user.username for review in own_reviews(person("alice"))] == ["alice"]
    assert not own_reviews(person("carol")) and not own_reviews(person("bob"))
    CoachReview.objects.filter(pk=running.pk).update(finished_at=NOW)
    assert [review.seat for review in own_reviews(person("bob"))] == [1]
    assert "hasn't reviewed a game of yours" in page_words(visit(name="carol"))


def test_the_page_compares_the_last_games_with_those_before(table, visit):
    for number, copied in enumerate(copies_of(table, 20)):
        mixed(copied, 40, 2 if number < 10 else 10).save()
    assert "was 95 % in the last 10 games and 75 % in the 10 before. That is more than chance" in page_words(visit())


def test_each_game_has_its_own_figures_and_the_last_one_comes_first(table, visit):
    other = play_last_moves(table_with("alice", "bob", game="cuarenta", deals=1, secret=bytes([1] * 32)))
    Table.objects.filter(pk=other.pk).update(finished_at=table.finished_at - timedelta(days=1))
    review_of(table, decision(0, 3.0)).save()
    review_of(Table.objects.with_seats().get(pk=other.pk), decision(0), decision(2)).save()
    assert reviewed_games(account("alice")) == ["partnership-cribbage", "cuarenta"]
    shown = page_words(visit())
    assert "Your play in Cribbage" in shown and "in the game that it has reviewed" in shown
    assert "Your play in Cuarenta" in page_words(visit("?game=cuarenta"))
    assert "Your play in Cribbage" in page_words(visit("?game=nonsense"))


def test_games_in_which_nothing_was_judged_say_so(table, visit):
    review_of(table, decision(0, judged=False)).save()
    assert "nothing for the coach to judge" in page_words(visit())


def test_more_games_take_no_more_queries(table, as_user, person, django_assert_num_queries):
    client, address = as_user(person("alice")), reverse("games:coach-progress")
    review_of(table, decision(0, 3.0)).save()
    with CaptureQueriesContext(connection) as of_one:
        client.get(address)
    for copied in copies_of(table, 2):
        review_of(copied, decision(0, 3.0)).save()
    with django_assert_num_queries(len(of_one)):
        assert "your last 3 games" in page_words(client.get(address))


def test_visitors_are_asked_to_log_in(client):
    assert client.get(reverse("games:coach-progress")).status_code == 302
