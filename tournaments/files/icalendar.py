"""iCalendar feeds of events (RFC 5545, with the names of RFC 7986)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import icalendar
from django.conf import settings
from django.db.models import Count, Max, QuerySet

from accounts.preferences import SITE_NAME
from tournaments.models import CalendarEntry
from tournaments.queries.calendar_content import calendar_fields

FEED_KEEPS = timedelta(days=14)  # so long an event stays in a feed
FEED_LIMIT = 500
FEED_REFRESH = timedelta(minutes=30)
FEED_REFRESH_TEXT = "PT30M"  # the same in the words of RFC 5545


def feed_entries(now: datetime) -> QuerySet[CalendarEntry]:
    """The feed of coming events and those of the last two weeks, also cancelled ones: calendars must be told."""
    return CalendarEntry.objects.filter(event__starts_at__gt=now - FEED_KEEPS).select_related("event")


def feed_stamp(chosen: QuerySet[CalendarEntry]) -> tuple[int, datetime | None]:
    """Changes whenever the feed changes: the number of entries, and the time of the last change."""
    found = chosen.aggregate(count=Count("pk"), newest=Max("changed_at"))
    return found["count"], found["newest"]


def render_calendar(title: str, chosen: Iterable[CalendarEntry], *, site: str, is_own: bool = False) -> bytes:
    """site: origin of the links. is_own: the reader plays in them, so they show as busy."""
    made = icalendar.Calendar()
    made.add("prodid", f"-//{SITE_NAME}//Tournaments//EN")
    made.add("version", "2.0")
    for name in ("name", "x-wr-calname"):  # the standard's and the one that programs know
        made.add(name, f"{title}, {SITE_NAME}")
    made.add("refresh-interval", FEED_REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", FEED_REFRESH_TEXT)
    for entry in chosen:
        made.add_component(_component(entry, site, is_own))
    return bytes(made.to_ical())


def entry_ends_at(entry: CalendarEntry) -> datetime:
    """The estimated end; once the event is over, the real one."""
    event = entry.event
    if event.finished_at and event.finished_at > event.starts_at:
        return event.finished_at
    return event.starts_at + timedelta(minutes=entry.minutes)


def _component(entry: CalendarEntry, site: str, is_own: bool) -> icalendar.Event:
    event, made = entry.event, icalendar.Event()
    made.add("uid", f"event-{event.pk}@{settings.ALLOWED_HOSTS[0]}")
    made.add("dtstamp", entry.changed_at)
    made.add("last-modified", entry.changed_at)
    made.add("sequence", entry.sequence)
    made.add("dtstart", event.starts_at)
    made.add("dtend", entry_ends_at(entry))
    made.add("url", site + event.get_absolute_url())
    made.add("transp", "OPAQUE" if is_own else "TRANSPARENT")
    for name, text in calendar_fields(event).items():
        made.add(name, text)
    return made
