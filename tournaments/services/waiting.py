"""The waiting list of an event in which every place is taken."""

from tournaments.models import Entry, Event
from tournaments.models.event import EntryQuerySet
from tournaments.services import telling
from tournaments.services.common import log


def line(event: Event, *, only_ready: bool = False) -> EntryQuerySet:
    """Those who wait, the first one first. only_ready: who has checked in, since nobody can do so any more."""
    waiting = event.entries.waiting().with_players()
    return waiting.filter(status=Entry.Status.READY) if only_ready else waiting


def admit(event: Event, *, only_ready: bool = False) -> bool:
    """Gives free places to those in line; True if somebody got one."""
    free = None if event.max_entries is None else max(event.max_entries - event.entries.present().count(), 0)
    admitted = list(line(event, only_ready=only_ready)[:free])
    if not admitted:
        return False
    for entry in admitted:
        entry.status = Entry.status_before_start(has_place=True, is_here=entry.is_here)
    Entry.objects.bulk_update(admitted, ["status"])
    log(event, f"From the waiting list: {', '.join(entry.name for entry in admitted)}.")
    telling.got_places(event, admitted)
    return True


def number_in_line(entry: Entry) -> int:
    """1 for whoever gets the next free place."""
    waiting = list(entry.event.entries.waiting().values_list("pk", flat=True))
    return waiting.index(entry.pk) + 1
