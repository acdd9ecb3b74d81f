"""What it takes to enter, and what people are told who may not."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.utils import timezone

from accounts.models import User
from games import services as games
from games.models import Rating
from tests.tournaments.factories import NOON, person, status_of
from tournaments import services
from tournaments.models import Event, Series
from tournaments.queries import conditions
from tutorials import progress
from tutorials.content import library


@pytest.fixture
def ann(db):
    return person("ann")


def guest() -> User:
    return User.objects.create(username="Guest 1", is_guest=True)


def play(user: User, other: User, game: str = "casino") -> None:
    """A game between the two, to its end."""
    table = games.seat_and_start(game=game, players=[user, other], options=None, move_seconds=None)
    games.resign(table_id=table.pk, user=other)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"min_rating": 1600}, "This tournament requires a rating of 1600 in Casino; yours is 1500."),
        ({"max_rating": 1400}, "This tournament requires a rating of at most 1400 in Casino; yours is 1500."),
        ({"min_account_days": 30}, "This tournament requires an account at least 30 days old; yours is 3 days old."),
        ({"min_games": 10}, "This tournament requires 10 games of Casino finished; you have none."),
        ({"min_games": 1}, "This tournament requires 1 game of Casino finished; you have none."),
        ({"invited_only": True}, "This tournament requires an invitation; you have none."),
        ({"bots_only": True, "fill_to": 4}, "This tournament requires a bot; you are a person."),
    ],
)
def test_who_may_not_enter_is_told_why(event, ann, settings, reason):
    ann.date_joined = timezone.now() - timedelta(days=3)
    noon = event(**settings)
    assert conditions.refusal_reasons(noon, ann) == [reason]
    with pytest.raises(services.EventError) as refusal:
        services.enter_event(event_id=noon.pk, user=ann)
    assert str(refusal.value) == reason
    assert not noon.entries.exists()


def test_all_reasons_are_told_at_once_in_the_order_of_the_conditions(event, ann):
    noon = event(min_rating=1600, min_games=10, invited_only=True)
    reasons = conditions.refusal_reasons(noon, ann)
    assert [words in reason for words, reason in zip(("rating", "games", "invitation"), reasons, strict=True)] == [
        True
    ] * 3


def test_a_rating_counts_in_its_own_game_and_the_limits_are_allowed(event, ann):
    noon = event(min_rating=1500, max_rating=1500)
    Rating.objects.create(user=ann, game="piquet", mu=90)
    assert conditions.refusal_reasons(noon, ann) == []
    Rating.objects.create(user=ann, game="casino", mu=26)
    assert "at most 1500" in conditions.refusal_reasons(noon, ann)[0]


def test_a_guest_has_no_account_however_old(event):
    noon = event(min_account_days=1)
    old_guest = guest()
    old_guest.date_joined = timezone.now() - timedelta(days=99)
    assert conditions.refusal_reasons(noon, old_guest) == [
        "This tournament requires an account at least 1 day old; you are a guest."
    ]


def test_who_has_no_name_yet_is_judged_as_the_guest_he_would_be(event):
    noon = event(min_account_days=1, min_games=1, min_rating=1501, needs_course=True, invited_only=True)
    assert len(conditions.refusal_reasons(noon, User(is_guest=True))) == 5


def test_games_count_once_they_are_finished_and_only_in_the_game(event, ann):
    noon, bob = event(min_games=1), person("bob")
    play(ann, bob, "piquet")
    games.seat_and_start(game="casino", players=[ann, bob], options=None, move_seconds=None)
    assert "you have none" in conditions.refusal_reasons(noon, ann)[0]
    play(ann, bob)
    assert conditions.refusal_reasons(noon, ann) == []


def test_the_course_is_finished_with_its_last_step(event, ann):
    noon = event(needs_course=True)
    *steps, last = library.load_course("casino").steps
    progress.skip_steps(user=ann, game="casino", steps=steps, now=NOON)
    assert conditions.refusal_reasons(noon, ann) == [
        "This tournament requires the course in Casino; you have 1 step left."
    ]
    progress.skip_steps(user=ann, game="casino", steps=[last], now=NOON)
    assert conditions.refusal_reasons(noon, ann) == []


def test_who_is_invited_may_enter(event, ann):
    noon = event(invited_only=True)
    noon.invitations.create(user=ann)
    services.enter_event(event_id=noon.pk, user=ann)
    assert status_of(noon, "ann") == "entered"


def test_bots_and_whoever_a_director_adds_meet_no_conditions(event, ann, house_bots):
    noon = event(min_rating=1900, min_games=50, invited_only=True, password="open sesame")
    bot = User.objects.filter(is_bot=True)[0]
    assert conditions.refusal_reasons(noon, bot) == []
    services.enter_event(event_id=noon.pk, user=bot)
    services.add_entry(event_id=noon.pk, user=ann, by=person("director"))
    assert noon.entries.count() == 2


def test_conditions_bind_nobody_who_is_in_already(event, ann):
    noon = event(people="ann")
    Event.objects.update(min_rating=1900)
    assert services.enter_event(event_id=noon.pk, user=ann).status == "entered"


# The password


def test_a_password_is_stored_as_a_hash_and_an_edit_leaves_it_alone(event):
    noon = event(password="open sesame")
    stored = Event.objects.get().password
    assert stored != "open sesame"
    assert check_password("open sesame", stored)
    noon.name = "Renamed"
    services.save_event(noon, by=None, now=NOON - timedelta(hours=1))
    assert Event.objects.get().password == stored


def test_the_events_of_a_series_have_its_password(db):
    series = Series(name="Club night", game="casino", first_start_at=NOON, password="open sesame")
    services.save_series(series, now=NOON)
    assert series.password != "open sesame"
    (event, *_) = services.plan_series(series_id=series.pk, now=NOON)
    assert check_password("open sesame", event.password)


def test_a_wrong_password_keeps_out_and_the_right_one_lets_in(event, ann):
    noon = event(password="open sesame")
    for password, reason in (("", "Enter the tournament password"), ("sesame", "This password is wrong")):
        with pytest.raises(services.EventError, match=reason):
            services.enter_event(event_id=noon.pk, user=ann, password=password)
    services.enter_event(event_id=noon.pk, user=ann, password="open sesame")
    assert status_of(noon, "ann") == "entered"
