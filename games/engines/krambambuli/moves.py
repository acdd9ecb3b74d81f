"""Moves of Krambambuli: its phases, and the text forms of moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from games.core.cards import Card
from games.core.contract import Move
from games.core.rummy.rearranging import DRAW, Draw
from games.core.rummy.steps import Step

UPCARD_TURNS_IN_A_ROW = 12


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    OVER = "over"


START, AFTER_DRAW, OVER = Phase

# Moves


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard: `U`."""

    def __str__(self) -> str:
        return "U"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn with a card face up: `X KS`."""

    card: Card

    def __str__(self) -> str:
        return f"X {self.card}"


KrambambuliMove: TypeAlias = Draw | Take | Discard | Step
TAKE = Take()
WORDS: dict[str, KrambambuliMove] = {"D": DRAW, "DRAW": DRAW, "U": TAKE, "TAKE": TAKE}
DISCARD = re.compile(r"X:?([A2-9TJQK][CDHS][12]?)")
UNREADABLE = (
    "Write D to draw, U to take the upcard, M 7C+7D+7S to lay a meld, M 7H<2+7C+7D with a card of meld 2, "
    "L3 4H-5H-6H-7H to enlarge meld 3, or X KS to discard."
)
