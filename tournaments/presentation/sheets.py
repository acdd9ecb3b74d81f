"""Sheets of paper and the projector of a club evening: pairings, score slips, entries, wall chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.formats import contract
from tournaments.formats.numbers import written
from tournaments.models import Entry, Event
from tournaments.presentation.draw import EventDraw, draw_of
from tournaments.presentation.match_box import MatchBox
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
    """Where a player sits: one line of the list by names. section: as in `EventSheets.section_titles`.

    table: None for a bye, which `against` says in words.
    """

    name: str
    table: int | None
    against: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSlip:
    """A slip for a table. board: of a team match, None elsewhere. names: by side, with the team at a board.

    section: as in `EventSheets.section_titles`.
    """

    round: int
    table: int
    board: int | None
    names: tuple[str, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class WallChartRow:
    """An entry with its result in each round: "7 1" is a win against seed 7, "bye ½", "–" for nothing."""

    row: StandingRow
    cells: tuple[str, ...]


class EventSheets:
    """What the sheets of an event show.

    number: the round. By default those in play, since groups needn't be in the same one, and a knock-out after groups
    counts from 1 again; between rounds the newest that is published.
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

    @property
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
            return self.draw.live
        every = self.draw.every_match
        in_play = {(box.section, box.round) for box in every if box.is_open} if self._shows_current else set()
        found = [box for box in every if ((box.section, box.round) in in_play if in_play else box.round == self.number)]
        return sorted(found, key=lambda box: (box.is_bye, box.section, box.paired.slot))

    @cached_property
    def section_titles(self) -> dict[str, str]:
        """By section, the title that its tables need, such as "Group A"; {} where the numbers of tables are enough."""
        titles = {section.id: section.title for section in self.draw.sections}
        shown = {box.section for box in self.boxes}
        return titles if len(shown) > 1 else {}

    @property
    def pairings(self) -> list[tuple[str, MatchBox]]:
        """The name of each table with its match, such as "2" or "Group A, 2"; "" for a bye."""
        return [("" if box.is_bye else self._table_name(box), box) for box in self.boxes]

    def _table_name(self, box: MatchBox) -> str:
        section = self.section_titles.get(box.section)
        return f"{section}, {box.paired.slot + 1}" if section else str(box.paired.slot + 1)

    @property
    def tables_by_name(self) -> list[TableOfPlayer]:
        """The same by names, to find one's table in a large field: of two, the table that is in play."""
        found: dict[int, TableOfPlayer] = {}
        for box in sorted(self.boxes, key=lambda box: box.is_open):
            for line in box.lines:
                others = ", ".join(other.name for other in box.lines if other is not line)
                if line.entry:
                    section = self.section_titles.get(box.section, "")
                    table = None if box.is_bye else box.paired.slot + 1
                    found[line.entry.pk] = TableOfPlayer(line.name, table, others, section)
        return sorted(found.values(), key=lambda place: place.name.casefold())

    @property
    def slips(self) -> list[ScoreSlip]:
        """One for each table, or for each board of a team match."""
        found = []
        for box in self.boxes:
            table, names = box.paired.slot + 1, tuple(line.name for line in box.lines)
            section = self.section_titles.get(box.section, "")
            for board in box.boards:
                players = (f"{side.name} ({team})" for side, team in zip(board.sides, names, strict=True))
                found.append(ScoreSlip(box.round, table, board.number, tuple(players), section))
            if not box.boards and not box.is_bye:
                found.append(ScoreSlip(box.round, table, None, names, section))
        return found

    @property
    def entries(self) -> Sequence[Entry]:
        """Everyone with a place, by names."""
        present = self.event.entries.present().with_players()
        return sorted(present, key=lambda entry: entry.name.casefold())

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
        if match.how == "annulled":
            return f"{' '.join(others)} –"
        points = "" if match.places is None else written(self.event.plan.points_of(match, side))
        sign = {"forfeit": "+" if points and match.places and match.places[side] == 1 else "−"}.get(match.how, points)
        return f"{' '.join(others) or 'bye'} {sign}".strip()

    @property
    def projected_standings(self) -> list[StandingRow]:
        return self.draw.rows(self.draw.ranking[:PROJECTED_STANDINGS])
