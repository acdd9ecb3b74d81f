"""What the lines of the board are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from games.core.cribbage import Count, line, nobs
from games.engines.tabletop_cribbage.moves import CENTRE, SIZE

HEELS = 2
DIFFERENCE_TARGET = 31
DEALS_AT_MOST = 20
DEALS_OF = {"one-deal": 1, "two-deals": 2}

Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


def line_parts(count: Count) -> list[Line]:
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


def difference(rows: int, columns: int) -> list[Line]:
    better, worse = ("rows", "columns") if rows > columns else ("columns", "rows")
    return [("game-121", f"{max(rows, columns)} in {better}, {min(rows, columns)} in {worse}", abs(rows - columns))]
