"""Series that a director plans on the site, without a rule to type."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_words
from tests.tournaments.factories import person
from tournaments import services
from tournaments.domain.recurrence import SimpleRule, check_rule, simple_rule, simple_rule_text
from tournaments.models import Event, Series

FRIDAY = date(2026, 11, 27)


@pytest.fixture
def planner(client, db):
    """A client of the group Directors, who is no admin."""
    user = person("dora")
    user.groups.add(Group.objects.get(name="Directors"))
    client.force_login(user)
    return client


@pytest.fixture
def own_event(event, planner):
    made = event(name="Club evening", format="swiss", match_games=3)
    Event.objects.filter(pk=made.pk).update(created_by=person("dora"), starts_at=timezone.now() + timedelta(days=2))
    return Event.objects.get(pk=made.pk)


def sent(**changes: object) -> dict[str, object]:
    fields = {
        "name": "Club Friday", "first_start_at": "2030-10-18T19:30", "time_zone": "Europe/Vienna", "ahead": 2,
        "is_active": "on", "interval": 1, "unit": "WEEKLY", "days": ["FR"], "nth": "", "until": "", "skipped": "",
    }  # fmt: skip
    return fields | changes


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (SimpleRule(), "FREQ=WEEKLY"),
        (SimpleRule("WEEKLY", 2, ("MO", "FR")), "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
        (SimpleRule("MONTHLY", 1, nth="2"), "FREQ=MONTHLY;BYDAY=2FR"),
        (SimpleRule("MONTHLY", 3), "FREQ=MONTHLY;INTERVAL=3"),
        (SimpleRule("DAILY", 1, until="2027-01-31"), "FREQ=DAILY;UNTIL=20270131"),
    ],
)
def test_a_plan_becomes_a_rule_and_is_read_back(rule, text):
    assert simple_rule_text(rule, FRIDAY) == text
    check_rule(text, "Europe/Vienna")
    assert simple_rule(text) == rule


@pytest.mark.parametrize(
    "text", ["FREQ=YEARLY", "FREQ=WEEKLY;BYDAY=2FR", "FREQ=MONTHLY;BYDAY=FR,SA", "FREQ=DAILY;COUNT=3", "x"]
)
def test_rules_that_people_do_not_plan_so_are_left_to_admins(text):
    assert simple_rule(text) is None


def test_a_director_repeats_an_event_and_sees_the_dates_first(planner, own_event):
    address = reverse("tournaments:repeat", args=[own_event.pk])
    assert "Show the next dates" in page_words(planner.get(address))
    shown = page_words(planner.post(address, sent(preview="1", skipped="2030-11-01")))
    assert not Series.objects.exists()
    assert "Fri 18 Oct 2030" in shown.replace(",", "") or "18 October 2030" in shown
    planner.post(address, sent())
    series = Series.objects.get()
    assert (series.created_by.username, series.match_games, series.rrule) == ("dora", 3, "FREQ=WEEKLY;BYDAY=FR")


def test_dates_that_are_skipped_are_not_planned_and_the_hour_stays_when_clocks_change(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent(ahead=3, skipped="2030-11-01"))
    series = Series.objects.get()
    starts = series.next_starts(after=datetime(2030, 10, 1, tzinfo=UTC))
    assert [f"{at:%m-%d %H:%M}" for at in starts] == ["10-18 17:30", "10-25 17:30", "11-08 18:30"]


def test_the_planner_directs_the_events_of_the_series(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    services.plan_series(series_id=Series.objects.get().pk, now=timezone.now())
    planned = Event.objects.filter(series__isnull=False)
    assert planned.count() == 2
    assert planner.get(reverse("tournaments:console", args=[planned[0].pk])).status_code == 200


def test_a_series_pauses_and_its_settings_follow_an_event(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    series = Series.objects.get()
    services.plan_series(series_id=series.pk, now=timezone.now())
    model = Event.objects.filter(series=series).first()
    Event.objects.filter(pk=model.pk).update(match_games=5)
    planner.post(reverse("tournaments:settings-for-series", args=[model.pk]))
    services.plan_series(series_id=series.pk, now=timezone.now())
    assert set(Event.objects.filter(series=series).values_list("match_games", flat=True)) == {5}
    planner.post(reverse("tournaments:edit-series", args=[series.pk]), {**sent(), "is_active": ""})
    services.plan_series(series_id=series.pk, now=timezone.now())
    assert not Event.objects.filter(series=series, status__in=Event.BEFORE_START).exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("skipped", "tomorrow", "a date. Write dates like"),
        ("skipped", " ".join(["2030-11-01"] * 101), "at most 100 dates"),
        ("interval", "0", "greater than or equal to 1"),
        ("unit", "HOURLY", "Select a valid choice"),
        ("until", "2030-13-01", "Enter a valid date"),
        ("name", "", "This field is required"),
    ],
)
def test_faults_are_named_and_nothing_is_lost(planner, own_event, field, value, words):
    answer = planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent(**{field: value}))
    assert answer.status_code == 422 and words in page_words(answer)
    assert not Series.objects.exists()


def test_two_series_cannot_have_the_same_name(planner, own_event):
    address = reverse("tournaments:repeat", args=[own_event.pk])
    planner.post(address, sent())
    answer = planner.post(address, sent())
    assert answer.status_code == 422 and "There is already a series with this name." in page_words(answer)
    assert Series.objects.count() == 1


def test_others_change_no_series(client, event, planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    other = person("eve")
    other.groups.add(Group.objects.get(name="Directors"))
    client.force_login(other)
    assert client.get(reverse("tournaments:edit-series", args=[Series.objects.get().pk])).status_code == 403


def test_a_rule_of_an_admin_is_kept(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    Series.objects.update(rrule="FREQ=DAILY;COUNT=3")
    address = reverse("tournaments:edit-series", args=[Series.objects.get().pk])
    assert "as an admin has set it" in page_words(planner.get(address))
    planner.post(address, sent(unit="keep", name="Club days"))
    assert Series.objects.values_list("name", "rrule").get() == ("Club days", "FREQ=DAILY;COUNT=3")
