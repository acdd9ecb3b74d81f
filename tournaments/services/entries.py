"""Entering, checking in, leaving."""

from django.db import transaction

from cardsite.accounts.models import User
from tournaments.models import Entry, Event
from tournaments.services.common import EventError, changed, changed_on_calendar, locked, log, open_matches
from tournaments.services.matches import forfeit
from tournaments.services.rounds import go_on


@transaction.atomic
def enter(*, event_id: int, user: User) -> Entry:
    """Enters, or enters again. Whoever enters during check-in is checked in. :raises EventError:"""
    event = locked(event_id)
    if not event.takes_entries:
        raise EventError("This event is not open for entries.")
    if event.entries.filter(user=user, status=Entry.Status.REMOVED).exists():
        raise EventError("A director has removed you from this event.")
    return _enter(event, user, by=user)


@transaction.atomic
def add_entry(*, event_id: int, user: User, by: User) -> Entry:
    """Enters somebody, also before registration opens. :raises EventError:"""
    event = locked(event_id)
    if not event.is_before_start:
        raise EventError("This event has started; nobody can be added any more.")
    return _enter(event, user, by=by)


def _enter(event: Event, user: User, *, by: User | None) -> Entry:
    entry = event.entries.filter(user=user).first() or Entry(
        event=event, user=user, status=Entry.Status.WITHDRAWN
    )
    if not entry.is_absent:
        return entry
    if event.is_full():
        raise EventError("Every place is taken.")
    is_ready = user.is_bot or event.status == Event.Status.CHECK_IN
    entry.status = Entry.Status.CHECKED_IN if is_ready else Entry.Status.ENTERED
    entry.save()
    log(event, f"{entry.name} entered.", by=by)
    changed_on_calendar(event)
    return entry


@transaction.atomic
def check_in(*, event_id: int, user: User) -> Entry:
    """Says that an entry is here and will play. :raises EventError:"""
    event = locked(event_id)
    entry = _entry_of(event, user)
    if event.status != Event.Status.CHECK_IN:
        raise EventError("Check-in is not open.")
    if event.entries.filter(pk=entry.pk, status=Entry.Status.ENTERED).update(status=Entry.Status.CHECKED_IN):
        log(event, f"{entry.name} checked in.", by=user)
        changed(event)
    entry.refresh_from_db()
    return entry


@transaction.atomic
def withdraw(*, event_id: int, user: User) -> Entry:
    """Leaves an event; in a running one the match is forfeited. :raises EventError:"""
    event = locked(event_id)
    return _take_out(
        event, _entry_of(event, user), Entry.Status.WITHDRAWN, f"{user.display_name} withdrew.", by=user
    )


@transaction.atomic
def remove_entry(*, entry_id: int, by: User, why: str) -> Entry:
    """Takes somebody out, who then cannot enter again. :raises EventError:"""
    event = locked(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = event.entries.select_related("user").get(pk=entry_id)
    return _take_out(event, entry, Entry.Status.REMOVED, f"Removed {entry.name}.", by=by, why=why)


def _entry_of(event: Event, user: User) -> Entry:
    entry = event.entries.present().filter(user=user).select_related("user").first()
    if entry is None:
        raise EventError("You are not entered in this event.")
    return entry


def _take_out(event: Event, entry: Entry, status: str, what: str, *, by: User, why: str = "") -> Entry:
    if not (event.is_before_start or event.is_running) or entry.place is not None:
        raise EventError("This event is over for this entry already.")
    entry.status = status
    entry.save(update_fields=["status"])
    log(event, what, by=by, why=why)
    for match in open_matches(event).filter(sides__entry=entry):
        forfeit(match)
    if event.is_running:
        go_on(event)
    changed_on_calendar(event)
    return entry
