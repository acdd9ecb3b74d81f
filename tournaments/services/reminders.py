"""Reminders: a notice shortly before the start, for entrants who want one, where they get notices."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event
from tournaments.services import notices
from tournaments.services.common import locked_event

REMINDED_BEFORE = timedelta(minutes=15)


@transaction.atomic
def want_reminder(*, event_id: int, user: User, is_wanted: bool) -> Entry:
    """:raises EventError: the user isn't in the event, or it has started."""
    event = locked_event(event_id)
    entry = event.entries.entered().of(user).with_players().first()
    if entry is None or not event.is_before_start:
        raise EventError("There is nothing to remind you of.")
    entry.wants_reminder = is_wanted
    entry.save(update_fields=["wants_reminder"])
    return entry


def events_to_remind(now: datetime) -> QuerySet[Event]:
    """Events that start soon, and whose entrants have not been reminded."""
    return Event.objects.filter(
        status__in=Event.BEFORE_START, starts_at__gt=now, starts_at__lte=now + REMINDED_BEFORE, reminded_at=None
    )


@transaction.atomic
def remind(*, event_id: int, now: datetime) -> None:
    event = locked_event(event_id)
    if event.reminded_at or not event.is_before_start or event.starts_at - now > REMINDED_BEFORE:
        return
    event.reminded_at = now
    event.save(update_fields=["reminded_at"])
    notices.notify_reminded(event, event.entries.entered().filter(wants_reminder=True).with_players())
