"""Undo: reverts a director's action from the log, while what the action left is still there."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event, EventLog
from tournaments.models.match import MatchQuerySet
from tournaments.services import adjudicating, arranging, directing, undo_records
from tournaments.services.common import locked_event, require_neutral
from tournaments.services.entries import can_be_joined

UNDO_SERVICES: dict[str, Callable[..., object]] = {  # the keys are stored with the log
    "allow": arranging.allow_pair,
    "check_in_entry": directing.check_in_entry,
    "check_out_entry": directing.check_out_entry,
    "close_entries": directing.close_entries,
    "correct": adjudicating.correct_result,
    "drop_role": directing.drop_role,
    "forbid": arranging.forbid_pair,
    "hold_rounds": arranging.hold_rounds,
    "let_rounds_go": arranging.let_rounds_go,
    "loosen": arranging.undo_arrangement,
    "name_role": directing.name_role,
    "open_entries": directing.open_entries,
    "put_pairings_back": arranging.put_pairings_back,
    "put_seeds_back": directing.put_seeds_back,
    "reschedule_opening": directing.reschedule_opening,
    "seed_by": directing.seed_by,
    "shift": directing.shift_time,
    "substitute": directing.substitute,
    "take_back_entry": directing.take_back_entry,
    "take_back_removal": directing.take_back_removal,
    "take_down": directing.remove_announcement,
}

CHANGED_SINCE = {
    "substitute": "The entry has changed players or started another match since.",
    "take_back_removal": "The entry is back, or has missed a round since.",
}


def undo_objection(line: EventLog, event: Event, by: User) -> str:
    """Why this user cannot undo a logged action now; "" if they can."""
    try:
        _check(line, event, by)
    except EventError as error:
        return str(error)
    return ""


@transaction.atomic
def undo_action(*, line_id: int, by: User) -> EventLog:
    """Undoes a logged action, which is logged, too. :raises EventError: something has followed."""
    event = locked_event(EventLog.objects.values_list("event_id", flat=True).get(pk=line_id))
    line = EventLog.objects.get(pk=line_id)
    _check(line, event, by)
    record = line.undo
    assert record is not None, "checked above"
    arguments = {name: value for name, value in record.items() if name not in ("verb", "left")}
    UNDO_SERVICES[record["verb"]](**arguments, by=by, why=f"Undone: {line.what}")
    line.undone_at = timezone.now()
    line.save(update_fields=["undone_at"])
    return line


def _check(line: EventLog, event: Event, by: User) -> None:
    """:raises EventError: why the action cannot be undone."""
    record = line.undo
    if record is None or line.undone_at:
        raise EventError("This has already been undone." if line.undone_at else "This can't be undone.")
    if "left" not in record:
        raise EventError("This is too old to be undone.")
    try:
        _require_time(event, record)
        if undo_records.undo_state(event, record["verb"], record) != record["left"]:
            raise EventError(CHANGED_SINCE.get(record["verb"], "This has changed since, so it can't be undone."))
        _require_free_way(event, record, by)
        require_neutral(by, _entries_of(event, record), "undo this")
    except ObjectDoesNotExist as error:
        raise EventError("What this was about no longer exists.") from error


def _require_time(event: Event, record: Mapping[str, Any]) -> None:
    """:raises EventError: the event has gone too far for it."""
    is_over = not (event.is_before_start or event.is_running)
    match record["verb"]:
        case "check_in_entry" | "check_out_entry" if not event.is_before_start:
            raise EventError("Check-in is over for this entry.")
        case "seed_by" | "put_seeds_back" if not event.is_before_start:
            raise EventError("This tournament has started, so its seeds can't change.")
        case "take_back_entry" if not event.is_before_start:
            raise EventError("The tournament has started. You can disqualify the entry instead.")
        case "open_entries" if not (event.is_before_start or can_be_joined(event)):
            raise EventError("It's too late to enter.")
        case "shift":
            directing.shifted_moment(event, record["minutes"], what=record["what"], now=timezone.now())
        case "loosen" | "put_pairings_back" if _paired(event, record).published().exists():
            raise EventError("The round has been published since.")
        case "hold_rounds" | "let_rounds_go" if not event.has_rounds:
            raise EventError("This format has no rounds.")
        case "correct" if not (event.is_running or event.is_finished):
            raise EventError("This tournament isn't running.")
        case (
            "allow" | "forbid" | "hold_rounds" | "let_rounds_go" | "close_entries" | "substitute" | "take_back_removal"
        ) if is_over:
            raise EventError("The tournament is over.")


def _require_free_way(event: Event, record: Mapping[str, Any], by: User) -> None:
    """:raises EventError: nothing has changed, but something else is in the way."""
    match record["verb"]:
        case "reschedule_opening" if event.registration_at <= timezone.now():
            raise EventError("Entries would be open by now. Close them instead.")
        case "take_back_removal":
            directing.require_nothing_forfeited(event, record["entry_id"], since=record["since"])
        case "substitute":
            entry = event.entries.with_players().get(pk=record["entry_id"])
            out, to = User.objects.get(pk=record["out_id"]), User.objects.get(pk=record["to_id"])
            directing.require_substitute(event, entry, out, to, by=by)
        case "name_role":
            directing.require_account(User.objects.get(pk=record["user_id"]))
        case "correct":
            decided = event.matches.select_related("event", "round").get(pk=record["match_id"])
            before = {name: record[name] for name in ("places", "decided_by", "score")}
            if adjudicating.consequences(event, decided, **before).begun:
                raise EventError("A match that depends on this result has started. Correct the result instead.")


def _entries_of(event: Event, record: Mapping[str, Any]) -> QuerySet[Entry]:
    """The entries that the undo affects: no director undoes in a matter of their own."""
    entries = event.entries.with_players()
    match record["verb"]:
        case "allow" | "forbid":
            return entries.filter(pk__in=(record["first"], record["second"]))
        case "correct" | "loosen" | "put_pairings_back":
            return entries.filter(sides__match__in=_paired(event, record))
        case "put_seeds_back":
            return entries.present()
    return entries.none()


def _paired(event: Event, record: Mapping[str, Any]) -> MatchQuerySet:
    """The matches that it is about."""
    return event.matches.filter(pk__in=record["before"] if "before" in record else [record["match_id"]])
