"""Rounds: common parts of formats that pair whole rounds of the entrants who can play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from tournaments.formats.contract import Cell, Column, Entrant, How, MatchRecord, Records, Section, Side, Spot, sides_of

ROUNDS = "rounds"
BYE_TITLES: dict[How, str] = {"half-bye": "half-point bye", "zero-bye": "sits out"}
TEAM_BYE_TITLES = BYE_TITLES | {"half-bye": "bye for half the points"}


def coming_round(records: Records) -> int | None:
    """The round to pair now: the last one while an entrant has no match in it, else the one after it.

    What a director has put into a round stays, and the rest is paired around it, but not once a match of it has been
    played. An entrant who comes or returns after a round was paired and should wait for the next one therefore has a
    later `first_round`.
    """
    last = max((match.spot.round for match in records.matches), default=0)
    is_paired = not unpaired(records, last) or any(
        match.how == "played" and match.places for match in matches_of_round(records, last)
    )
    number = last + is_paired
    is_waiting = any(match.places is None and match.spot.round < number for match in records.matches)
    return None if is_waiting or records.is_closed else number


def matches_of_round(records: Records, number: int) -> list[MatchRecord]:
    """The matches of a round."""
    return [match for match in records.matches if match.spot.round == number]


def without_match(records: Records, number: int) -> list[Entrant]:
    matched = {entrant for match in matches_of_round(records, number) for entrant in match.entrants}
    return [entrant for entrant in records.entrants if entrant.id not in matched]


def unpaired(records: Records, number: int) -> list[Entrant]:
    """Who can play a round and has no match in it."""
    return [e for e in without_match(records, number) if e.can_play and e.first_round <= number]


def free_spots(records: Records, number: int) -> Iterator[Spot]:
    """Of a round, from the top table on, without end."""
    return _free_spots(records, number, first_slot=0)


def free_spots_of_byes(records: Records, number: int) -> Iterator[Spot]:
    """For byes that are given before the round is paired: behind all of its tables, which count from 1."""
    return _free_spots(records, number, first_slot=len(records.entrants))


def _free_spots(records: Records, number: int, *, first_slot: int) -> Iterator[Spot]:
    spots = (Spot(ROUNDS, number, slot) for slot in count(first_slot))
    return (spot for spot in spots if spot not in records.by_spot)


def draw_rounds(records: Records, planned: int) -> tuple[Section, ...]:
    """A column for each round, planned ones without matches included."""
    cells: dict[int, list[Cell]] = {number: [] for number in range(1, planned + 1)}
    for match in sorted(records.matches, key=lambda match: match.spot):
        cells.setdefault(match.spot.round, []).append(
            _cell(match, TEAM_BYE_TITLES if records.draw_worth else BYE_TITLES)
        )
    columns = tuple(Column(number, f"Round {number}", tuple(row)) for number, row in sorted(cells.items()))
    return (Section(ROUNDS, "Rounds", False, columns),) if columns else ()


def _cell(match: MatchRecord, bye_titles: Mapping[How, str]) -> Cell:
    if match.is_bye:
        sides = (Side(match.entrants[0]), Side(None, bye_titles.get(match.how, "bye")))
        return Cell(match.spot, f"Round {match.spot.round}", sides, is_bye=True)
    return Cell(match.spot, f"Round {match.spot.round}, table {match.spot.slot + 1}", sides_of(match))
