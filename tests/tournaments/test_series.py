import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.factories import NOON
from tests.tournaments.leagues import planned
from tournaments import services, tasks
from tournaments.admin import SETTINGS_FIELDSETS
from tournaments.domain.recurrence import occurrences_after
from tournaments.formats import FORMATS
from tournaments.models import Event, EventSettings, Season, Series

QUARTER, QUARTERLY = timedelta(minutes=15), "FREQ=MINUTELY;INTERVAL=15"


@pytest.fixture
def series(db):
    series = Series(name="Every quarter", game="casino", first_start_at=NOON, rrule=QUARTERLY, ahead=3)
    return services.save_series(series, now=NOON - timedelta(days=1))


def starts() -> list[int]:
    """Minutes from noon."""
    return [int((event.starts_at - NOON).total_seconds() // 60) for event in Event.objects.order_by("starts_at")]


def test_a_series_plans_its_next_events(series):
    services.plan_series(series_id=series.pk, now=NOON)
    assert starts() == [15, 30, 45]


def test_planning_twice_plans_nothing_twice(series):
    for _ in range(2):
        services.plan_series(series_id=series.pk, now=NOON)
    assert starts() == [15, 30, 45]


def test_an_event_that_was_shifted_is_not_planned_again(series):
    services.plan_series(series_id=series.pk, now=NOON)
    moved = Event.objects.order_by("starts_at").first()
    moved.starts_at += timedelta(minutes=7)
    services.save_event(moved, by=None, now=NOON)
    services.plan_series(series_id=series.pk, now=NOON)
    assert starts() == [22, 30, 45]


def test_events_are_on_the_clock_of_their_series(series):
    Series.objects.update(time_zone="Europe/Vienna")
    services.plan_series(series_id=series.pk, now=NOON)
    assert {event.time_zone for event in Event.objects.all()} == {"Europe/Vienna"}


def test_when_one_starts_the_next_is_planned_by_the_tick(series, eager_tasks):
    now = timezone.now()
    Series.objects.update(first_start_at=now)
    tasks.tick()
    assert Event.objects.count() == 3
    series.refresh_from_db()
    assert series.due_at == Event.objects.order_by("starts_at")[0].starts_at
    services.plan_series(series_id=series.pk, now=series.due_at)
    assert Event.objects.count() == 4


def test_an_event_has_the_settings_of_its_series(series):
    Series.objects.update(match_games=3, fill_to=8, options={"target": 11})
    services.plan_series(series_id=series.pk, now=NOON)
    event = Event.objects.first()
    assert (event.game, event.match_games, event.fill_to, event.options) == ("casino", 3, 8, {"target": 11})


def test_no_event_is_planned_for_the_time_that_the_site_was_off(series):
    services.plan_series(series_id=series.pk, now=NOON + timedelta(days=3))
    assert min(starts()) == 3 * 24 * 60 + 15


def test_a_series_that_is_switched_off_plans_nothing(series):
    series.is_active = False
    services.save_series(series, now=NOON)
    services.plan_series(series_id=series.pk, now=NOON)
    assert starts() == []
    assert not Series.objects.due(NOON).exists()


def test_occurrences_before_the_first_start_begin_with_it():
    assert occurrences_after(QUARTERLY, NOON, "UTC", after=NOON - QUARTER / 2, count=2) == [NOON, NOON + QUARTER]
    assert occurrences_after(QUARTERLY, NOON, "UTC", after=NOON, count=1) == [NOON + QUARTER]


def test_a_series_with_a_rule_that_cannot_be_read_is_refused(series):
    series.rrule = "every friday"
    with pytest.raises(ValidationError, match="A rule looks like"):
        series.full_clean()


def test_a_series_stays_at_its_hour_when_the_clocks_change(series):
    evening = datetime(2026, 10, 24, 18, tzinfo=UTC)  # 20:00 in Vienna
    Series.objects.update(rrule="FREQ=DAILY", time_zone="Europe/Vienna", first_start_at=evening, ahead=2)
    services.plan_series(series_id=series.pk, now=evening - timedelta(hours=1))
    first, second = Event.objects.order_by("starts_at")
    assert (first.starts_at, second.starts_at - first.starts_at) == (evening, timedelta(hours=25))


def test_a_series_whose_rule_ends_plans_what_is_left_and_rests(series):
    Series.objects.update(rrule="FREQ=DAILY;COUNT=2")
    services.plan_series(series_id=series.pk, now=NOON)
    assert starts() == [24 * 60]
    services.plan_series(series_id=series.pk, now=NOON + timedelta(days=1))
    series.refresh_from_db()
    assert series.due_at is None


def test_a_series_of_many_starts_a_day_goes_on_after_a_day_that_it_skips(series):
    Series.objects.update(skipped=["2026-11-21", "2026-11-22"])
    services.plan_series(series_id=series.pk, now=NOON + timedelta(hours=12) - QUARTER / 2)
    assert starts() == [60 * (12 + 48), 60 * (12 + 48) + 15, 60 * (12 + 48) + 30]
    series.refresh_from_db()
    assert series.due_at == NOON + timedelta(hours=12 + 48)


def test_the_demo_schedule_starts_an_event_every_quarter_of_an_hour_of_every_format_and_changing_games(db):
    call_command("make_demo_schedule", verbosity=0)
    call_command("make_demo_schedule", verbosity=0)
    now = timezone.now()
    for series in Series.objects.all():
        services.plan_series(series_id=series.pk, now=now)
    events = list(Event.objects.filter(bots_only=False).order_by("starts_at"))
    gaps = {later.starts_at - event.starts_at for event, later in zip(events, events[1:], strict=False)}
    assert gaps == {QUARTER}
    series = Series.objects.filter(bots_only=False).count()
    assert len({event.game for event in events[:series]}) == series
    assert all(event.starts_at.minute % 15 == 0 and event.fill_to >= 4 for event in events)
    assert {event.format for event in events} == {plan.slug for plan in FORMATS}
    for event in events:
        event.full_clean()


def test_the_demo_schedule_has_a_daily_league_of_peoples_bots(db):
    for _ in range(2):
        call_command("make_demo_schedule", verbosity=0)
    daily, season = Series.objects.get(bots_only=True), Season.objects.get()
    assert (season.series, season.counts_bots) == (daily, True)
    services.plan_series(series_id=daily.pk, now=timezone.now())
    first, second = daily.events.order_by("starts_at")
    assert (first.starts_at.hour, second.starts_at - first.starts_at) == (18, timedelta(days=1))
    assert first.registration_at == first.starts_at - timedelta(days=1)  # there is always one to enter
    season.full_clean()


def test_an_empty_field_of_options_means_none(series):
    """The admin's field makes None of an empty text."""
    series.options = series.format_options = None
    series.full_clean()
    assert (series.options, series.format_options) == ({}, {})
    league = planned()
    league.options = None
    league.full_clean()
    assert league.options == {}


def test_the_admin_form_of_a_series_has_every_setting():
    shown = flatten_fieldsets(SETTINGS_FIELDSETS)
    assert sorted(shown) == sorted(field.name for field in EventSettings._meta.local_fields)


def test_a_series_for_teams_is_planned_in_the_admin(director, series):
    address = reverse("admin:tournaments_series_change", args=[series.pk])
    form = director.get(address).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    sent |= {
        "first_start_at": "2058-10-18T19:30",
        "team_boards": "4",
        "team_scoring": "board",
        "questions": "",
        "format": "swiss",
    }
    sent = {name: json.dumps(value) if isinstance(value, dict | list) else value for name, value in sent.items()}
    answer = director.post(
        address, {name: value for name, value in sent.items() if value is not None and value is not False}
    )
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    series.refresh_from_db()
    assert (series.team_boards, series.team_scoring, series.questions) == (4, "board", [])
