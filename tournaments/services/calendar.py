"""Calendar entries: count changes for calendar programs (SEQUENCE), and estimate how long an event takes."""

import math

from django.db.models import F
from django.utils import timezone

from tournaments.models import CalendarEntry, Event
from tournaments.planning import estimates
from tournaments.queries.calendar_content import content_hash

ESTIMATE_STEP_MINUTES = 15  # estimates are rounded up to this, so that they do not change every day


def revise_calendar_entry(event: Event) -> bool:
    """Counts a change if calendars would show something new. Returns whether they would."""
    content = content_hash(event)
    entry, is_new = CalendarEntry.objects.get_or_create(event=event, defaults={"content": content})
    if entry.content == content:
        return is_new
    _change(event.pk, content=content)
    return True


def expect_end(*, event_id: int) -> None:
    """Estimates the length of an event that has not started. Bots play games for it, so it takes a while.

    No pace at a table says how long games over days take.
    """
    event = Event.objects.get(pk=event_id)
    if not event.is_before_start or event.clock.is_turn_based:
        return
    entries = max(event.entries.present().count(), event.fill_to, event.min_entries)
    minutes = (
        math.ceil(estimates.estimate_event(event, entries).minutes / ESTIMATE_STEP_MINUTES) * ESTIMATE_STEP_MINUTES
    )
    if not CalendarEntry.objects.filter(event=event, minutes=minutes).exists():
        _change(event_id, minutes=minutes)


def _change(event_id: int, **fields: object) -> None:
    CalendarEntry.objects.filter(event=event_id).update(sequence=F("sequence") + 1, changed_at=timezone.now(), **fields)
