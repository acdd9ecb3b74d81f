"""Notices when what calendars show of an event has changed, and how long it will probably take."""

import math

from django.db.models import F
from django.utils import timezone

from tournaments.models import CalendarEntry, Event
from tournaments.planning import estimates
from tournaments.queries.calendar_content import content_hash

STEP_MINUTES = 15  # estimates are rounded up to this, so that they do not change every day


def revise(event: Event) -> bool:
    """Counts a change where calendars show something new; says whether it is so."""
    content = content_hash(event)
    entry, is_new = CalendarEntry.objects.get_or_create(event=event, defaults={"content": content})
    if entry.content == content:
        return is_new
    _change(event.pk, content=content)
    return True


def expect_end(*, event_id: int) -> None:
    """Estimates the length of an event that has not started. Bots play for it, so it takes a while."""
    event = Event.objects.get(pk=event_id)
    if not event.is_before_start:
        return
    entries = max(event.entries.present().count(), event.fill_to, event.min_entries)
    minutes = math.ceil(estimates.estimate(event, entries).minutes / STEP_MINUTES) * STEP_MINUTES
    if not CalendarEntry.objects.filter(event=event, minutes=minutes).exists():
        _change(event_id, minutes=minutes)


def _change(event_id: int, **fields: object) -> None:
    CalendarEntry.objects.filter(event=event_id).update(sequence=F("sequence") + 1, changed_at=timezone.now(), **fields)
