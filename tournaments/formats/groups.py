"""Groups, then a knock-out of the best of each.

The seeds go into the groups as a snake: 1 to n from left to right, the next n from right to left, and so on; or they
are drawn from pots (`pots`). Each group is a round robin of its own and goes on by itself. Once all are decided, the
best of each are drawn for a single elimination: winners of groups are seeded first, then those in second place, and
so on; among equals, the better result per match comes first, which is fair to groups that are smaller by one. Each
such row is drawn so that members of one group meet again as late as they can: winners and runners-up in the final
only.

An entrant who has left before the draw, or sits out then, is replaced by the next one of the group. Coming back after
the draw is too late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from string import ascii_lowercase
from typing import TypeVar

from tournaments.formats import bracket, pots, round_robin
from tournaments.formats.contract import (
    NOTHING,
    Cell,
    Column,
    Entrant,
    Format,
    MatchRecord,
    Records,
    Section,
    Side,
    Spot,
    Standing,
)
from tournaments.formats.matching import least_cost_pairs
from tournaments.formats.pots import DrawStep
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.rounds import ROUNDS
from tournaments.formats.single_elimination import MAIN, THIRD_PLACE, SingleElimination

T = TypeVar("T")
DRAWN_FIELD = {
    "label": "How groups are made",
    "choices": {
        "snake": "by seed, so that groups are equally strong",
        "pots": "drawn from pots when the tournament starts",
    },
}
WITHIN_A_GROUP = ("DE", "LOTS")  # tie-breaks that say nothing about entrants of different groups


@dataclass(frozen=True)
class Groups(Format):
    """group_size: at most, and no group is smaller by more than one than another. qualifiers: of each group.

    drawn: how the seeds go into the groups. third_place: as in `SingleElimination`. tie_breaks, leavers: as in
    `RoundRobin`.
    """

    slug = "groups"
    name = "Groups, then knock-out"
    summary = "Everyone plays everyone in small groups. The best of each group advance to a knock-out."
    needs_winner = True

    group_size: int = field(default=4, metadata={"label": "Most entries in a group", "low": 2, "high": 16})
    qualifiers: int = field(default=2, metadata={"label": "How many advance from each group", "low": 1, "high": 8})
    drawn: str = field(default="snake", metadata=DRAWN_FIELD)
    third_place: bool = field(default=False, metadata={"label": "Match for third place"})
    tie_breaks: tuple[str, ...] = field(default=round_robin.TIE_BREAKS, metadata=round_robin.TIE_BREAKS_FIELD)
    leavers: str = field(default="annul", metadata=round_robin.LEAVERS_FIELD)

    @property
    def league(self) -> RoundRobin:
        return RoundRobin(tie_breaks=self.tie_breaks, leavers=self.leavers)

    @property
    def knock_out(self) -> SingleElimination:
        return SingleElimination(self.third_place)

    def needs_winner_in(self, section: str) -> bool:
        return section in (MAIN, THIRD_PLACE)

    def rounds(self, entrants: int) -> int:
        sizes = [len(group) for group in snake(range(entrants), self.group_size)]
        through = sum(min(size, self.qualifiers) for size in sizes)
        return max(map(self.league.rounds, sizes), default=0) + self.knock_out.rounds(through)

    def group_draw(self, records: Records) -> list[DrawStep]:
        if self.drawn != "pots":
            return []
        by_seed = sorted(records.entrants, key=lambda entrant: entrant.seed)
        return [*pots.draw_steps([entrant.id for entrant in by_seed], self.group_size, records.lots)]

    def next_matches(self, records: Records) -> list[MatchRecord]:
        parts = _Parts(self, records)
        new = [_moved(match, name) for name, group in parts.groups.items() for match in self.league.next_matches(group)]
        if parts.is_drawn:
            new += [parts.with_why(match) for match in self.knock_out.next_matches(parts.main)]
        return sorted(new, key=lambda match: match.spot)

    def standings(self, records: Records) -> list[Standing]:
        """Open until the groups are decided; then others share places by their place in the group."""
        parts = _Parts(self, records)
        if not parts.is_drawn:
            return [_placed(row, None, None, parts.prospect_text(row)) for row in parts.rows()]
        through = [parts.with_group(standing) for standing in self.knock_out.standings(parts.main)]
        ids = {standing.entrant for standing in through}
        return through + parts.shared([row for row in parts.rows() if row.entrant not in ids], len(through))

    def out_of_matches(self, records: Records) -> set[int]:
        parts = _Parts(self, records)
        return {entrant for entrant in records.by_id if parts.is_through(entrant) is False}

    def draw(self, records: Records) -> tuple[Section, ...]:
        parts = _Parts(self, records)
        sections = [
            Section(
                name,
                _title(name),
                False,
                _columns(self.league.draw(group), name),
                tuple(parts.tables[name]),
                through=parts.last_through(name),
            )
            for name, group in parts.groups.items()
        ]
        return (*sections, *(map(parts.with_group_places, self.knock_out.draw(parts.main)) if parts.is_drawn else ()))

    def contradicted(self, records: Records) -> list[Spot]:
        parts = _Parts(self, records)
        matches = parts.main_matches
        if not parts.is_drawn:
            return sorted(match.spot for match in matches)
        drawn_now = self.knock_out.next_matches(parts.knock_out(parts.qualified(), ()))
        first = {match.spot: set(match.entrants) for match in drawn_now}
        wrong = [m.spot for m in matches if m.spot.round == 1 and set(m.entrants) != first.get(m.spot)]
        kept = [match for match in matches if match.spot not in wrong]
        return sorted(wrong) + self.knock_out.contradicted(replace(parts.main, matches=kept))

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        parts, found = _Parts(self, records), []
        for name, group in parts.groups.items():
            own = [_moved(match, ROUNDS) for match in proposed if match.spot.section == name]
            found += self.league.objections(group, own)
        drawn = [match for match in proposed if _is_main(match)]
        return found + (self.knock_out.objections(parts.main, drawn) if drawn else [])


class _Parts:
    """The groups, by their sections, and the knock-out, each as records of its own.

    Entrants in the draw still count as members of their groups, whatever they have done since.
    """

    def __init__(self, plan: Groups, records: Records) -> None:
        self.plan, self.records = plan, records
        self.main_matches = [match for match in records.matches if _is_main(match)]
        self.in_draw = {entrant for match in self.main_matches for entrant in match.entrants}
        members = {_section_of(index): group for index, group in enumerate(_members(plan, records))}
        self.groups = {name: self._group(name, group) for name, group in members.items()}
        self.tables = {name: plan.league.standings(group) for name, group in self.groups.items()}
        self.group_of = {row.entrant: name for name, table in self.tables.items() for row in table}
        self.place = {row.entrant: place for table in self.tables.values() for place, row in enumerate(table, start=1)}
        self.row = {row.entrant: row for table in self.tables.values() for row in table}
        self.is_drawn = all(plan.league.is_over(group) for group in self.groups.values())

    def _group(self, name: str, members: Sequence[Entrant]) -> Records:
        entrants = [
            replace(entrant, seed=seed, is_active=True, sits_out=False)
            if entrant.id in self.in_draw
            else replace(entrant, seed=seed)
            for seed, entrant in enumerate(members, start=1)
        ]
        matches = [_moved(match, ROUNDS) for match in self.records.matches if match.spot.section == name]
        return replace(self.records, entrants=entrants, matches=matches)

    @property
    def main(self) -> Records:
        """The knock-out. Entrants in one of its matches stay in it; `contradicted` says who should not be."""
        return self.knock_out(self.qualified(self.in_draw), self.main_matches)

    def knock_out(self, by_seed: Sequence[int], matches: Sequence[MatchRecord]) -> Records:
        entrants = [replace(self.records.by_id[id], seed=seed) for seed, id in enumerate(by_seed, start=1)]
        return replace(self.records, entrants=entrants, matches=matches)

    def qualified(self, first: Collection[int] = ()) -> list[int]:
        """The qualifiers, by seeds for the knock-out. first: go before all others of their group."""
        rows: list[list[int]] = [[] for _ in range(self.plan.qualifiers)]
        for name, table in self.tables.items():
            staying = [row.entrant for row in table if self.groups[name].by_id[row.entrant].can_play]
            best = sorted(staying, key=lambda entrant: entrant not in first)[: self.plan.qualifiers]
            for row, entrant in zip(rows, sorted(best, key=staying.index), strict=False):
                row.append(entrant)
        return cross_seeded([sorted(row, key=self.merit) for row in rows], self.group_of)

    def merit(self, entrant: int) -> tuple[Fraction, ...]:
        """Less is better: points, then figures, each for a match; then the seed."""
        row = self.row[entrant]
        matches = max(row.wins + row.draws + row.losses, 1)
        figures = [figure.value for figure in row.figures if figure.code not in WITHIN_A_GROUP]
        values = [-value / matches for value in (row.points or NOTHING, *figures)]
        return *values, Fraction(self.records.by_id[entrant].seed)

    def rows(self) -> list[Standing]:
        """All winners of groups, then all in second place, and so on."""
        return sorted(self.row.values(), key=lambda row: (self.place[row.entrant], *self.merit(row.entrant)))

    def shared(self, rows: Sequence[Standing], better: int) -> list[Standing]:
        """Places behind so many better ones, shared by all with the same place in their groups."""
        sharing = Counter(self.place[row.entrant] for row in rows)
        found = []
        for row in rows:
            own = self.place[row.entrant]
            ahead = better + sum(number for place, number in sharing.items() if place < own)
            found.append(_placed(row, ahead + 1, ahead + sharing[own], self.place_text(row)))
        return found

    def with_group(self, standing: Standing) -> Standing:
        """A standing of the knock-out, with the matches of the group."""
        row = self.row[standing.entrant]
        return replace(standing, wins=standing.wins + row.wins, draws=row.draws, losses=standing.losses + row.losses)

    def with_why(self, match: MatchRecord) -> MatchRecord:
        """The first matches of the knock-out follow from the groups."""
        if match.spot.section != MAIN or match.spot.round > 1:
            return match
        rows = [self.row[entrant] for entrant in match.entrants]
        return replace(match, why=", ".join(f"@{row.entrant} was {self.place_text(row)}" for row in rows))

    def with_group_places(self, section: Section) -> Section:
        """The knock-out is drawn by places in the groups, which its sides show instead of the seeds."""

        def side_from_group(side: Side) -> Side:
            if side.entrant is None:
                return side
            return replace(side, came_from=f"{_letter(self.group_of[side.entrant])}{self.place[side.entrant]}")

        columns = [
            replace(column, cells=tuple(replace(c, sides=tuple(map(side_from_group, c.sides))) for c in column.cells))
            for column in section.columns
        ]
        return replace(section, columns=tuple(columns))

    def is_through(self, entrant: int) -> bool | None:
        """Whether an entrant advances, as those who are there now; None while the group is in play."""
        if not self.plan.league.is_over(self.groups[self.group_of[entrant]]):
            return None
        return entrant in self._qualified

    def last_through(self, name: str) -> int:
        """The last place of a group that advances."""
        return max((self.place[entrant] for entrant in self._qualified if self.group_of[entrant] == name), default=0)

    @cached_property
    def _qualified(self) -> set[int]:
        return set(self.qualified(self.in_draw))

    def prospect_text(self, row: Standing) -> str:
        """Before the knock-out is drawn."""
        is_through = self.is_through(row.entrant)
        if is_through is None:
            return f"{self.place_text(row)} so far"
        return f"{self.place_text(row)}, {'through to' if is_through else 'not in'} the knock-out"

    def place_text(self, row: Standing) -> str:
        return f"number {self.place[row.entrant]} of {_title(self.group_of[row.entrant])}"


def _members(plan: Groups, records: Records) -> list[list[Entrant]]:
    """The entrants of each group, its seeds first."""
    by_seed = sorted(records.entrants, key=lambda entrant: entrant.seed)
    if plan.drawn != "pots":
        return snake(by_seed, plan.group_size)
    members: list[list[Entrant]] = [[] for _ in range(pots.number_of_groups(len(by_seed), plan.group_size))]
    for step in plan.group_draw(records):
        members[step.group].append(records.by_id[step.entrant])
    return members


def snake(seeds: Sequence[T], size: int) -> list[list[T]]:
    """Groups of at most that size, filled from left to right, then from right to left, and so on."""
    number = pots.number_of_groups(len(seeds), size)
    groups: list[list[T]] = [[] for _ in range(number)]
    for index, seed in enumerate(seeds):
        row, column = divmod(index, number)
        groups[number - 1 - column if row % 2 else column].append(seed)
    return groups


def cross_seeded(rows: Sequence[Sequence[int]], group_of: Mapping[int, str]) -> list[int]:
    """Entrants by their seeds in a knock-out, where members of one group meet as late as possible.

    rows: winners of groups, those in second place and so on, each in the order of merit. One row after the other takes
    its seeds: those that keep members of a group apart, and of these the ones nearest to its order.
    """
    order = bracket.seed_order(2 ** bracket.rounds_of(sum(map(len, rows))))
    place = {seed: index for index, seed in enumerate(order)}
    seeded: list[int] = []
    for row in rows:
        seeds = range(len(seeded) + 1, len(seeded) + len(row) + 1)
        mates = [[s for s, other in enumerate(seeded, start=1) if group_of[other] == group_of[who]] for who in row]
        weight = len(row) ** 3 + 1  # more than all squares below together
        costs = [
            [_clash(place, seed, mates[index]) * weight + (index - to) ** 2 for to, seed in enumerate(seeds)]
            for index in range(len(row))
        ]
        seeded += [row[index] for index in _assigned(costs)]
    return seeded


def _clash(place: Mapping[int, int], seed: int, mates: Sequence[int]) -> int:
    """How soon a seed meets others: one meeting a round earlier weighs more than seven."""
    last = len(place).bit_length()
    return sum(8 ** (last - (place[seed] ^ place[mate]).bit_length()) for mate in mates)


def _assigned(costs: Sequence[Sequence[int]]) -> list[int]:
    """The row for each column, so that the costs together are least. costs: a square."""
    size, never = len(costs), [sum(map(max, costs)) + 1] * len(costs)
    columns = [list(column) for column in zip(*costs, strict=True)]
    pairs = least_cost_pairs([[*never, *row] for row in costs] + [[*column, *never] for column in columns])
    return pairs[size:]


def _placed(row: Standing, place: int | None, last_place: int | None, reason: str) -> Standing:
    """In the whole event, where points of different groups say nothing."""
    return replace(row, place=place, last_place=last_place, reason=reason, points=None, figures=())


def _is_main(match: MatchRecord) -> bool:
    return match.spot.section in (MAIN, THIRD_PLACE)


def _moved(match: MatchRecord, section: str) -> MatchRecord:
    return replace(match, spot=replace(match.spot, section=section))


def _columns(draw: Sequence[Section], name: str) -> tuple[Column, ...]:
    """Of the draw of one group, as a section of that name: "Group A, round 1, table 2"."""

    def of_group(cell: Cell) -> Cell:
        title = f"{_title(name)}, {cell.title[:1].lower()}{cell.title[1:]}"
        return replace(cell, spot=replace(cell.spot, section=name), title=title)

    return tuple(
        replace(column, cells=tuple(map(of_group, column.cells))) for section in draw for column in section.columns
    )


def _section_of(index: int) -> str:
    """ "group-a", ..., "group-z", "group-aa", "group-bb", ..."""
    return f"group-{ascii_lowercase[index % 26] * (index // 26 + 1)}"


def group_title(index: int) -> str:
    return _title(_section_of(index))


def _title(name: str) -> str:
    return f"Group {_letter(name)}"


def _letter(name: str) -> str:
    return name.removeprefix("group-").upper()
