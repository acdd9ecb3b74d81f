"""Moves of Krambambuli: the phases of a turn, and the text forms of moves."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TypeAlias

from games.core.cards import in_capitals
from games.core.contract import UnreadableMove
from games.core.moves import DRAW, TAKE, Discard, Draw, Take
from games.core.rummy.steps import Step, read_step

UPCARD_TURNS_IN_A_ROW = 12


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    OVER = "over"


START, AFTER_DRAW, OVER = Phase

KrambambuliMove: TypeAlias = Draw | Take | Discard | Step

_WORDS: dict[str, KrambambuliMove] = {"D": DRAW, "DRAW": DRAW, "U": TAKE, "TAKE": TAKE}
_DISCARD = re.compile(r"X:?([A2-9TJQK][CDHS][12]?)")


def parse_move(text: str) -> KrambambuliMove:
    """:raises UnreadableMove:"""
    said = in_capitals("".join(text.split()))
    if said in _WORDS:
        return _WORDS[said]
    discard = _DISCARD.fullmatch(said)
    move = Discard(discard[1]) if discard else read_step(said)
    if move is None:
        raise UnreadableMove(
            "Write D to draw, U to take the upcard, M 7C+7D+7S to lay a meld, M 7H<2+7C+7D with a card of meld 2, "
            "L3 4H-5H-6H-7H to enlarge meld 3, or X KS to discard."
        )
    return move
