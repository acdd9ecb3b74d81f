"""The moderators' list of unusually perfect players: who is compared with whom, and the nightly reviews behind it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import tasks
from games.models import CoachReview, Rating, Table
from games.queries import fairness
from games.record.coach_rows import DecisionRow
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

NOW = timezone.now()
LISTED = "/moderation/perfect/"


@pytest.fixture
def reviewed(table_of, person):
    """`reviewed("alice", "bob", mu=..., alice=[...], bob=[...])`: a rated game with the losses of both."""

    def make(number, *, mu=None, game="sixty-six", is_rated=True, **losses):
        table = table_of(*losses, game=game, secret=bytes([number]) * 32)
        Table.objects.filter(pk=table.pk).update(status="finished", finished_at=NOW, is_rated=is_rated)
        for seat, (name, lost) in enumerate(losses.items()):
            Rating.objects.update_or_create(user=person(name), game=game, defaults={"mu": (mu or {}).get(name, 25)})
            CoachReview.objects.create(
                table=table,
                user=person(name),
                seat=seat,
                asked_at=NOW,
                finished_at=NOW,
                decisions=[decision(loss) for loss in lost],
            )
        return table

    return make


def decision(loss):
    row = DecisionRow(
        at=0,
        hand=1,
        kind="lead",
        played="AS",
        best="KH" if loss else "AS",
        loss=loss,
        error=0.5,
        in_percent=False,
        is_mistake=loss > 1,
        lead=0.0,
        best_lead=loss,
        spread=10.0,
        worlds=24,
        values=[],
        chosen={"strong": "KH" if loss else "AS"},
    )
    return row.as_json()


MIXED = [0.0, 0.5, 2.0, 4.0, 0.0, 1.0, 3.0] * 4


def listed():
    return [one.play.user.username for one in fairness.perfect_players(now=NOW)]


def test_a_player_without_losses_stands_out_with_figures(reviewed):
    reviewed(1, alice=[0.0] * 12, bob=MIXED)
    assert listed() == []  # too few decisions
    reviewed(2, alice=[0.0] * 12, bob=MIXED)
    [alice] = fairness.perfect_players(now=NOW)
    assert alice.play.user.username == "alice"
    assert (len(alice.play.tables), len(alice.play.losses)) == (2, 24)
    assert (alice.loss, alice.agreed, alice.others) == (0.0, 100, 1)
    assert alice.others_loss == pytest.approx(1.5) and alice.less.low > 0


def test_players_who_lose_as_much_as_others_are_not_listed(reviewed):
    reviewed(1, alice=MIXED, bob=MIXED)
    assert listed() == []


def test_only_others_of_similar_rating_and_of_the_same_rated_game_count(reviewed):
    reviewed(1, alice=[0.0] * 24, bob=MIXED, mu={"alice": 40, "bob": 20})
    reviewed(2, alice=[0.0] * 24, bob=MIXED, game="gin-rummy", is_rated=False)
    assert listed() == []
    reviewed(3, alice=[0.0] * 24, carol=MIXED, mu={"alice": 40, "carol": 40})
    assert listed() == ["alice"]


def test_decisions_in_percent_count_only_where_there_are_no_points(reviewed):
    reviewed(1, alice=[0.0] * 24, bob=MIXED)
    for review in CoachReview.objects.filter(user__username="alice"):
        review.decisions += [decision(90.0) | {"in_percent": True}]
        review.save()
    [alice] = fairness.perfect_players(now=NOW)
    assert alice.loss == 0


def test_decisions_that_no_review_had_time_for_do_not_count(reviewed):
    reviewed(1, alice=[0.0] * 24, bob=MIXED)
    for review in CoachReview.objects.filter(user__username="alice"):
        review.decisions = [row | {"is_open": True, "worlds": 0} for row in review.decisions]
        review.save()
    assert listed() == []


def test_a_game_that_a_bot_has_finished_says_nothing_about_its_player(reviewed):
    table = reviewed(1, alice=[0.0] * 24, bob=MIXED)
    assert listed() == ["alice"]
    table.seats.filter(user__username="alice").update(has_left=True)
    assert listed() == []


def test_the_page_is_for_moderators(reviewed, as_user, person, admin_client):
    assert "No player is on the list" in page_html(admin_client.get(LISTED))
    reviewed(1, alice=[0.0] * 24, bob=MIXED)
    html = page_html(admin_client.get(LISTED))
    assert "alice" in html and "24" in html and "1.50" in html and "Chance alone" in html
    assert as_user(person("bob")).get(LISTED).status_code == 403


def test_the_page_leads_to_the_games_that_count(reviewed, admin_client):
    tables = [reviewed(number, alice=[0.0] * 12, bob=MIXED) for number in (1, 2)]
    html = page_html(admin_client.get(LISTED))
    assert [f'href="{table.get_absolute_url()}"' in html for table in tables] == [True, True]


def test_the_coach_reviews_a_few_rated_games_a_night_where_the_site_wants_it(table_of, play_on, settings):
    rated = [
        play_on(table_of(*names, game="partnership-cribbage", deals=1, secret=bytes([number]) * 32))
        for number, names in enumerate([("alice", "bob"), ("carol", "dave"), ("erin", "frank")])
    ]
    Table.objects.filter(pk__in=[table.pk for table in rated]).update(is_rated=True)
    Table.objects.filter(pk=rated[1].pk).update(is_rated=False)
    Table.objects.filter(pk=rated[2].pk).update(finished_at=NOW - timedelta(days=30))
    tasks.review_rated_games()
    assert not CoachReview.objects.exists()  # off by default
    settings.REVIEW_RATED_GAMES = True
    tasks.review_rated_games()
    tasks.review_rated_games()
    assert {(review.table_id, review.user.username) for review in CoachReview.objects.all()} == {
        (rated[0].pk, "alice"),
        (rated[0].pk, "bob"),
    }
