"""Scoring of Tabletop Cribbage: what the lines of the board are worth, and why a game is won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from games.core.card_bits import CARD
from games.core.cards import Card
from games.core.contract import Options, Outcome, Zone, open_zone, places
from games.core.cribbage import SIDES, Count, line, nobs
from games.core.sides import side_in_words
from games.core.words import counted
from games.engines.tabletop_cribbage.moves import CENTRE, LINE_NAMES, LINES, SIZE

HEELS = 2
DIFFERENCE_TARGET = 31
DEALS_AT_MOST = 20
DEALS_OF = {"one-deal": 1, "two-deals": 2}

Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


def _line_parts(count: Count) -> list[Line]:
    found = [
        ("line-fifteen", "fifteens", count.fifteens),
        ("line-pair", "a pair" if count.pairs == 2 else "pairs", count.pairs),
        ("line-run", "a run" if count.runs <= SIZE else "runs", count.runs),
        ("line-flush", "a flush", count.flush),
        ("no-jack-points", "his nobs", count.nobs),
    ]
    return [part for part in found if part[2]]


def count_line(board: Sequence[int], cells: Iterable[int], *, jacks: bool) -> Count:
    """What the cards of a line are worth as they lie, in whatever order."""
    found = sum(board[cell] for cell in cells)
    count = line(found)
    centre = board[CENTRE]
    return count._replace(nobs=nobs(found & ~centre, centre)) if jacks else count


class BoardCount(NamedTuple):
    """A full board, counted. counts: of each row and then of each column.

    rows, columns: what these give to their sides. heels: the part of the columns for a jack in the middle.
    """

    counts: list[Count]
    rows: list[Line]
    columns: list[Line]
    heels: int

    @property
    def totals(self) -> tuple[int, int]:
        """The points of all rows and of all columns."""
        return sum([line[2] for line in self.rows]), sum([line[2] for line in self.columns])


def count_board(board: Sequence[int], *, jacks: bool) -> BoardCount:
    counts = [count_line(board, cells, jacks=jacks) for cells in LINES]
    parts = [
        [(rule, f"{name}: {what}", points) for rule, what, points in _line_parts(count)]
        for name, count in zip(LINE_NAMES, counts, strict=True)
    ]
    rows, columns = sum(parts[:SIZE], []), sum(parts[SIZE:], [])
    heels = HEELS if jacks and CARD[board[CENTRE]][0] == "J" else 0
    if heels:
        columns.insert(0, ("no-jack-points", "His heels, a jack in the middle", heels))
    return BoardCount(counts, rows, columns, heels)


def score_limit(options: Options) -> int | None:
    """The score that ends the game, None where the number of deals does."""
    if options["scoring"] == "difference":
        return DIFFERENCE_TARGET
    target = options["target"]
    return target if isinstance(target, int) else None


def difference(rows: int, columns: int) -> list[Line]:
    """The line of the side that is ahead, where only the difference scores."""
    better, worse = ("rows", "columns") if rows > columns else ("columns", "rows")
    return [("game-121", f"{max(rows, columns)} in {better}, {min(rows, columns)} in {worse}", abs(rows - columns))]


def board_zones(board: Sequence[int], counts: Sequence[Count], unused: Iterable[Card]) -> tuple[Zone, ...]:
    """The full board row by row, the column values, and the cards that were not used."""
    zones = [
        open_zone(f"line:{name[-1]}", "row", name, [CARD[board[cell]] for cell in cells], note=counted(worth, "point"))
        for name, cells, worth in zip(LINE_NAMES, LINES, [count.total for count in counts], strict=True)
    ]
    return (*zones, open_zone("unused", "row", "Not used", unused))


# The end of the game


def game_outcome(scores: Sequence[int], *, seats: int, limit: int | None, deals: int) -> Outcome:
    """The result of a game. scores: by side. limit: the score that ends it, if any. deals: those played."""
    by_seat = tuple(scores[seat % 2] for seat in range(seats))
    return Outcome(by_seat, places(by_seat), _reason(scores, seats, limit, deals))


def _reason(scores: Sequence[int], seats: int, limit: int | None, deals: int) -> str:
    high, low = max(scores), min(scores)
    winner = side_in_words(scores.index(high), seats, SIDES)
    if high == limit:
        return f"{winner} reached {high}."
    if high == low:
        return f"The scores are equal after {counted(deals, 'deal')}: a draw."
    return f"{winner} led after {counted(deals, 'deal')}."
