"""Travellers: the results of a deal at every table that played it, as in duplicate bridge."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from django.urls import reverse

from games.models import Table
from games.queries.shared_deals import known_mistakes
from tournaments.formats.duplicate import MATCHPOINTS, Frequency, Traveller, TravellerLine, TravellerResult
from tournaments.formats.numbers import written
from tournaments.models import Entry, Event, Round
from tournaments.presentation.draw import EventDraw, draw_of
from tournaments.presentation.standings import COMPARED_HEADINGS, Heading, percent_text
from tournaments.queries.duplicate import ClosedRound, closed_rounds, comparison_of, read_closed_rounds

Mistakes: TypeAlias = Mapping[tuple[int, int], int]
"""Those that the coach has found, by table and seat."""


@dataclass(frozen=True, slots=True)
class TravellerSide:
    """What a side made. score: its points at the table. share: of the matchpoints, in percent, None without any.

    mistakes: of its players, by the coach's reviews; None without one.
    """

    entry: Entry
    score: int
    result: TravellerResult
    share: Fraction | None
    mistakes: int | None = None

    @property
    def difference(self) -> str:
        return signed(self.result.difference)

    @property
    def compared(self) -> str:
        return "" if self.result.compared is None else written(self.result.compared)

    @property
    def percent(self) -> str:
        return "" if self.share is None else percent_text(self.share)


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """A table. sides: in the order of the sheet."""

    table: Table
    sides: tuple[TravellerSide, ...]

    @property
    def scores(self) -> str:
        return " : ".join(str(side.score) for side in self.sides)

    @property
    def is_reviewed(self) -> bool:
        return any(side.mistakes is not None for side in self.sides)

    @property
    def mistakes(self) -> str:
        """By side; "–" without a review."""
        if not self.is_reviewed:
            return ""
        return " : ".join("–" if side.mistakes is None else str(side.mistakes) for side in self.sides)


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """How many tables made a result. compared: by side."""

    difference: str
    tables: int
    compared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TravellerSheet:
    """A deal with all of its results, best first for the first side. seats: of each side, from 1."""

    round: Round
    round_title: str
    deal: int
    heading: Heading
    seats: tuple[tuple[int, ...], ...]
    rows: tuple[TravellerRow, ...]
    frequencies: tuple[FrequencyRow, ...]

    @property
    def side_names(self) -> list[str]:
        """Such as "Seats 1 and 3"; the last seat deals first."""
        last = max(seat for seats in self.seats for seat in seats)
        names = [f"Seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, seats))}" for seats in self.seats]
        return [f"{name} (dealer)" if last in seats else name for name, seats in zip(names, self.seats, strict=True)]

    @property
    def is_reviewed(self) -> bool:
        """The coach has reviewed one of these games."""
        return any(row.is_reviewed for row in self.rows)

    def get_absolute_url(self) -> str:
        return reverse("tournaments:traveller", args=[self.round.event_id, self.round.pk, self.deal])

    def results_of(self, entry: Entry | None) -> list[TravellerSide]:
        """What an entry made; twice where the deal was mirrored, [] for others."""
        return [side for row in self.rows for side in row.sides if entry and side.entry.pk == entry.pk]


def traveller_sheets(event: Event) -> list[TravellerSheet]:
    """Every deal of the rounds that are over, in their order."""
    return _sheets(event, list(closed_rounds(event)))


def sheets_of_deal(event: Event, round_id: int, deal: int) -> list[TravellerSheet]:
    """One deal, with a sheet for each size of table; [] while it is open, and if there is none."""
    found = _sheets(event, list(closed_rounds(event).filter(pk=round_id)))
    return [sheet for sheet in found if sheet.deal == deal]


def _sheets(event: Event, rounds: list[Round]) -> list[TravellerSheet]:
    if not rounds:
        return []
    draw, closed = draw_of(event), read_closed_rounds(event, rounds)
    mistakes = known_mistakes(row.table for one in closed for row in one.games.values())
    return [_sheet(draw, one, traveller, mistakes) for one in closed for traveller in one.travellers(event)]


def _sheet(draw: EventDraw, closed: ClosedRound, traveller: Traveller, mistakes: Mistakes) -> TravellerSheet:
    by, others = comparison_of(draw.event), len(traveller.lines) - 1
    most = others if by == MATCHPOINTS else 0
    return TravellerSheet(
        closed.round,
        _round_title(draw, closed.round),
        traveller.deal,
        COMPARED_HEADINGS[by],
        tuple(tuple(seat + 1 for seat in seats) for seats in traveller.sides),
        tuple(_row(line, closed, traveller, draw.entries, most, mistakes) for line in traveller.lines),
        tuple(_frequency(one) for one in traveller.frequencies) if len(traveller.sides) == 2 else (),
    )


def _round_title(draw: EventDraw, one: Round) -> str:
    for section in draw.sections:
        for column in section.columns:
            if (section.id, column.round) == (one.section, one.number):
                return column.title if len(draw.sections) == 1 else f"{section.title}, {column.title}"
    return f"Round {one.number}"


def _row(
    line: TravellerLine,
    closed: ClosedRound,
    traveller: Traveller,
    entries: dict[int, Entry],
    most: int,
    mistakes: Mistakes,
) -> TravellerRow:
    """most: the matchpoints that a side could make, 0 where there are none."""
    table = closed.games[line.board.game].table
    scores = [table.result["scores"][seats[0]] for seats in traveller.sides]
    shares = [100 * (result.compared or Fraction()) / most if most else None for result in line.results]
    known = {seat: mistakes[table.pk, seat] for seat in range(table.seat_count) if (table.pk, seat) in mistakes}
    reviewed = [[known[seat] for seat in seats if seat in known] for seats in traveller.sides]
    sides = zip(line.results, scores, shares, reviewed, strict=True)
    return TravellerRow(
        table,
        tuple(
            TravellerSide(entries[result.entrant], score, result, share, sum(found) if found else None)
            for result, score, share, found in sides
        ),
    )


def _frequency(one: Frequency) -> FrequencyRow:
    compared = tuple("" if value is None else written(value) for value in one.compared)
    return FrequencyRow(signed(one.differences[0]), one.tables, compared)


def signed(value: Fraction) -> str:
    """With a plus where it is more than nothing."""
    return f"+{written(value)}" if value > 0 else written(value)
