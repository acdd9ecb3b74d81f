"""Pauses: a director stops an event and resumes it as if no time had passed."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import services as games
from tournaments.domain.errors import EventError
from tournaments.models import Event, EventLog
from tournaments.services import notices
from tournaments.services.clock import record_finished_games
from tournaments.services.common import event_changed, locked_event, log_action, public_reason, running_tables


@transaction.atomic
def pause_event(*, event_id: int, by: User | None, why: str = "") -> Event:
    """No match starts, and the clocks of all tables stop, until `resume_event`. :raises EventError:"""
    event = locked_event(event_id)
    if not event.is_running or event.is_paused:
        raise EventError("You can only pause a running tournament.")
    event.paused_at, event.due_at = timezone.now(), None
    event.save(update_fields=["paused_at", "due_at"])
    for table_id in running_tables(event):
        games.pause_table(table_id=table_id)
    log_action(event, EventLog.PAUSED, by=by, why=why)
    notices.notify_paused(event, public_reason(event, why), by=by)
    return event_changed(event)


@transaction.atomic
def resume_event(*, event_id: int, by: User | None) -> Event:
    """Resumes; whatever was due at a certain time is due later by the length of the pause. :raises EventError:"""
    event = locked_event(event_id)
    if not event.is_running or event.paused_at is None:
        raise EventError("This tournament isn't paused.")
    passed, event.paused_at = timezone.now() - event.paused_at, None
    event.next_round_at = event.next_round_at and event.next_round_at + passed
    event.ends_at = event.ends_at and event.ends_at + passed
    event.save(update_fields=["paused_at", "next_round_at", "ends_at"])
    for table_id in running_tables(event):
        games.resume_table(table_id=table_id)
    log_action(event, "Resumed the tournament.", by=by)
    notices.notify_resumed(event, by=by)
    record_finished_games(event)
    return event_changed(event)
