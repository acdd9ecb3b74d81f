"""Moves that several games share: draw, take the upcard, discard, pass. Each has the same text and meaning in all."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.cards import Card
from games.core.contract import Move


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
