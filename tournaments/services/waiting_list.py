"""Waiting list of a full event."""

from infra.bulk import update_rows
from tournaments.models import Entry, Event
from tournaments.models.event import EntryQuerySet
from tournaments.services import notices
from tournaments.services.common import log_action


def waiting_line(event: Event, *, only_ready: bool) -> EntryQuerySet:
    """The entries on the waiting list, in order. only_ready: checked in, for when check-in is over."""
    waiting = event.entries.waiting().with_players()
    return waiting.filter(status=Entry.Status.READY) if only_ready else waiting


def admit_waiting(event: Event, *, only_ready: bool = False) -> bool:
    """Gives free places to the first on the waiting list; True if there were any."""
    free = None if event.max_entries is None else max(event.max_entries - event.entries.present().count(), 0)
    admitted = list(waiting_line(event, only_ready=only_ready)[:free])
    if not admitted:
        return False
    for entry in admitted:
        entry.status = Entry.status_before_start(has_place=True, is_here=entry.is_here)
    update_rows(admitted, ["status"])
    log_action(event, f"From the waiting list: {', '.join(entry.name for entry in admitted)}.")
    notices.notify_got_places(event, admitted)
    return True


def waiting_number(entry: Entry) -> int:
    """The position on the waiting list, from 1."""
    waiting = list(entry.event.entries.waiting().values_list("pk", flat=True))
    return waiting.index(entry.pk) + 1
