"""Schedule: create, edit and cancel events."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.domain.wall_clock import past_start
from tournaments.models import Event, Match
from tournaments.planning import edits
from tournaments.planning.edits import SettingChange
from tournaments.queries.conditions import hash_password
from tournaments.services import notices
from tournaments.services.closing_calls import close_calls_of_cancelled
from tournaments.services.common import changed_on_calendar, close_event, locked_event, log_action, note_own_settings
from tournaments.services.reminders import REMINDED_BEFORE
from tournaments.services.waiting_list import admit_waiting


class EditConflict(EventError):
    """Another editor has changed the event meanwhile. changes: what they changed, () if that is not known."""

    def __init__(self, event_id: int, changes: Sequence[SettingChange] = ()) -> None:
        super().__init__("Someone else changed this tournament while you edited it. Nothing is saved yet.")
        self.event_id, self.changes = event_id, changes


class UnconfirmedEdit(EventError):
    """Entrants would play something else than they entered for; the message asks for a confirmation."""


@transaction.atomic
def save_event(
    event: Event, *, by: User | None, now: datetime, seen: Event | None = None, confirmed: str | None = None
) -> Event:
    """Stores a new event, or an edited one that has not started: logs the changes and notifies entrants.

    seen: the settings that the editor started from, None for those that are stored. confirmed: the `edit_confirmation`
    of the edited event, once its editor knows that people are entered; None if no confirmation is needed.
    :raises EditConflict: :raises UnconfirmedEdit: :raises EventError:
    """
    if event.pk is None:
        event.created_by = by
        return _store(event, ["Planned the tournament."], by=by)
    stored = locked_event(event.pk)
    if not stored.is_before_start:
        raise EventError("This tournament has started, so its settings can't change.")
    for field in (field for field in Event._meta.concrete_fields if not field.editable):  # no form is about these
        setattr(event, field.attname, getattr(stored, field.attname))
    hash_password(event)
    if seen:
        seen.password = stored.password  # no form shows it
        if meanwhile := edits.edit_changes(seen, stored):
            raise EditConflict(stored.pk, meanwhile)
    found = edits.edit_changes(stored, event)
    if not found:
        return stored
    if event.starts_at != stored.starts_at and (reason := past_start(event.starts_at, event.time_zone, now=now)):
        raise EventError(reason)
    if confirmed is not None and confirmed != edit_confirmation(event):
        _require_no_entries(stored, found)
    note_own_settings(event, *(change.field for change in found))
    _fit_entries(event)
    reopen_before_check_in(event, now)
    _store(event, [f"{change.words}." for change in found], by=by)
    notified = [change.words for change in found if change.is_notified]
    if notified:
        notices.notify_edited(event, notified)
    return event


def _store(event: Event, lines: Iterable[str], *, by: User | None) -> Event:
    event.due_at = next_step_at(event)
    hash_password(event)
    event.save()
    admit_waiting(event)  # there may be more places than before
    for line in lines:
        log_action(event, line, by=by)
    return changed_on_calendar(event)


def _fit_entries(event: Event) -> None:
    """Makes the entries pairs, or single players, as the edited event has it. :raises EventError:"""
    if event.has_pairs:
        event.entries.update(is_pair=True)
    elif event.entries.paired().exists():
        raise EventError(Event.STAYS_FOR_PAIRS)
    else:
        event.entries.update(is_pair=False, invited=None)


def edit_confirmation(event: Event) -> str:
    """What an editor confirms before changing what entrants play."""
    return f"{event.game}/{event.seats}/{event.format}"


def _require_no_entries(event: Event, found: Iterable[SettingChange]) -> None:
    """:raises UnconfirmedEdit: people have entered for another game or format."""
    count = event.entries.entered().count()
    of_kind = {change.field for change in found} & {*edits.KIND}
    if not count or not of_kind:
        return
    chosen: list[str] = [name for name in ("game", "format") if name in of_kind]
    names = chosen or ["number of seats"]
    stay = "1 entry stays" if count == 1 else f"{count} entries stay"
    raise UnconfirmedEdit(f"{stay} entered. Change the {' and the '.join(names)} anyway?")


@transaction.atomic
def cancel_event(*, event_id: int, by: User | None, why: str) -> Event:
    """Cancels an event. Games in play may be finished, but do not count for it. :raises EventError:"""
    event = locked_event(event_id)
    if not (event.is_before_start or event.is_running):
        raise EventError("This tournament is already over.")
    event.matches.filter(status=Match.Status.PROPOSED).delete()
    event.matches.filter(status__in=Match.OPEN).update(status=Match.Status.CANCELLED)
    close_calls_of_cancelled(event)
    return close_event(event, Event.Status.CANCELLED, "Cancelled the tournament.", by=by, why=why)


def reopen_before_check_in(event: Event, now: datetime) -> None:
    """Takes back what came too early for the start as it is now: an open check-in, a reminder."""
    if event.starts_at - now > REMINDED_BEFORE:
        event.reminded_at = None
    if event.status == Event.Status.CHECK_IN and (event.check_in_at is None or event.check_in_at > now):
        event.status = Event.Status.REGISTRATION
        notices.withdraw_check_in_call(event.entries.with_players(), event)


def next_step_at(event: Event) -> datetime:
    """When the step after the event's status is due."""
    if event.status == Event.Status.SCHEDULED:
        return event.registration_at
    if event.status == Event.Status.REGISTRATION and event.check_in_at:
        return event.check_in_at
    return event.starts_at
