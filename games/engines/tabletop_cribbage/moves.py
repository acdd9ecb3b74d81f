"""Cards, board and move of Tabletop Cribbage, and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from games.core.cards import Card, in_capitals, pack
from games.core.contract import Move, UnreadableMove

PACK = pack()
SIZE = 5
COLUMNS = "abcde"
CELLS = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in COLUMNS)
CENTRE = CELLS.index("c3")
TO_PLACE = len(CELLS) - 1

ROWS = tuple(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE))
LINES = ROWS + tuple(tuple(range(column, len(CELLS), SIZE)) for column in range(SIZE))
"""The cells of the five rows, then of the five columns."""
LINE_NAMES = (*(f"Row {row + 1}" for row in range(SIZE)), *(f"Column {column}" for column in COLUMNS))

CELL_NUMBER = {name: cell for cell, name in enumerate(CELLS)}
EMPTY = "--"

_NEAR = {"touch": (1, 1), "orthogonal": (0, 1), "anywhere": (SIZE, SIZE)}
"""By contact: how far away a cell may be in its nearer and in its farther direction."""
WHERE = {
    "touch": "next to a card, corners included",
    "orthogonal": "beside, above or below a card",
    "anywhere": "anywhere on the board",
}
"""By contact: where a card may go, in words."""


def _neighbours(contact: str, cell: int) -> int:
    """The cells that touch a cell, as bits."""
    nearer, farther = _NEAR[contact]
    found = 0
    for other in range(len(CELLS)):
        away = sorted((abs(other // SIZE - cell // SIZE), abs(other % SIZE - cell % SIZE)))
        if other != cell and away[0] <= nearer and away[1] <= farther:
            found |= 1 << other
    return found


NEIGHBOURS = {contact: [_neighbours(contact, cell) for cell in range(len(CELLS))] for contact in _NEAR}


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Places the card turned up on a cell: `7H@b4`."""

    card: Card
    cell: str

    def __str__(self) -> str:
        return f"{self.card}@{self.cell}"


_CARD, _CELL = r"[A2-9TJQK][CDHS]", r"[A-Z][0-9]{1,2}"
_MOVE = re.compile(rf"(?P<card>{_CARD})[ @]*(?P<cell>{_CELL})|(?P<cell_first>{_CELL})[ @]*(?P<card_last>{_CARD})")


def parse_move(text: str) -> Place:
    """The move that a text means. :raises UnreadableMove:"""
    match = _MOVE.fullmatch(" ".join(in_capitals(text).split()))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} isn't a move of Tabletop Cribbage. Write the card and its space, such as 7H@b4."
        )
    return Place(match["card"] or match["card_last"], (match["cell"] or match["cell_first"]).lower())


class Placed(NamedTuple):
    """A card that was placed in this deal."""

    seat: int
    card: Card
    cell: str

    def __str__(self) -> str:
        return f"{self.seat}:{self.card}@{self.cell}"
