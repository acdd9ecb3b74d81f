"""Moves that several games share: draw, take the upcard, discard, pass. Each has the same text and meaning in all.

`LazyMoves` lists moves that take long to work out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from games.core.cards import Card
from games.core.contract import Move, MoveT


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """Draws the top card of the stock: `D`."""

    def __str__(self) -> str:
        return "D"


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard, whichever it is: `U`."""

    def __str__(self) -> str:
        return "U"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn with a card face up: `X KS`."""

    card: Card

    def __str__(self) -> str:
        return f"X {self.card}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Does nothing where the stock is used up: `-`."""

    def __str__(self) -> str:
        return "-"


DRAW, TAKE, PASS = Draw(), Take(), Pass()


class LazyMoves(Sequence[MoveT]):
    """Moves of which some are worked out when they are looked at: for these there are functions."""

    __slots__ = ("_moves",)

    def __init__(self, moves: Iterable[MoveT | Callable[[], MoveT]]) -> None:
        self._moves = tuple(moves)

    def __len__(self) -> int:
        return len(self._moves)

    @overload
    def __getitem__(self, index: int) -> MoveT: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[MoveT, ...]: ...

    def __getitem__(self, index: int | slice) -> MoveT | tuple[MoveT, ...]:
        if isinstance(index, slice):
            return tuple(map(worked_out, self._moves[index]))
        return worked_out(self._moves[index])


def worked_out(move: MoveT | Callable[[], MoveT]) -> MoveT:
    return move if isinstance(move, Move) else move()
