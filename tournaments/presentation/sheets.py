"""Sheets of paper and the projector of a club evening: pairings, score slips, entries, wall chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.formats import contract
from tournaments.models import Entry, Event
from tournaments.presentation.draw import EventDraw, draw_of
from tournaments.presentation.match_box import MatchBox, result_sign
from tournaments.presentation.page import DEFAULT_QUERY, EventPage
from tournaments.presentation.standings import StandingRow

SHEETS = {
    "pairings": "Pairings",
    "slips": "Score slips",
    "entries": "Entry list",
    "wall-chart": "Wall chart",
}
PROJECTED_STANDINGS = 100


@dataclass(frozen=True, slots=True)
class TableOfPlayer:
    """Where a player sits: one line of the list by names. table: "table 2", "Semi-final 1", or the kind of a bye."""

    name: str
    table: str


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """A slip for a table. table: such as "round 1, table 2" or "Semi-final 1". board: of a team match, None elsewhere.

    names: by side, with the team at a board.
    """

    table: str
    board: int | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WallChartRow:
    """An entry with its result in each round: "7 1" is a win against seed 7, "bye ½", "–" for nothing."""

    row: StandingRow
    cells: tuple[str, ...]


class EventSheets:
    """What the sheets of an event show.

    number: the round. By default those in play, since groups needn't be in the same one, and a knock-out after groups
    counts from 1 again; without any the last ones.
    """

    def __init__(self, event: Event, number: int | None = None) -> None:
        self.event = event
        self.draw: EventDraw = draw_of(event)
        self._shows_current = number is None
        self.number = self.newest_round if number is None else number

    @property
    def only_round(self) -> int | None:
        """The round of all tables that are shown; None if they are of several, or of none."""
        rounds = {box.round for box in self.boxes}
        return rounds.pop() if self.event.has_rounds and len(rounds) == 1 else None

    @cached_property
    def page(self) -> EventPage:
        return EventPage(self.event, DEFAULT_QUERY)

    @cached_property
    def numbers(self) -> list[int]:
        """The rounds that are published."""
        return sorted({match.spot.round for match in self.draw.known.matches})

    @property
    def newest_round(self) -> int:
        return self.numbers[-1] if self.numbers else 0

    @cached_property
    def boxes(self) -> list[MatchBox]:
        """The matches of the round, by tables, byes last; of an arena those in play."""
        if not self.event.has_rounds:
            return sorted(self.draw.live, key=lambda box: self._arena_numbers[box.paired.pk])
        every, current = self.draw.every_match, self._current_rounds
        found = [box for box in every if ((box.section, box.round) in current if current else box.round == self.number)]
        return sorted(found, key=lambda box: (box.is_bye, box.section, box.round, box.paired.slot))

    @property
    def _current_rounds(self) -> set[tuple[str, int]]:
        """Those in play, else the last ones, such as final and match for third place; none for a chosen round."""
        if not self._shows_current:
            return set()
        in_play = {(box.section, box.round) for box in self.draw.every_match if box.is_open}
        paired = [section for section in self.draw.sections if section.now.is_paired]
        last = [section for section in paired if section.now.round == paired[-1].now.round]
        return in_play or {(one.id, one.now.round) for one in last if bool(one.crosstable) == bool(last[-1].crosstable)}

    @cached_property
    def _numbers_are_enough(self) -> bool:
        """Whether one round numbers all tables. Each of a group or draw counts for itself; an arena counts matches."""
        return not self.event.has_rounds or len({(box.section, box.round) for box in self.boxes}) < 2

    @property
    def pairings(self) -> list[tuple[str, MatchBox]]:
        """The name of each table with its match, such as "2" or "Semi-final 1"; "" for a bye."""
        return [("" if box.is_bye else self._table_name(box, "{}"), box) for box in self.boxes]

    def _table_name(self, box: MatchBox, numbered: str) -> str:
        """Unique among those that are shown. numbered: for a number, where it is enough."""
        if not self._numbers_are_enough:
            return box.title
        return numbered.format(box.paired.slot + 1 if self.event.has_rounds else self._arena_numbers[box.paired.pk])

    @cached_property
    def _arena_numbers(self) -> dict[int, int]:
        """The matches of an arena in the order in which they were paired."""
        return {box.paired.pk: number for number, box in enumerate(self.draw.every_match, start=1)}

    @property
    def tables_by_name(self) -> list[TableOfPlayer]:
        """The same by names, so that players find their table in a large field; of two tables the one in play.

        Of a match between teams also the players, with their boards.
        """
        found: dict[int | str, TableOfPlayer] = {}
        for box in sorted(self.boxes, key=lambda box: box.is_open):
            for board in box.boards:
                for side in board.sides:
                    table = f"{self._table_name(box, 'table {}')}, board {board.number}"
                    found[side.name] = TableOfPlayer(side.name, table)
            for line in box.lines:
                if line.entry:
                    others = ", ".join(other.name for other in box.lines if other is not line)
                    found[line.entry.pk] = TableOfPlayer(
                        line.name, others if box.is_bye else self._table_name(box, "table {}")
                    )
        return sorted(found.values(), key=lambda place: place.name.casefold())

    @property
    def slips(self) -> list[ScoreSlip]:
        """One for each table, or for each board of a team match, that has no result yet."""
        found = []
        for box in self.boxes:
            if not box.is_open:
                continue
            numbered = f"round {box.round}, table {{}}" if self.event.has_rounds else "table {}"
            table, names = self._table_name(box, numbered), tuple(line.name for line in box.lines)
            for board in box.boards:
                if board.match.is_over:
                    continue
                players = (f"{side.name} ({team})" for side, team in zip(board.sides, names, strict=True))
                found.append(ScoreSlip(table, board.number, tuple(players)))
            if not box.boards:
                found.append(ScoreSlip(table, None, names))
        return found

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """Everyone with a place, by names."""
        present = self.event.entries.present().with_players(teams=self.event.has_teams)
        return sorted(present, key=lambda entry: entry.name.casefold())

    @property
    def here(self) -> int:
        """How many of them have checked in."""
        return sum(entry.is_here for entry in self.entries)

    @cached_property
    def chart_columns(self) -> dict[tuple[int, int], str]:
        """Headings of the wall chart, by stage and round."""
        paired = sorted({self._column_of(match.spot) for match in self.draw.known.matches})
        if not self.event.has_rounds:
            return dict.fromkeys(paired, "Match")
        if len(self.draw.sections) == 1:
            return {(stage, number): str(number) for stage, number in paired}
        titles = {
            (self._stages[section.id], column.round): column.title
            for section in self.draw.sections
            for column in section.columns
        }
        return {column: titles[column] for column in paired}

    @cached_property
    def _stages(self) -> dict[str, int]:
        """By section: 0 for groups, which play side by side, and its place in the draw for any other."""
        return {one.id: 0 if one.crosstable else number for number, one in enumerate(self.draw.sections, start=1)}

    def _column_of(self, spot: contract.Spot) -> tuple[int, int]:
        return self._stages.get(spot.section, 0), spot.round

    @property
    def wall_chart(self) -> list[WallChartRow]:
        """Everyone, best first, with the result of each round."""
        results: dict[tuple[int, tuple[int, int]], str] = {}
        for match in self.draw.known.matches:
            for side, entrant in enumerate(match.entrants):
                results[entrant, self._column_of(match.spot)] = self._cell(match, side)
        return [
            WallChartRow(row, tuple(results.get((row.entry.pk, column), "–") for column in self.chart_columns))
            for row in self.draw.rows(self.draw.ranking)
        ]

    def _cell(self, match: contract.MatchRecord, side: int) -> str:
        others = [str(self.draw.entries[pk].known_seed) for n, pk in enumerate(match.entrants) if n != side]
        sign = result_sign(match.places, match.how, side, self.event.plan.points_of(match, side))
        return f"{' '.join(others) or 'bye'} {sign}".strip()

    @property
    def projected_standings(self) -> list[StandingRow]:
        return self.draw.rows(self.draw.ranking[:PROJECTED_STANDINGS])
