"""Pairing by hand: directors swap entries, give byes, make matches and forbid pairs before a round is published.

What they arrange stays (`Match.is_fixed`), and the rest of the round is paired around it. No director arranges a match
of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.formats import contract, rounds
from tournaments.models import Entry, Event, ForbiddenPair, Match, MatchSide
from tournaments.queries import records
from tournaments.services.common import event_changed, locked_event, log_action, note_own_settings, require_neutral
from tournaments.services.matches import with_games
from tournaments.services.rounds import advance_event, create_matches
from tournaments.services.undo_records import last_public_round, proposed_pairings, undo_record

BYE_KINDS: dict[contract.How, str] = {
    "bye": "a bye (full points)",
    "half-bye": "a bye (half points)",
    "zero-bye": "a bye (no points)",
}

# Publishing by hand


@transaction.atomic
def hold_rounds(*, event_id: int, by: User, why: str = "") -> Event:
    """From the next round on, rounds wait until a director publishes them. :raises EventError:"""
    return _set_publishing(event_id, True, "Rounds are now published by a director.", by, why, undo="let_rounds_go")


@transaction.atomic
def let_rounds_go(*, event_id: int, by: User, why: str = "") -> Event:
    """From the next round on, matches start by themselves. :raises EventError:"""
    return _set_publishing(event_id, False, "Rounds are now published automatically.", by, why, undo="hold_rounds")


def _set_publishing(event_id: int, by_hand: bool, what: str, by: User, why: str, *, undo: str) -> Event:
    event = locked_event(event_id)
    if event.finished_at or event.publishes_by_hand == by_hand or not event.has_rounds:
        raise EventError("There is nothing to change.")
    event.publishes_by_hand = by_hand
    note_own_settings(event, "publishes_by_hand")
    event.save(update_fields=["publishes_by_hand", "own_settings"])
    log_action(event, what, by=by, why=why, undo=undo_record(event, undo, event_id=event.pk))
    if event.is_running:
        advance_event(event)
    return event_changed(event)


# Swaps


@transaction.atomic
def swap_entries(*, event_id: int, first: int, second: int, by: User, why: str = "") -> None:
    """Swaps two entries between two matches or, where pairings fix the seats, within one.

    first, second: entries in matches of one round that is not published yet. :raises EventError:
    """
    event = locked_event(event_id)
    rows = [row for row in _round_of(event, first, second) if {first, second} & _entrants(row)]
    if len(rows) == 1 and not event.plan.seats_in_order:
        raise EventError("They already play each other, and their seats are drawn at random.")
    entries = {side.entry_id: side.entry for row in rows for side in row.sides.all()}
    require_neutral(by, entries.values(), "change this pairing")
    before = proposed_pairings(event, {str(row.pk): row for row in rows})
    arranged = f"a director swapped @{first} and @{second}"
    for row in rows:
        _seat(row, [_swapped(side.entry_id, first, second) for side in row.sides.all()], True, arranged)
    undo = undo_record(event, "put_pairings_back", event_id=event.pk, before=before)
    names = f"{entries[first].name} and {entries[second].name}"
    log_action(event, f"Swapped {names} in round {rows[0].round.number}.", by=by, why=why, undo=undo)
    event_changed(event)


@transaction.atomic
def put_pairings_back(*, event_id: int, before: Mapping[str, Any], by: User, why: str = "") -> None:
    """Undoes `swap_entries`. before: from `undo_records.proposed_pairings`, all still unpublished."""
    event = locked_event(event_id)
    rows = list(with_games(event.matches.filter(pk__in=before)))
    sides = [(side, before[str(row.pk)][0][side.number]) for row in rows for side in row.sides.all()]
    moved = [side.entry for side, entry_id in sides if side.entry_id != entry_id]
    now = proposed_pairings(event, before)
    for row in rows:
        _seat(row, *before[str(row.pk)])
    names = " and ".join(sorted(entry.name for entry in moved))
    undo = undo_record(event, "put_pairings_back", event_id=event.pk, before=now)
    log_action(event, f"Put {names} back in round {rows[0].round.number}.", by=by, why=why, undo=undo)
    event_changed(event)


def _seat(match: Match, entries: Sequence[int], is_fixed: bool, why_paired: str) -> None:
    """Gives a match these entries, by side."""
    match.sides.all().delete()  # an entry cannot be in a match twice, not even for a moment
    MatchSide.objects.bulk_create(
        MatchSide(match=match, number=number, entry_id=entry) for number, entry in enumerate(entries)
    )
    match.is_fixed, match.why_paired = is_fixed, why_paired
    match.save(update_fields=["is_fixed", "why_paired"])


def _round_of(event: Event, first: int, second: int) -> list[Match]:
    """All proposed matches of the round in which both entries have one. :raises EventError:"""
    proposed = with_games(event.matches.filter(status=Match.Status.PROPOSED))
    found = proposed.filter(sides__entry__in=(first, second)).values_list("sides__entry", "round")
    of_round = {entry: number for entry, number in found if entry in (first, second)}
    if first == second or len(set(of_round.values())) != 1 or len(of_round) != 2:
        raise EventError("Choose two entries with matches in the same unpublished round.")
    return list(proposed.filter(round=of_round[first]))


def _swapped(entrant: int, first: int, second: int) -> int:
    return {first: second, second: first}.get(entrant, entrant)


def _entrants(match: Match) -> set[int]:
    return {side.entry_id for side in match.sides.all()}


# Byes and matches by hand


@transaction.atomic
def arrange_match(
    *, event_id: int, entries: Sequence[int], by: User, how: contract.How = "bye", why: str = ""
) -> Match:
    """Puts a match of these entries, in seat order, or a bye of one, into the coming round. :raises EventError:

    how: the kind of bye, see `BYE_KINDS`. The rest of the round, except what a director has arranged, is paired again.
    """
    event = locked_event(event_id)
    known = records.records_of(event)
    pairing = arranged_match(event, known, entries, how=how)
    chosen = {entry.pk: entry for entry in event.entries.with_players().filter(pk__in=entries)}
    require_neutral(by, chosen.values(), "arrange this match")
    number = pairing.spot.round
    ours = _proposed(event, number)
    ours.exclude(is_fixed=True).delete()
    ours.filter(pk__in=[row.pk for row in ours.filter(sides__entry__in=entries)]).delete()
    free_spots = rounds.free_spots_of_byes if pairing.is_bye else rounds.free_spots
    spot = next(free_spots(records.records_of(event), number))
    create_matches(event, [replace(pairing, spot=spot)], is_fixed=True)
    match = event.matches.get(round__number=number, round__section=spot.section, slot=spot.slot)
    undo = undo_record(event, "loosen", match_id=match.pk)
    names = " and ".join(chosen[pk].name for pk in entries)
    what = f"{names} gets {BYE_KINDS[how]}" if pairing.is_bye else f"{names} were paired manually"
    log_action(event, f"{what} in round {number}.", by=by, why=why, undo=undo)
    advance_event(event)
    event_changed(event)
    return match


def arranged_match(
    event: Event, known: contract.Records, entries: Sequence[int], *, how: contract.How
) -> contract.MatchRecord:
    """The match that `arrange_match` would make. :raises EventError: it is not possible."""
    if not event.plan.pairs_around or not event.publishes_by_hand or not event.is_running:
        raise EventError("You can only arrange matches in Swiss and pods, and only if a director publishes the rounds.")
    if len(entries) != 1 and len(entries) not in event.plan.sides:
        sizes = " or ".join(map(str, event.plan.sides))
        raise EventError(f"A match has {sizes} sides here.")
    if any(pk not in known.by_id or not known.by_id[pk].is_active for pk in entries):
        raise EventError("One of these players has left the tournament.")
    if any(known.by_id[pk].sits_out for pk in entries):
        raise EventError("One of these players sits out. Check them in first.")
    number = unpublished_round(event)
    spot = contract.Spot(rounds.ROUNDS, number, 0)
    is_bye = len(entries) == 1
    why = f"a director gave {BYE_KINDS[how]}" if is_bye else "paired by a director"
    return contract.MatchRecord(spot, tuple(entries), how=how if is_bye else "played", why=why)


def unpublished_round(event: Event) -> int:
    """The number of the round that is not published yet."""
    return last_public_round(event) + 1


@transaction.atomic
def undo_arrangement(*, match_id: int, by: User, why: str = "") -> None:
    """Undoes `arrange_match`, and pairs the round again."""
    event = locked_event(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    match = with_games(event.matches.all()).get(pk=match_id)
    log_action(event, f"{match} is no longer arranged manually.", by=by, why=why)
    number = match.round.number
    match.delete()
    _proposed(event, number).exclude(is_fixed=True).delete()
    advance_event(event)
    event_changed(event)


def _proposed(event: Event, number: int) -> QuerySet[Match]:
    return event.matches.filter(status=Match.Status.PROPOSED, round__section=rounds.ROUNDS, round__number=number)


# Who is not to meet


@transaction.atomic
def forbid_pair(*, event_id: int, first: int, second: int, by: User, why: str = "") -> None:
    """Forbids two entries to meet in matches paired from now on. :raises EventError:"""
    event = locked_event(event_id)
    one, other = _two_entries(event, first, second)
    require_neutral(by, (one, other), "decide who you play")
    _, is_new = ForbiddenPair.objects.get_or_create(event=event, first=one, second=other)
    if not is_new:
        raise EventError("This pairing is already forbidden.")
    undo = undo_record(event, "allow", event_id=event.pk, first=one.pk, second=other.pk)
    log_action(event, f"{one.name} and {other.name} may no longer be paired.", by=by, why=why, undo=undo)
    event_changed(event)


@transaction.atomic
def allow_pair(*, event_id: int, first: int, second: int, by: User, why: str = "") -> None:
    """Undoes `forbid_pair`. :raises EventError:"""
    event = locked_event(event_id)
    one, other = _two_entries(event, first, second)
    require_neutral(by, (one, other), "decide who you play")
    if not ForbiddenPair.objects.filter(event=event, first=one, second=other).delete()[0]:
        raise EventError("This pairing is already allowed.")
    undo = undo_record(event, "forbid", event_id=event.pk, first=one.pk, second=other.pk)
    log_action(event, f"{one.name} and {other.name} may be paired again.", by=by, why=why, undo=undo)
    event_changed(event)


def _two_entries(event: Event, first: int, second: int) -> tuple[Entry, Entry]:
    """The two in a fixed order, so that a pair is stored once."""
    found = list(event.entries.with_players().filter(pk__in=(first, second)).order_by("pk"))
    if len(found) != 2:
        raise EventError("Choose two entries.")
    return found[0], found[1]


# Which rules are bent


def bent_by_swap(event: Event, first: int, second: int) -> list[str]:
    """The rules that a swap would bend and the present pairing does not. Names as in `Standing.reason`."""
    known = records.records_of(event)
    before = [known.by_spot[records.spot_of(row)] for row in _round_of(event, first, second)]
    after = [
        replace(match, entrants=tuple(_swapped(entrant, first, second) for entrant in match.entrants))
        for match in before
    ]
    base = _without(known, before)
    old = event.plan.objections(base, before)
    return [text for text in event.plan.objections(base, after) if text not in old]


def bent_by_arranging(event: Event, entries: Sequence[int], *, how: contract.How) -> list[str]:
    """The rules that a match or bye by hand would bend."""
    known = records.records_of(event)
    pairing = arranged_match(event, known, entries, how=how)
    base = _without(known, [match for match in known.matches if match.spot.round == pairing.spot.round])
    return event.plan.objections(base, [pairing])


def _without(known: contract.Records, matches: Iterable[contract.MatchRecord]) -> contract.Records:
    left_out = {match.spot for match in matches}
    return replace(known, matches=[match for match in known.matches if match.spot not in left_out])
