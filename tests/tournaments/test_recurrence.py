"""Rules of recurrence on the organiser's wall, also where the clocks change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.work import calls_in
from tournaments.domain.recurrence import (
    BadRecurrenceRule,
    check_rule,
    occurrences_after,
    rule_in_words,
    wall_time_to_utc,
)

VIENNA, NEW_YORK, LORD_HOWE, APIA = "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"
ZONES = (VIENNA, NEW_YORK, LORD_HOWE, APIA)


def wall(text: str, zone: str) -> datetime:
    """A moment, from what stands on the wall."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def on_wall(starts: list[datetime], zone: str) -> list[str]:
    return [f"{start.astimezone(ZoneInfo(zone)):%a %d %b %H:%M}" for start in starts]


def coming(rule: str, first: str, zone: str, *, count: int, after: str = "") -> list[datetime]:
    begin = wall(first, zone)
    return occurrences_after(
        rule, begin, zone, after=wall(after, zone) if after else begin - timedelta(days=1), count=count
    )


# Where the clocks change


@pytest.mark.parametrize(
    ("zone", "first", "starts"),
    [
        (VIENNA, "2026-03-28T20:00", ["2026-03-28T19:00", "2026-03-29T18:00", "2026-03-30T18:00"]),
        (VIENNA, "2026-10-24T20:00", ["2026-10-24T18:00", "2026-10-25T19:00", "2026-10-26T19:00"]),
        (NEW_YORK, "2026-03-07T20:00", ["2026-03-08T01:00", "2026-03-09T00:00", "2026-03-10T00:00"]),
        (NEW_YORK, "2026-10-31T20:00", ["2026-11-01T00:00", "2026-11-02T01:00", "2026-11-03T01:00"]),
        (LORD_HOWE, "2026-10-03T20:00", ["2026-10-03T09:30", "2026-10-04T09:00", "2026-10-05T09:00"]),
        (LORD_HOWE, "2026-04-04T20:00", ["2026-04-04T09:00", "2026-04-05T09:30", "2026-04-06T09:30"]),
    ],
)
def test_an_evening_stays_the_same_evening_hour(zone, first, starts):
    assert coming("FREQ=DAILY", first, zone, count=3) == [utc(start) for start in starts]


@pytest.mark.parametrize(
    ("zone", "skipped", "jump"),
    [
        (VIENNA, "2026-03-29T02:30", "2026-03-29T01:00"),
        (NEW_YORK, "2026-03-08T02:30", "2026-03-08T07:00"),
        (LORD_HOWE, "2026-10-04T02:15", "2026-10-03T15:30"),  # by half an hour
        (APIA, "2011-12-30T20:00", "2011-12-30T10:00"),  # a whole day, across the date line
    ],
)
def test_a_time_that_is_skipped_becomes_the_first_moment_after(zone, skipped, jump):
    before = (datetime.fromisoformat(skipped) - timedelta(days=1)).isoformat()
    starts = coming("FREQ=DAILY", before, zone, count=3)
    assert starts[1] == utc(jump)
    assert starts[2] - starts[1] < timedelta(days=1)


@pytest.mark.parametrize(
    ("zone", "twice", "first_time"),
    [
        (VIENNA, "2026-10-25T02:30", "2026-10-25T00:30"),
        (NEW_YORK, "2026-11-01T01:30", "2026-11-01T05:30"),
        (LORD_HOWE, "2026-04-05T01:45", "2026-04-04T14:45"),
    ],
)
def test_a_time_that_comes_twice_is_taken_the_first_time_and_once(zone, twice, first_time):
    before = (datetime.fromisoformat(twice) - timedelta(days=1)).isoformat()
    starts = coming("FREQ=DAILY", before, zone, count=3)
    assert starts[1] == utc(first_time)
    again = occurrences_after("FREQ=DAILY", starts[0], zone, after=starts[1], count=1)
    assert again == [starts[2]]


def test_times_that_fall_together_are_one_start():
    starts = coming("FREQ=MINUTELY;INTERVAL=15", "2026-03-29T01:30", VIENNA, count=5)
    assert on_wall(starts, VIENNA)[1:] == [
        "Sun 29 Mar 01:45", "Sun 29 Mar 03:00", "Sun 29 Mar 03:15", "Sun 29 Mar 03:30",
    ]  # fmt: skip


def test_a_day_that_a_country_left_out_has_no_start_of_its_own():
    starts = coming("FREQ=DAILY;BYHOUR=0,12", "2011-12-29T00:00", APIA, count=5)
    assert on_wall(starts, APIA) == [
        "Thu 29 Dec 00:00", "Thu 29 Dec 12:00", "Sat 31 Dec 00:00", "Sat 31 Dec 12:00", "Sun 01 Jan 00:00",
    ]  # fmt: skip


RULES = st.sampled_from(
    ["FREQ=DAILY", "FREQ=HOURLY", "FREQ=MINUTELY;INTERVAL=25", "FREQ=HOURLY;BYMINUTE=0,30", "FREQ=WEEKLY;BYDAY=SU"]
)
CHANGES = {VIENNA: 2026, NEW_YORK: 2026, LORD_HOWE: 2026, APIA: 2011}


@settings(max_examples=80, deadline=None)
@given(RULES, st.sampled_from(ZONES), st.integers(0, 525_600), st.integers(0, 100_000), st.integers(1, 40))
def test_starts_come_in_order_once_and_the_same_whenever_one_asks(rule, zone, minute, later, count):
    first = datetime(CHANGES[zone], 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    after = first + timedelta(minutes=later)
    starts = occurrences_after(rule, first, zone, after=after, count=count)
    assert len(starts) == count and starts[0] > after
    assert all(start < following for start, following in zip(starts, starts[1:], strict=False))
    one_by_one = []
    for _ in starts:
        one_by_one += occurrences_after(rule, first, zone, after=one_by_one[-1] if one_by_one else after, count=1)
    assert one_by_one == starts


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(ZONES), st.datetimes(datetime(2009, 1, 1), datetime(2027, 1, 1)))
def test_a_time_on_the_wall_is_found_by_looking_at_every_minute(zone, time):
    """A slow second way: of all minutes around it, the first that shows this time or, if none does, a later one."""
    time = time.replace(second=0, microsecond=0)
    local = ZoneInfo(zone)
    near = time.replace(tzinfo=local).astimezone(UTC)
    minutes = [near + timedelta(minutes=n) for n in range(-1500, 1500, 15 if time.minute % 15 == 0 else 1)]
    shown = [minute.astimezone(local).replace(tzinfo=None) for minute in minutes]
    expected = next((m for m, text in zip(minutes, shown, strict=True) if text == time), None) or next(
        m for m, text in zip(minutes, shown, strict=True) if text > time
    )
    assert wall_time_to_utc(time, local) == expected


# Ends and beginnings


def test_a_series_that_has_not_begun_begins_with_its_first_start():
    assert on_wall(coming("FREQ=WEEKLY;BYDAY=FR,SA", "2026-06-05T20:00", VIENNA, count=3), VIENNA) == [
        "Fri 05 Jun 20:00", "Sat 06 Jun 20:00", "Fri 12 Jun 20:00",
    ]  # fmt: skip


def test_the_next_start_is_later_than_the_moment_asked_for():
    assert coming("FREQ=DAILY", "2026-06-05T20:00", VIENNA, after="2026-06-06T20:00", count=1) == [
        utc("2026-06-07T18:00")
    ]


@pytest.mark.parametrize("end", ["COUNT=3", "UNTIL=20260607", "UNTIL=20260607T200000", "UNTIL=20260607T180000Z"])
def test_a_series_may_end(end):
    rule = f"FREQ=DAILY;{end}"
    check_rule(rule, VIENNA)
    assert len(coming(rule, "2026-06-05T20:00", VIENNA, count=9)) == 3
    assert len(coming(rule, "2026-06-05T20:00", VIENNA, after="2026-06-06T21:00", count=9)) == 1
    assert coming(rule, "2026-06-05T20:00", VIENNA, after="2027-01-01T00:00", count=9) == []


def seventh_minute_after(until: str) -> datetime:
    return coming("FREQ=MINUTELY;INTERVAL=7", "2020-01-01T00:00", "UTC", after=until, count=1)[0]


def test_a_rule_of_minutes_goes_on_in_step_after_years():
    start = seventh_minute_after("2026-06-05T20:00")
    assert (start - utc("2020-01-01T00:00")) % timedelta(minutes=7) == timedelta(0)
    assert timedelta(0) < start - utc("2026-06-05T20:00") <= timedelta(minutes=7)


def test_a_rule_of_minutes_skips_past_years_without_counting_through_them():
    one_day = calls_in(lambda: seventh_minute_after("2020-01-02T00:00"))
    assert calls_in(lambda: seventh_minute_after("2026-06-05T20:00")) <= 2 * one_day


# What is refused, and how a rule reads


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("", "looks like FREQ=WEEKLY"),
        ("every friday", "looks like FREQ=WEEKLY"),
        ("FREQ=DAILY;FREQ=DAILY", "looks like FREQ=WEEKLY"),
        ("INTERVAL=2", "FREQ must be one of"),
        ("FREQ=SECONDLY", "on the minute"),
        ("FREQ=DAILY;BYSECOND=30", "on the minute"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL must be a number from 1"),
        ("FREQ=DAILY;COUNT=ten", "COUNT must be a number from 1"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20260607", "COUNT or UNTIL"),
        ("FREQ=DAILY;UNTIL=soon", "can't be read"),
        ("FREQ=WEEKLY;BYDAY=XX", "can't be read"),
        ("FREQ=DAILY;BYHOUR=x", "can't be read"),
        ("FREQ=DAILY;DTSTART=20260101T000000", "DTSTART can't be used with"),
        ("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "BYMONTH can't be used with"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "nothing would ever take place"),
        ("FREQ=DAILY\nFREQ=WEEKLY", "FREQ must be one of"),
    ],
)
def test_a_bad_rule_is_refused_in_words(rule, words):
    with pytest.raises(BadRecurrenceRule, match=words):
        check_rule(rule, VIENNA)


def test_that_nothing_ever_takes_place_is_found_without_going_through_thousands_of_years():
    def refused() -> None:
        with pytest.raises(BadRecurrenceRule):
            check_rule("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", VIENNA)

    assert calls_in(refused) < 100_000  # a thousand years have 365,000 days


@pytest.mark.parametrize("zone", ["", "Vienna", "../../etc/passwd", "Europe", "Europe/Nowhere"])
def test_an_unknown_time_zone_is_refused(zone):
    with pytest.raises(BadRecurrenceRule, match="no time zone"):
        check_rule("FREQ=DAILY", zone)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=WEEKLY;BYDAY=FR,SA", "every week on Friday and Saturday"),
        ("freq=weekly;interval=2;byday=mo,we,fr", "every 2 weeks on Monday, Wednesday and Friday"),
        ("RRULE:FREQ=MINUTELY;INTERVAL=105", "every 105 minutes"),
        ("FREQ=MINUTELY;INTERVAL=150", "every 2 hours 30 minutes"),
        ("FREQ=MINUTELY;INTERVAL=60;BYDAY=SA", "every hour on Saturday"),
        ("FREQ=HOURLY;INTERVAL=24", "every day"),
        ("FREQ=MONTHLY;BYDAY=1FR,-1SU", "every month on the first Friday and the last Sunday"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,-1", "every month on day 1 and the last day"),
        ("FREQ=DAILY;COUNT=10", "every day, 10 times"),
        ("FREQ=DAILY;UNTIL=20260607T180000Z", "every day, until 7 June 2026"),
        ("FREQ=DAILY;BYHOUR=8,20", "FREQ=DAILY;BYHOUR=8,20"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_rule_in_words(rule, words):
    assert rule_in_words(rule) == words
