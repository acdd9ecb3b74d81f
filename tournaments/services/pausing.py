"""Pauses: a director stops an event, and lets it go on as if no time had passed."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import services as games
from tournaments.domain.errors import EventError
from tournaments.models import Event
from tournaments.services.clock import take_in
from tournaments.services.common import changed, locked, log, running_tables


@transaction.atomic
def pause(*, event_id: int, by: User | None, why: str = "") -> Event:
    """No match starts, and the clocks of all tables stand, until `resume`. :raises EventError:"""
    event = locked(event_id)
    if not event.is_running or event.is_paused:
        raise EventError("Only an event that is being played can be paused.")
    event.paused_at, event.due_at = timezone.now(), None
    event.save(update_fields=["paused_at", "due_at"])
    for table_id in running_tables(event):
        games.pause_table(table_id=table_id)
    log(event, "Paused the event.", by=by, why=why)
    return changed(event)


@transaction.atomic
def resume(*, event_id: int, by: User | None) -> Event:
    """Goes on; whatever was to come at a certain time comes later by the length of the pause. :raises EventError:"""
    event = locked(event_id)
    if not event.is_running or event.paused_at is None:
        raise EventError("This event is not paused.")
    passed, event.paused_at = timezone.now() - event.paused_at, None
    event.next_round_at = event.next_round_at and event.next_round_at + passed
    event.ends_at = event.ends_at and event.ends_at + passed
    event.save(update_fields=["paused_at", "next_round_at", "ends_at"])
    for table_id in running_tables(event):
        games.resume_table(table_id=table_id)
    log(event, "The event goes on.", by=by)
    take_in(event)
    return changed(event)
