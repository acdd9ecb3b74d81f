"""What calendar programs get."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import icalendar
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import person, url
from tournaments import services, tasks
from tournaments.models import CalendarEntry, CalendarToken, Event, Series

REQUIRED = {"UID", "DTSTAMP", "DTSTART"}  # RFC 5545, 3.6.1; the others that programs rely on:
WANTED = {"DTEND", "SUMMARY", "SEQUENCE", "LAST-MODIFIED", "STATUS", "URL"}
ONCE = REQUIRED | WANTED | {"DESCRIPTION", "TRANSP"}


SOON = timezone.now().replace(microsecond=0) + timedelta(hours=2)  # what is long past is in no feed


@pytest.fixture
def cup(event) -> Callable[..., Event]:
    """An event two hours from now."""
    return partial(event, name="Cup", starts_at=SOON)


def feed(path: str, client: Client | None = None) -> dict[str, icalendar.Event]:
    """The entries of a feed by name, once it is seen to keep the rules of the format."""
    answer = (client or Client()).get(path)
    assert answer.status_code == 200 and answer["Content-Type"] == "text/calendar; charset=utf-8"
    return entries_of(answer.content)


def entries_of(body: bytes) -> dict[str, icalendar.Event]:
    """:raises AssertionError: the format is not kept."""
    lines = body.split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR" and lines[-2:] == [b"END:VCALENDAR", b""]
    assert not any(b"\n" in line or len(line) > 75 for line in lines), "CRLF, and lines of 75 octets"
    found = icalendar.Calendar.from_ical(body)
    assert found["VERSION"] == "2.0" and found["PRODID"]
    assert b"\r\nREFRESH-INTERVAL;VALUE=DURATION:PT30M\r\nX-PUBLISHED-TTL:PT30M\r\n" in body
    entries = found.walk("VEVENT")
    for entry in entries:
        for alarm in entry.walk("VALARM"):
            assert alarm.keys() == {"ACTION", "DESCRIPTION", "TRIGGER"}, "RFC 5545, 3.6.6"
            assert alarm["ACTION"] == "DISPLAY" and alarm.decoded("TRIGGER") == -timedelta(minutes=15)
        assert entry.keys() >= REQUIRED | WANTED
        assert not any(isinstance(entry[name], list) for name in ONCE & entry.keys())
        times = [entry[name].to_ical() for name in ("DTSTART", "DTEND", "DTSTAMP", "LAST-MODIFIED")]
        assert all(time.endswith(b"Z") for time in times), "in UTC"
        assert entry.decoded("DTEND") > entry.decoded("DTSTART")
    assert len({entry["UID"] for entry in entries}) == len(entries)
    return {str(entry["SUMMARY"]): entry for entry in entries}


def test_an_event_is_told_with_its_time_place_and_length(cup):
    planned = cup(description="Bring a friend;\nnobody, really, loses.")
    entry = feed(url("feed-event", planned.pk))["Cup"]
    assert entry.decoded("DTSTART") == SOON
    assert entry["URL"] == f"http://testserver/tournaments/{planned.pk}/"
    assert entry["STATUS"] == "CONFIRMED"
    assert entry["DESCRIPTION"].startswith("Casino, Knock-out.")
    assert entry["DESCRIPTION"].endswith("Bring a friend;\nnobody, really, loses.")


def test_long_names_in_any_script_are_folded(cup):
    name = "Großes Turnier zum Jahreswechsel, Würfelspieler willkommen; ♠♥♦♣ " + "é" * 30
    planned = cup(name=name)
    assert list(feed(url("feed-event", planned.pk))) == [name]


def test_only_changes_that_calendars_show_count_as_such(cup):
    planned = cup()

    def in_feed() -> tuple[str, int, datetime, str]:
        entry = feed(url("feed-event", planned.pk)).popitem()[1]
        return entry["UID"], entry["SEQUENCE"], entry.decoded("DTSTART"), str(entry["STATUS"])

    uid, first, *_ = in_feed()
    services.enter_event(event_id=planned.pk, user=person("ann"))
    assert in_feed() == (uid, first, SOON, "CONFIRMED")

    planned.refresh_from_db()
    planned.starts_at = SOON + timedelta(hours=1)
    services.save_event(planned, by=None, now=SOON - timedelta(hours=2))
    assert in_feed() == (uid, first + 1, SOON + timedelta(hours=1), "CONFIRMED")

    services.cancel_event(event_id=planned.pk, by=None, why="No light.")
    assert in_feed()[:2] == (uid, first + 2) and in_feed()[3] == "CANCELLED"


def test_the_end_is_an_estimate_in_quarters_of_an_hour(cup):
    planned = cup(fill_to=8)
    tasks.expect_end(planned.pk)
    entry = CalendarEntry.objects.get()
    assert entry.minutes % 15 == 0 and entry.minutes > 0
    shown = feed(url("feed-event", planned.pk)).popitem()[1]
    assert shown.decoded("DTEND") - shown.decoded("DTSTART") == timedelta(minutes=entry.minutes)
    tasks.expect_end(planned.pk)
    again = CalendarEntry.objects.get()
    assert (again.sequence, again.changed_at) == (entry.sequence, entry.changed_at), "nothing new, nothing told"
    Event.objects.update(fill_to=64)
    tasks.expect_end(planned.pk)
    assert CalendarEntry.objects.get().minutes > entry.minutes


def test_planning_an_event_has_its_length_estimated(cup, eager_tasks, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        cup()
    assert CalendarEntry.objects.get().sequence == 1


def test_an_event_that_is_over_ends_when_it_ended(cup):
    planned = cup()
    services.cancel_event(event_id=planned.pk, by=None, why="")
    Event.objects.update(finished_at=SOON + timedelta(minutes=7))
    assert feed(url("feed-event", planned.pk)).popitem()[1].decoded("DTEND") == SOON + timedelta(minutes=7)


def test_feeds_hold_what_their_name_says(cup):
    cup(name="Gin", game="gin-rummy", options={})
    planned = cup(name="Cup")
    series = Series.objects.create(name="Weekly", game="casino", first_start_at=SOON)
    Event.objects.filter(pk=planned.pk).update(series=series)
    cup(name="Last year", starts_at=SOON - timedelta(days=300))
    assert set(feed(url("feed-all"))) == {"Gin", "Cup"}
    assert set(feed(url("feed-game", "gin-rummy"))) == {"Gin"}
    assert set(feed(url("feed-series", series.pk))) == {"Cup"}
    assert Client().get(url("feed-game", "chess")).status_code == 404


def test_a_cancelled_event_stays_in_the_feed_as_cancelled(cup):
    planned = cup()
    services.cancel_event(event_id=planned.pk, by=None, why="")
    assert feed(url("feed-all"))["Cup"]["STATUS"] == "CANCELLED"


def test_a_program_that_has_the_feed_is_not_sent_it_again(cup, client, django_assert_max_num_queries):
    planned = cup()
    first = client.get(url("feed-all"))
    headers = {"If-None-Match": first["ETag"]}
    with django_assert_max_num_queries(1):
        same = client.get(url("feed-all"), headers=headers)
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
    assert client.get(url("feed-all"), headers={"If-Modified-Since": first["Last-Modified"]}).status_code == 304
    assert client.head(url("feed-all")).content == b""
    services.cancel_event(event_id=planned.pk, by=None, why="")
    assert client.get(url("feed-all"), headers=headers).status_code == 200


def test_a_feed_takes_as_many_queries_for_many_events_as_for_one(cup, client, django_assert_max_num_queries):
    for number in range(5):
        cup(name=f"Cup {number}")
    with django_assert_max_num_queries(3):  # the stamp, the entries, and the times of their rounds
        client.get(url("feed-all"))
    with django_assert_max_num_queries(1):  # rendered once for each change
        client.get(url("feed-all"))


# One's own entries


@pytest.fixture
def as_ann(db) -> Client:
    browser = Client()
    browser.force_login(person("ann"))
    return browser


def own_path(browser: Client) -> str:
    browser.post(url("renew-feed"))
    return url("feed-own", CalendarToken.objects.get().token)


def test_a_secret_address_holds_ones_own_entries_without_a_login(cup, as_ann):
    cup(name="Hers", people="ann")
    cup(name="His", people="bob")
    path = own_path(as_ann)
    assert path in as_ann.get(url("feeds")).content.decode()
    found = feed(path)
    assert list(found) == ["Hers"]
    assert found["Hers"]["TRANSP"] == "OPAQUE"


def test_what_one_has_left_goes_from_ones_own_feed(cup, as_ann):
    planned = cup(people="ann")
    path = own_path(as_ann)
    before = as_ann.get(path)
    services.withdraw_entry(event_id=planned.pk, user=person("ann"))
    after = as_ann.get(path, headers={"If-None-Match": before["ETag"]})
    assert entries_of(after.content) == {}


def test_a_new_address_ends_the_old_one_and_an_address_can_be_ended(cup, as_ann):
    old = own_path(as_ann)
    new = own_path(as_ann)
    assert [Client().get(path).status_code for path in (old, new)] == [404, 200]
    as_ann.post(url("revoke-feed"))
    assert Client().get(new).status_code == 404


def test_a_new_address_that_is_wanted_twice_at_once_is_made_once(as_ann):
    """Another press of the button is answered right after the first query of this one."""
    ann, presses = person("ann"), [1]

    def answer_the_other_press(execute, sql, *more):
        result = execute(sql, *more)
        if "calendartoken" in sql and presses:
            presses.pop()
            CalendarToken.objects.create(user=ann)
        return result

    with connection.execute_wrapper(answer_the_other_press):
        assert as_ann.post(url("renew-feed")).status_code == 302
    assert CalendarToken.objects.get().user == ann


def test_nobody_makes_an_address_without_a_login(db):
    assert Client().post(url("renew-feed")).status_code == 302
    assert not CalendarToken.objects.exists()


def test_the_pages_offer_the_calendar(cup, client):
    planned = cup()
    page = client.get(url("event", planned.pk)).content.decode()
    assert f'href="webcal://testserver{url("feed-event", planned.pk)}"' in page
    assert f'href="{url("feeds")}"' in client.get(url("index")).content.decode()
    page = client.get(url("feeds")).content.decode()
    assert url("feed-all") in page and url("feed-game", "casino") in page


def test_alarms_are_only_in_feeds_of_chosen_events(cup):
    planned = cup()
    assert len(feed(url("feed-event", planned.pk))["Cup"].walk("VALARM")) == 1
    assert not feed(url("feed-all"))["Cup"].walk("VALARM")


def test_rounds_with_times_of_their_own_are_in_the_calendar(cup):
    planned = cup(format="swiss", format_options={"planned_rounds": 3})
    sequence = feed(url("feed-event", planned.pk))["Cup"]["SEQUENCE"]
    times = {2: SOON + timedelta(days=7), 3: SOON + timedelta(days=14)}
    services.set_round_times(event_id=planned.pk, times=times, by=person("boss"))
    shown = feed(url("feed-event", planned.pk))
    assert {name: entry.decoded("DTSTART") for name, entry in shown.items()} == {
        "Cup": SOON,
        "Cup: round 2": times[2],
        "Cup: round 3": times[3],
    }
    assert shown["Cup"]["SEQUENCE"] == sequence + 1
    assert "Round 3: " in shown["Cup"]["DESCRIPTION"]
