"""What becomes of the planned events of a series when the series changes, pauses or goes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from dateutil.relativedelta import FR, relativedelta
from django.apps import apps
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from notifications.models import Notice
from tests.connections import in_own_connection
from tests.tournaments.factories import person
from tournaments import services
from tournaments.models import Event, Series

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
FRIDAY = datetime(timezone.now().year + 1, 11, 15, 19, tzinfo=UTC) + relativedelta(weekday=FR)  # 20:00 in Vienna
MONDAY = FRIDAY - 4 * DAY - 10 * HOUR


def made(**settings: object) -> Series:
    chosen = {
        "name": "Club evening", "game": "casino", "options": {"target": 11}, "first_start_at": FRIDAY,
        "rrule": "FREQ=WEEKLY", "time_zone": "Europe/Vienna", "ahead": 2, "registration_minutes": 60 * 24 * 30,
    }  # fmt: skip
    series = services.save_series(Series(**chosen | settings), now=MONDAY)
    services.plan_series(series_id=series.pk, now=MONDAY)
    return series


@pytest.fixture
def series(db):
    return made()


def change(series: Series, *, now: datetime = MONDAY, **settings: object) -> None:
    for name, value in settings.items():
        setattr(series, name, value)
    series.full_clean()
    services.save_series(series, now=now)
    for _ in range(2):  # a task may run twice
        services.plan_series(series_id=series.pk, now=now)


def events() -> list[Event]:
    return list(Event.objects.exclude(status="cancelled").order_by("starts_at"))


def starts() -> list[datetime]:
    return [event.starts_at for event in events()]


def enter(event: Event, name: str = "ann") -> None:
    services.add_entry(event_id=event.pk, user=person(name), by=person(name))


def notices_of(name: str = "ann") -> list[str]:
    return list(Notice.objects.filter(user=person(name)).order_by("pk").values_list("text", flat=True))


# Another time


def test_an_hour_later_moves_the_events_and_doubles_none(series):
    before = {event.pk for event in events()}
    change(series, first_start_at=FRIDAY + HOUR)
    assert starts() == [FRIDAY + HOUR, FRIDAY + WEEK + HOUR]
    assert {event.pk for event in events()} == before
    assert [event.planned_at for event in events()] == starts()
    assert all(event.due_at == event.registration_at for event in events())


def test_another_day_moves_the_events_with_their_entrants_who_are_told(series):
    first = events()[0]
    enter(first)
    change(series, first_start_at=FRIDAY - DAY, rrule="FREQ=WEEKLY;BYDAY=TH")
    assert starts() == [FRIDAY - DAY, FRIDAY + WEEK - DAY]
    moved = Event.objects.get(pk=first.pk)
    assert (moved.starts_at, moved.entries.get().user) == (FRIDAY - DAY, person("ann"))
    friday, thursday = (f"{at:%a %d %b %Y}, 20:00 (Europe/Vienna)" for at in (FRIDAY, FRIDAY - DAY))
    words = f"Start: {friday} → {thursday}."
    assert notices_of() == [f"Club evening has changed. {words}"]
    assert [(line.what, line.by, line.why) for line in moved.log.all()[:1]] == [
        (words, None, "Its series has changed.")
    ]


def test_another_time_zone_moves_the_events(series):
    change(series, time_zone="America/New_York", first_start_at=FRIDAY + 6 * HOUR)
    assert starts() == [FRIDAY + 6 * HOUR, FRIDAY + WEEK + 6 * HOUR]
    assert {event.time_zone for event in events()} == {"America/New_York"}


def test_many_starts_a_day_are_moved_each_to_its_nearest(db):
    series = made(rrule="FREQ=MINUTELY;INTERVAL=15", first_start_at=MONDAY, ahead=4)
    before = [event.pk for event in events()]
    change(series, first_start_at=MONDAY + timedelta(minutes=5))
    assert starts() == [MONDAY + timedelta(minutes=minutes) for minutes in (5, 20, 35, 50, 65)]
    assert [event.pk for event in events()][1:] == before


def test_an_event_stays_on_its_day_when_its_new_hour_is_over(series):
    first = events()[0]
    enter(first)
    now = FRIDAY - HOUR / 2
    change(series, now=now, first_start_at=FRIDAY - HOUR)
    assert starts() == [FRIDAY, FRIDAY + WEEK - HOUR, FRIDAY + 2 * WEEK - HOUR]
    assert notices_of() == []


def test_a_start_that_stays_in_a_denser_series_keeps_its_event(series):
    enter(events()[1])
    kept = [event.pk for event in events()]
    change(series, rrule="FREQ=DAILY", first_start_at=FRIDAY - 7 * DAY)
    assert starts() == [MONDAY.replace(hour=19), MONDAY.replace(hour=19) + DAY, FRIDAY, FRIDAY + WEEK]
    assert [event.pk for event in events()][2:] == kept
    assert notices_of() == []


# Starts that are gone


@pytest.mark.parametrize("is_entered", [True, False])
def test_a_start_that_is_gone_takes_an_empty_event_along_and_cancels_one_with_entries(series, is_entered):
    second = events()[1]
    if is_entered:
        enter(second)
    change(series, rrule="FREQ=WEEKLY;INTERVAL=2")
    assert starts() == [FRIDAY, FRIDAY + 2 * WEEK]
    left = Event.objects.filter(pk=second.pk).values_list("status", "planned_at")
    assert list(left) == ([("cancelled", None)] if is_entered else [])
    if is_entered:
        assert second.log.first().why == "Its series no longer has a tournament at this time."
        assert notices_of() == ["Club evening is cancelled. Its series no longer has a tournament at this time."]


def test_whoever_is_entered_has_the_first_choice_of_the_starts_that_are_left(db):
    series = made(rrule="FREQ=DAILY", first_start_at=MONDAY + HOUR, ahead=4)
    monday, *_, thursday = events()
    enter(monday)
    change(series, rrule="FREQ=WEEKLY;BYDAY=FR")
    friday = MONDAY + HOUR + 4 * DAY
    assert Event.objects.get(starts_at=friday).pk == monday.pk
    assert not Event.objects.filter(pk=thursday.pk).exists()
    assert starts() == [friday + number * WEEK for number in range(4)]


def test_events_switched_off_go_and_come_back_when_the_series_does(series):
    first, second = events()
    enter(first)
    change(series, is_active=False)
    first.refresh_from_db()
    assert (starts(), first.status) == ([], "cancelled")
    assert notices_of() == ["Club evening is cancelled. Its series is turned off."]
    assert not Event.objects.filter(pk=second.pk).exists()
    assert not Series.objects.due(MONDAY + 365 * DAY).exists()
    change(series, is_active=True)
    assert starts() == [FRIDAY, FRIDAY + WEEK]


def test_an_event_that_a_director_cancelled_is_not_planned_again(series, boss):
    services.cancel_event(event_id=events()[0].pk, by=boss, why="holiday")
    change(series, match_games=3)
    assert starts() == [FRIDAY + WEEK]


def test_a_running_event_stays_whatever_becomes_of_its_series(series):
    first = events()[0]
    for name in ("ann", "bob"):
        enter(first, name)
    Event.objects.filter(pk=first.pk).update(check_in_minutes=0, status="registration")
    services.start_event(event_id=first.pk, now=FRIDAY)
    change(series, now=FRIDAY + HOUR, is_active=False)
    assert [(event.pk, event.status) for event in events()] == [(first.pk, "running")]


def test_the_admin_ends_a_series_with_its_events_to_come(director, series):
    first, second = events()
    enter(first)
    old = Event.objects.create(series=series, name="Last year", game="casino", starts_at=MONDAY - 365 * DAY)
    Event.objects.filter(pk=old.pk).update(status="finished")
    Event.objects.filter(pk__in=(first.pk, second.pk)).update(starts_at=datetime(2090, 1, 6, tzinfo=UTC))
    director.post(reverse("admin:tournaments_series_delete", args=[series.pk]), {"post": "yes"})
    assert not Series.objects.exists()
    statuses = dict(Event.objects.values_list("pk", "status"))
    assert statuses == {first.pk: "cancelled", old.pk: "finished"}
    assert notices_of() == ["Club evening is cancelled. Its series has ended."]


def test_planning_a_series_that_is_gone_does_nothing(series):
    services.delete_series(series_id=series.pk, now=MONDAY)
    assert services.plan_series(series_id=series.pk, now=MONDAY) == []
    assert not Event.objects.exists()


# Settings


def test_changed_settings_reach_events_without_entries_only(series):
    first, second = events()
    enter(first)
    change(series, match_games=3, name="Club night", options={"target": 21})
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.match_games, first.name, first.options) == (1, "Club evening", {"target": 11})
    assert (second.match_games, second.name, second.options) == (3, "Club night", {"target": 21})
    assert "Games in a match: 1 → 3." in set(second.log.values_list("what", flat=True))
    assert notices_of() == []


def test_what_a_director_has_changed_stays(series, boss):
    first, second = events()
    first.match_games = 5
    services.save_event(first, by=boss, now=MONDAY)
    services.seed_by(event_id=second.pk, how="rating", by=boss)
    services.shift_time(event_id=second.pk, minutes=30, by=boss)
    change(series, match_games=3, move_seconds=45, seeding="lot", first_start_at=FRIDAY + HOUR)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.match_games, first.move_seconds, first.starts_at) == (5, 45, FRIDAY + HOUR)
    assert (second.match_games, second.seeding, second.starts_at) == (3, "rating", FRIDAY + WEEK + HOUR / 2)
    assert (second.planned_at, len(events())) == (FRIDAY + WEEK + HOUR, 2)


def test_settings_that_do_not_fit_to_what_a_director_has_changed_stay_away(series, boss):
    first = events()[0]
    first.options = {"target": 21}
    services.save_event(first, by=boss, now=MONDAY)
    change(series, game="cuarenta", options={}, first_start_at=FRIDAY + HOUR)
    first.refresh_from_db()
    first.full_clean()
    assert (first.game, first.options, first.starts_at) == ("casino", {"target": 21}, FRIDAY + HOUR)


def test_an_event_that_a_director_has_touched_is_cancelled_and_not_removed(series, boss):
    first, second = events()
    services.post_announcement(event_id=first.pk, text="Bring cake.", by=boss)
    change(series, is_active=False)
    assert list(Event.objects.values_list("pk", "status")) == [(first.pk, "cancelled")]


def test_check_in_that_was_open_closes_when_the_event_moves_away(db):
    series = made(check_in_minutes=60)
    first = events()[0]
    Event.objects.filter(pk=first.pk).update(status="registration")
    services.open_check_in(event_id=first.pk, now=FRIDAY - HOUR / 2)
    change(series, now=FRIDAY - HOUR / 2, first_start_at=FRIDAY + 2 * HOUR)
    first.refresh_from_db()
    assert (first.status, first.starts_at, first.due_at) == ("registration", FRIDAY + 2 * HOUR, FRIDAY + HOUR)


# The database, and two workers


def test_no_start_of_a_series_is_planned_twice(series):
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.create(series=series, planned_at=FRIDAY, name="Twin", game="casino", starts_at=FRIDAY)


def test_two_workers_that_plan_at_once_plan_and_move_each_event_once(transactional_db):
    series = made()
    enter(events()[0])
    series.first_start_at, series.ahead = FRIDAY + HOUR, 5
    services.save_series(series, now=MONDAY)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: in_own_connection(services.plan_series, series_id=series.pk, now=MONDAY), range(4)))
    assert starts() == [FRIDAY + HOUR + number * WEEK for number in range(5)]
    assert len(notices_of()) == 1


def test_the_migration_finds_what_directors_had_changed(series, boss):
    first, second = events()
    first.match_games = 5
    services.save_event(first, by=boss, now=MONDAY)
    Event.objects.update(own_settings=[])
    Series.objects.update(move_seconds=33)  # while changes did not reach events yet
    migration = import_module("tournaments.migrations.0016_series_occurrences")
    migration.find_own_settings(apps, None)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.own_settings, second.own_settings) == (["match_games", "move_seconds"], [])
