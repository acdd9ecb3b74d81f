"""Series that a director plans on the site, without a rule to type."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from notifications.models import Notice
from tests.pages import page_html, page_words
from tests.tournaments.factories import person
from tournaments import services
from tournaments.domain.recurrence import (
    BadRecurrenceRule,
    SimpleRule,
    check_rule,
    moved_rule,
    simple_rule,
    simple_rule_text,
)
from tournaments.models import Event, Series

FRIDAY = date(2026, 11, 27)


@pytest.fixture
def own_event(event, planner):
    made = event(name="Club evening", format="swiss", match_games=3)
    Event.objects.filter(pk=made.pk).update(created_by=person("dora"), starts_at=timezone.now() + timedelta(days=2))
    return Event.objects.get(pk=made.pk)


def sent(**changes: object) -> dict[str, object]:
    fields = {
        "name": "Club Friday", "first_start_at": "2058-10-18T19:30", "time_zone": "Europe/Vienna", "ahead": 2,
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
    shown = page_words(planner.post(address, sent(preview="1", skipped="2058-11-01")))
    assert not Series.objects.exists()
    assert "Fri 18 Oct 2058" in shown.replace(",", "") or "18 October 2058" in shown
    planner.post(address, sent())
    series = Series.objects.get()
    assert (series.created_by.username, series.match_games, series.rrule) == ("dora", 3, "FREQ=WEEKLY;BYDAY=FR")


@pytest.mark.parametrize("month", [1, 7])
def test_an_event_of_last_season_is_repeated_at_its_hour_whatever_the_clocks_have_done(planner, own_event, month):
    year = timezone.now().year - 1
    evening = datetime(year, month, 15, 20, tzinfo=ZoneInfo("Europe/Vienna"))
    Event.objects.filter(pk=own_event.pk).update(starts_at=evening, time_zone="Europe/Vienna")
    page = planner.get(reverse("tournaments:repeat", args=[own_event.pk]))
    first = page.context["series"].first_start_at.astimezone(ZoneInfo("Europe/Vienna"))
    assert (first.hour, first.weekday(), first > timezone.now()) == (20, evening.weekday(), True)


def test_the_days_of_a_week_are_a_group_with_a_box_for_each(planner, own_event):
    page = page_html(planner.get(reverse("tournaments:repeat", args=[own_event.pk])))
    start = page.index('<fieldset class="field" aria-describedby="id_days_helptext">')
    group = page[start:].partition("</fieldset>")[0]
    assert "<legend>On</legend>" in group
    assert (group.count('<label class="check"'), group.count('type="checkbox" name="days"')) == (7, 7)
    assert 'class="helptext" id="id_days_helptext"' in group


def test_the_page_of_a_series_says_on_which_days_to_come_nothing_takes_place(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent(skipped="2058-11-01 2020-01-03 2058-10-25"))
    words = page_words(planner.get(Series.objects.get().get_absolute_url()))
    assert "Not on Fri 25 Oct 2058, Fri 1 Nov 2058." in words


def test_dates_that_are_skipped_are_not_planned_and_the_hour_stays_when_clocks_change(planner, own_event):
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent(ahead=3, skipped="2058-11-01"))
    series = Series.objects.get()
    starts = series.next_starts(after=datetime(2058, 10, 1, tzinfo=UTC))
    assert [f"{at:%m-%d %H:%M}" for at in starts] == ["10-18 17:30", "10-25 17:30", "11-08 18:30"]


@pytest.mark.parametrize(("status", "is_taken"), [("registration", True), ("running", False)])
def test_a_repeated_event_that_is_to_come_is_the_first_of_its_series(planner, own_event, status, is_taken):
    """Otherwise there would be two at the same time."""
    friday = datetime(2058, 10, 18, 17, 30, tzinfo=UTC)
    Event.objects.filter(pk=own_event.pk).update(starts_at=friday, status=status)
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    services.plan_series(series_id=Series.objects.get().pk, now=timezone.now())
    starts = Event.objects.filter(series__isnull=False).order_by("starts_at").values_list("starts_at", flat=True)
    assert [*starts] == [friday, friday + timedelta(weeks=1)]
    own_event.refresh_from_db()
    assert (own_event.series is not None) == is_taken
    assert Event.objects.filter(starts_at=friday).count() == (1 if is_taken else 2)


def test_the_event_of_another_director_stays_out_of_the_series(planner, own_event):
    friday = datetime(2058, 10, 18, 17, 30, tzinfo=UTC)
    Event.objects.filter(pk=own_event.pk).update(starts_at=friday, created_by=person("otto"))
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent())
    own_event.refresh_from_db()
    assert Series.objects.count() == 1 and own_event.series is None


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


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("skipped", "tomorrow", "a date. Write dates like"),
        ("skipped", " ".join(["2058-11-01"] * 101), "at most 100 dates"),
        ("interval", "0", "greater than or equal to 1"),
        ("unit", "HOURLY", "Select a valid choice"),
        ("until", "2058-13-01", "Enter a valid date"),
        ("until", "2058-10-17", "The last day is before the first start."),
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
    assert "as an admin has set it: every day, 3 times" in page_words(planner.get(address))
    planner.post(address, sent(unit="keep", name="Club days"))
    assert Series.objects.values_list("name", "rrule").get() == ("Club days", "FREQ=DAILY;COUNT=3")


# This and all that follow


@pytest.fixture
def fridays(planner, own_event):
    """The coming events of dora's series, on Fridays at 19:30 in Vienna."""
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), sent(ahead=4, first_start_at="2058-10-11T19:30"))
    services.plan_series(series_id=Series.objects.get().pk, now=timezone.now())
    return list(Event.objects.filter(series__isnull=False).order_by("starts_at"))


def starts() -> list[str]:
    planned = Event.objects.filter(series__isnull=False).order_by("starts_at")
    return [f"{event.starts_at:%m-%d %H:%M}" for event in planned]


def move(planner, event: Event, start: str):
    act = reverse("tournaments:act", args=[event.pk, "move-following"])
    assert "New start" in page_words(planner.get(act))
    return planner.post(act, {"start": start, "why": "hall taken"}, follow=True)


def test_who_planned_the_series_is_offered_the_move(planner, fridays):
    console = planner.get(reverse("tournaments:console", args=[fridays[1].pk]))
    assert reverse("tournaments:act", args=[fridays[1].pk, "move-following"]) in console.text


def test_this_evening_and_all_that_follow_move_to_another_day_and_hour(planner, fridays):
    assert starts() == ["10-11 17:30", "10-18 17:30", "10-25 17:30", "11-01 18:30"]
    entered = fridays[2]
    Event.objects.filter(pk=entered.pk).update(status=Event.Status.REGISTRATION)
    services.enter_event(event_id=entered.pk, user=person("ann"))
    move(planner, fridays[1], "2058-10-17T20:00")
    new = ["10-11 17:30", "10-17 18:00", "10-24 18:00", "10-31 19:00", "11-07 19:00"]
    assert starts() == new, "the clocks change on 27 October"
    assert {event.pk for event in fridays} < {
        *Event.objects.filter(series=Series.objects.get()).values_list("pk", flat=True)
    }
    [told] = Notice.objects.filter(user=person("ann")).values_list("text", flat=True)
    assert "Thu 24 Oct 2058, 20:00 (Europe/Vienna)" in told
    line = fridays[1].log.get(what__startswith="Moved this tournament")
    assert (line.by, line.why) == (person("dora"), "hall taken")
    series = Series.objects.get()
    assert (series.rrule, series.is_active) == ("FREQ=WEEKLY;BYDAY=TH", True)
    services.plan_series(series_id=series.pk, now=timezone.now())
    assert starts() == new


@pytest.mark.parametrize(
    ("rule", "start", "planned", "new"),
    [
        (
            "FREQ=DAILY",
            "2058-10-13T19:30",
            ["10-11 17:30", "10-12 17:30", "10-13 17:30", "10-14 17:30"],
            ["10-11 17:30", "10-13 17:30", "10-14 17:30", "10-15 17:30"],
        ),
        (
            "FREQ=WEEKLY;BYDAY=FR",
            "2058-10-25T19:30",
            ["10-11 17:30", "10-18 17:30", "10-25 17:30", "11-01 18:30"],
            ["10-11 17:30", "10-25 17:30", "11-01 18:30", "11-08 18:30"],
        ),
    ],
)
def test_a_move_to_the_day_of_the_next_one_moves_that_one_on(planner, own_event, rule, start, planned, new):
    answers = sent(ahead=4, first_start_at="2058-10-11T19:30")
    planner.post(reverse("tournaments:repeat", args=[own_event.pk]), answers)
    series = Series.objects.get()
    Series.objects.update(rrule=rule)
    services.plan_series(series_id=series.pk, now=timezone.now())
    assert starts() == planned
    events = list(series.events.order_by("starts_at"))
    move(planner, events[1], start)
    assert [event.pk for event in series.events.order_by("starts_at")][:4] == [event.pk for event in events]
    assert starts()[:4] == new


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("2058-11-20T20:00", "at most a week before or after"),
        ("2020-01-01T20:00", "in the past"),
        ("", "This field is required"),
    ],
)
def test_a_move_that_cannot_be_is_refused(planner, fridays, start, words):
    assert words in page_words(move(planner, fridays[1], start))
    assert starts() == ["10-11 17:30", "10-18 17:30", "10-25 17:30", "11-01 18:30"]


def test_several_days_a_week_keep_their_days_and_take_another_hour(planner, fridays):
    Series.objects.update(rrule="FREQ=WEEKLY;BYDAY=MO,FR")
    assert "several days a week" in page_words(move(planner, fridays[1], "2058-10-17T20:00"))
    move(planner, fridays[1], "2058-10-18T20:00")
    assert Series.objects.get().rrule == "FREQ=WEEKLY;BYDAY=MO,FR"
    assert starts()[:2] == ["10-11 17:30", "10-18 18:00"]


def test_only_who_planned_the_series_moves_what_follows(client, fridays):
    other = person("eve")
    other.is_superuser = False
    other.save()
    services.name_role(event_id=fridays[1].pk, user_id=other.pk, role="director", by=person("dora"))
    client.force_login(other)
    act = reverse("tournaments:act", args=[fridays[1].pk, "move-following"])
    console = client.get(reverse("tournaments:console", args=[fridays[1].pk]))
    assert "Shift the time" in page_words(console) and act not in console.text
    assert client.get(act).status_code == 403
    assert client.post(act, {"start": "2058-10-17T20:00"}).status_code == 403
    assert starts()[1] == "10-18 17:30"


@pytest.mark.parametrize(
    ("rule", "new", "moved"),
    [
        ("FREQ=WEEKLY", date(2026, 11, 26), "FREQ=WEEKLY"),
        ("FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131", date(2026, 11, 26), "FREQ=WEEKLY;BYDAY=TH;UNTIL=20270131"),
        ("FREQ=MONTHLY;BYDAY=4FR", date(2026, 11, 26), "FREQ=MONTHLY;BYDAY=4TH"),
        ("FREQ=MONTHLY;BYDAY=-1FR", date(2026, 11, 26), "FREQ=MONTHLY;BYDAY=-1TH"),
        ("FREQ=MONTHLY;BYDAY=4FR", date(2026, 11, 29), "FREQ=MONTHLY;BYDAY=-1SU"),
        ("FREQ=MONTHLY;BYDAY=5FR", date(2026, 11, 30), "FREQ=MONTHLY;BYDAY=5MO"),
        ("FREQ=HOURLY", FRIDAY, "FREQ=HOURLY"),
    ],
)
def test_a_rule_moves_with_its_day(rule, new, moved):
    assert moved_rule(rule, FRIDAY, new) == moved


def test_a_fifth_weekday_does_not_move_to_one_that_comes_every_month():
    with pytest.raises(BadRecurrenceRule, match="fifth"):
        moved_rule("FREQ=MONTHLY;BYDAY=5FR", date(2027, 1, 29), date(2027, 1, 28))


def test_a_rule_of_an_admin_keeps_its_days():
    with pytest.raises(BadRecurrenceRule, match="only the time of day can move"):
        moved_rule("FREQ=WEEKLY;BYDAY=FR;COUNT=9", FRIDAY, date(2026, 11, 26))
