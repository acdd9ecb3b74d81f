"""Heat map of cards by place in the deck, as bands of colour for an SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from games.core.cards import JOKER_SIGN, SUIT_SIGNS, Card, is_joker

WIDTH, LEFT, TOP = 400, 22, 18  # of the whole, and the margins for the labels
MARKED_EVERY = 10  # places
BANDS = (("far-above", 3), ("above", 2), ("just-above", 1), ("far-below", -3), ("below", -2), ("just-below", -1))


@dataclass(frozen=True, slots=True)
class HeatMap:
    """bands: class name and path of the cells that are so far from what is expected; those near it are not drawn.

    Paths are in cells, a row of cells for each card, and are stroked one cell wide. rows, columns: labels with their
    places in a box WIDTH by `height`. cell: the width of a cell there.
    """

    bands: tuple[tuple[str, str], ...]
    rows: tuple[tuple[float, str], ...]
    columns: tuple[tuple[float, int], ...]
    cell: float
    height: float
    width: int = WIDTH
    left: int = LEFT
    top: int = TOP


def heat_map(pack: Sequence[Card], deviations: Sequence[Sequence[float]]) -> HeatMap:
    """deviations: by card of the pack and place of the deck, in standard deviations."""
    cell = round((WIDTH - LEFT) / len(pack), 3)
    named = [[_band(value) for value in row] for row in deviations]
    signs = [JOKER_SIGN if is_joker(card) else SUIT_SIGNS[card[1]] for card in pack]
    first = [row for row in range(len(pack)) if row == 0 or signs[row] != signs[row - 1]]
    marked = [1, *range(MARKED_EVERY, len(pack) + 1, MARKED_EVERY)]
    return HeatMap(
        bands=tuple((name, path) for name, _ in BANDS if (path := _path(named, name))),
        rows=tuple((round(TOP + cell * row, 1), signs[row]) for row in first),
        columns=tuple((round(LEFT + cell * (place - 0.5), 1), place) for place in marked),
        cell=cell,
        height=round(TOP + cell * len(pack), 1),
    )


def _band(deviation: float) -> str:
    for name, bound in BANDS:
        if (deviation >= bound) if bound > 0 else (deviation <= bound):
            return name
    return ""


def _path(named: Sequence[Sequence[str]], wanted: str) -> str:
    """Horizontal strokes through the middle of all cells of that name."""
    strokes = []
    for number, row in enumerate(named):
        start = 0
        for name, cells in groupby(row):
            length = len(list(cells))
            if name == wanted:
                strokes.append(f"M{start} {number}.5h{length}")
            start += length
    return "".join(strokes)
