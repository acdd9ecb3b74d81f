"""iCalendar feeds of events (RFC 5545, with the names of RFC 7986)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import icalendar
from django.conf import settings
from django.db.models import Count, Max, QuerySet

from accounts.preferences import SITE_NAME
from tournaments.models import CalendarEntry, RoundTime
from tournaments.queries.calendar_content import calendar_fields

FEED_KEEPS = timedelta(days=14)  # so long an event stays in a feed
FEED_LIMIT = 500
ALARM_BEFORE = timedelta(minutes=15)
ROUND_SHOWN = timedelta(hours=1)  # how long a round is in a calendar
FEED_REFRESH = timedelta(minutes=30)
FEED_REFRESH_TEXT = "PT30M"  # the same in the words of RFC 5545


def feed_entries(now: datetime) -> QuerySet[CalendarEntry]:
    """The feed of coming events and those of the last two weeks, also cancelled ones: calendars must be told."""
    return (
        CalendarEntry.objects.filter(event__starts_at__gt=now - FEED_KEEPS)
        .select_related("event")
        .prefetch_related("event__round_times")
    )


def feed_stamp(chosen: QuerySet[CalendarEntry]) -> tuple[int, datetime | None]:
    """Changes whenever the feed changes: the number of entries, and the time of the last change."""
    found = chosen.aggregate(count=Count("pk"), newest=Max("changed_at"))
    return found["count"], found["newest"]


def render_calendar(
    title: str, chosen: Iterable[CalendarEntry], *, site: str, is_own: bool = False, has_alarms: bool = False
) -> bytes:
    """site: origin of the links. is_own: the reader plays in them, so they show as busy. has_alarms: before each."""
    made = icalendar.Calendar()
    made.add("prodid", f"-//{SITE_NAME}//Tournaments//EN")
    made.add("version", "2.0")
    for name in ("name", "x-wr-calname"):  # the standard's and the one that programs know
        made.add(name, f"{title}, {SITE_NAME}")
    made.add("refresh-interval", FEED_REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", FEED_REFRESH_TEXT)
    for entry in chosen:
        shown = [_component(entry, site, is_own)]
        shown += [_round_component(entry, row, site, is_own) for row in entry.event.round_times.all()]
        for component in shown:
            if has_alarms:
                component.add_component(_alarm(str(component["summary"])))
            made.add_component(component)
    return bytes(made.to_ical())


def entry_ends_at(entry: CalendarEntry) -> datetime:
    """The estimated end; once the event is over, the real one."""
    event = entry.event
    if event.finished_at and event.finished_at > event.starts_at:
        return event.finished_at
    return event.starts_at + timedelta(minutes=entry.minutes)


def _component(entry: CalendarEntry, site: str, is_own: bool) -> icalendar.Event:
    event = entry.event
    made = _begun(entry, f"event-{event.pk}", site, is_own)
    made.add("dtstart", event.starts_at)
    made.add("dtend", entry_ends_at(entry))
    for name, text in calendar_fields(event).items():
        made.add(name, text)
    return made


def _round_component(entry: CalendarEntry, row: RoundTime, site: str, is_own: bool) -> icalendar.Event:
    """A round with a time of its own."""
    made, fields = _begun(entry, f"event-{row.event_id}-round-{row.number}", site, is_own), calendar_fields(entry.event)
    made.add("dtstart", row.starts_at)
    made.add("dtend", row.starts_at + ROUND_SHOWN)
    for name, text in fields.items():
        made.add(name, f"{text}: round {row.number}" if name == "summary" else text)
    return made


def _begun(entry: CalendarEntry, uid: str, site: str, is_own: bool) -> icalendar.Event:
    """A component with all that is not about its time."""
    made = icalendar.Event()
    made.add("uid", f"{uid}@{settings.ALLOWED_HOSTS[0]}")
    made.add("dtstamp", entry.changed_at)
    made.add("last-modified", entry.changed_at)
    made.add("sequence", entry.sequence)
    made.add("url", site + entry.event.get_absolute_url())
    made.add("transp", "OPAQUE" if is_own else "TRANSPARENT")
    return made


def _alarm(text: str) -> icalendar.Alarm:
    made = icalendar.Alarm()
    made.add("action", "DISPLAY")
    made.add("description", text)
    made.add("trigger", -ALARM_BEFORE)
    return made
