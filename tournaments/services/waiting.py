"""The waiting list of an event in which every place is taken."""

from tournaments.models import Entry, Event
from tournaments.services.common import log


def admit(event: Event, *, only_ready: bool = False) -> bool:
    """Gives free places to those who wait, the first one first; True if somebody got one.

    only_ready: to those who have checked in, since nobody can do so any more.
    """
    line = event.entries.waiting().with_players()
    if only_ready:
        line = line.filter(status=Entry.Status.READY)
    if event.max_entries is not None:
        line = line[: max(event.max_entries - event.entries.present().count(), 0)]
    admitted = list(line)
    for entry in admitted:
        entry.status = Entry.status_before_start(has_place=True, is_here=entry.is_here)
        log(event, f"{entry.name} got a place from the waiting list.")
    Entry.objects.bulk_update(admitted, ["status"])
    return bool(admitted)


def number_in_line(entry: Entry) -> int:
    """1 for whoever gets the next free place."""
    waiting = list(entry.event.entries.waiting().values_list("pk", flat=True))
    return waiting.index(entry.pk) + 1
