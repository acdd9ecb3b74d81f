"""Undo records: how to undo a director's action, and the state it left.

An undo is right only while what the action left is still there. The log keeps that state with the action, and
`services.undoing` compares it with the present one.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Max

from tournaments.models import Entry, Event, Match


def undo_record(event: Event, verb: str, **arguments: Any) -> dict[str, Any]:
    """The service that undoes an action (a key of `UNDO_STATES`), its arguments, and the state the action left."""
    return {"verb": verb, **arguments, "left": undo_state(event, verb, arguments)}


def undo_record_of_entry(entry: Entry) -> dict[str, Any]:
    """The record of a new entry, without a query unless it is a team: many are made at once."""
    return {"verb": "take_back_entry", "entry_id": entry.pk, "left": _entry_state(entry)}


def undo_state(event: Event, verb: str, arguments: Mapping[str, Any]) -> Any:
    """The present state of what this undo would change, as JSON. :raises ObjectDoesNotExist: it is gone."""
    return UNDO_STATES[verb](event, arguments)


def last_public_round(event: Event) -> int:
    return int(event.matches.published().aggregate(last=Max("round__number"))["last"] or 0)


def proposed_pairings(event: Event, matches: Mapping[str, Any]) -> dict[str, Any]:
    """By match: its entries by side, and who arranged it. Without those that are published, or gone."""
    rows = event.matches.filter(pk__in=matches, status=Match.Status.PROPOSED).prefetch_related("sides")
    return {
        str(row.pk): [[side.entry_id for side in row.sides.all()], row.is_fixed, row.why_paired]
        for row in rows.order_by("pk")
    }


def _players(entry: Entry) -> list[int | None]:
    return [entry.user_id, entry.partner_id]


def _of_pair(event: Event, arguments: Mapping[str, Any]) -> bool:
    return event.forbidden_pairs.filter(first=arguments["first"], second=arguments["second"]).exists()


def _of_match_by_hand(event: Event, arguments: Mapping[str, Any]) -> Any:
    match = event.matches.get(pk=arguments["match_id"])
    return [match.status, list(match.sides.values_list("entry", flat=True))]


def _of_result(event: Event, arguments: Mapping[str, Any]) -> Any:
    match = event.matches.get(pk=arguments["match_id"])
    sides = list(match.sides.values_list("entry", "place", "games_won", "points"))
    return [match.status, match.decided_by, match.reason, [list(side) for side in sides]]


def _of_check_in(event: Event, arguments: Mapping[str, Any]) -> Any:
    entry = event.entries.get(pk=arguments["entry_id"])
    return [_players(entry), entry.is_in, entry.is_here]


def _of_entry(event: Event, arguments: Mapping[str, Any]) -> Any:
    return _entry_state(event.entries.get(pk=arguments["entry_id"]))


def _entry_state(entry: Entry) -> list[Any]:
    members = list(entry.members.filter(has_accepted=True).values_list("user", flat=True)) if entry.team_name else []
    return [_players(entry), entry.is_in, *members]


def _of_removal(event: Event, arguments: Mapping[str, Any]) -> Any:
    entry = event.entries.get(pk=arguments["entry_id"])
    missed = last_public_round(event) if event.plan.pairs_around else 0
    return [_players(entry), entry.status, missed]


def _of_substitution(event: Event, arguments: Mapping[str, Any]) -> Any:
    """With the matches that the substitute has come to since."""
    entry = event.entries.get(pk=arguments["entry_id"])
    matches = event.matches.published().filter(sides__entry=entry)
    return [_players(entry), matches.count(), matches.filter(status=Match.Status.FINISHED).count()]


def _of_seeds(event: Event, _: Mapping[str, Any]) -> Any:
    wanted = event.entries.exclude(wanted_seed=None).order_by("pk").values_list("pk", "wanted_seed")
    return [event.seeding, [list(row) for row in wanted]]


def _of_time(event: Event, arguments: Mapping[str, Any]) -> Any:
    at = {"the start": event.starts_at, "the end": event.ends_at, "the next round": event.next_round_at}
    found = at[arguments["what"]]
    return found and found.isoformat()


def _of_role(event: Event, arguments: Mapping[str, Any]) -> Any:
    return event.roles.filter(user=arguments["user_id"]).values_list("role", flat=True).first()


UNDO_STATES: dict[str, Callable[[Event, Mapping[str, Any]], Any]] = {
    "allow": _of_pair,
    "check_in_entry": _of_check_in,
    "check_out_entry": _of_check_in,
    "close_entries": lambda event, _: event.is_closed,
    "correct": _of_result,
    "drop_role": _of_role,
    "forbid": _of_pair,
    "hold_rounds": lambda event, _: event.publishes_by_hand,
    "let_rounds_go": lambda event, _: event.publishes_by_hand,
    "loosen": _of_match_by_hand,
    "name_role": _of_role,
    "open_entries": lambda event, _: event.is_closed,
    "put_pairings_back": lambda event, arguments: proposed_pairings(event, arguments["before"]),
    "put_seeds_back": _of_seeds,
    "reschedule_opening": lambda event, _: [event.status, event.is_closed],
    "seed_by": _of_seeds,
    "shift": _of_time,
    "substitute": _of_substitution,
    "take_back_entry": _of_entry,
    "take_back_removal": _of_removal,
    "take_down": lambda event, arguments: event.announcements.shown().get(pk=arguments["announcement_id"]).pk,
}
