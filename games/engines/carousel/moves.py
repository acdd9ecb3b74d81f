"""Moves of Carousel: the phases of a turn, and the text forms of moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from games.core.contract import Move, Options, UnreadableMove
from games.core.moves import DRAW, PASS, Draw, Pass
from games.core.rummy.melds import MeldRules
from games.core.rummy.rearranging import Play, parts_of_play
from games.core.rummy.steps import Step, read_step

MOST_DRAWS = 3
MOST_HANDS = 40

_MELD_RULES = {"low": MeldRules("low"), "high_or_low": MeldRules("high_or_low")}


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    MELDING = "melding"
    OVER = "over"


START, AFTER_DRAW, MELDING, OVER = Phase


def meld_rules(options: Options) -> MeldRules:
    return _MELD_RULES[str(options["ace"])]


@dataclass(frozen=True, slots=True)
class Knock(Move):
    """Ends the hand in place of a draw: `K`."""

    def __str__(self) -> str:
        return "K"


@dataclass(frozen=True, slots=True)
class End(Move):
    """Ends the turn after melding, or after a draw that emptied the stock: `E`."""

    def __str__(self) -> str:
        return "E"


CarouselMove: TypeAlias = Draw | Knock | End | Pass | Step | Play

KNOCK, END = Knock(), End()

# The notation

LONGEST_PLAY = 1000
_WORDS: dict[str, CarouselMove] = {
    "D": DRAW,
    "DRAW": DRAW,
    "K": KNOCK,
    "KNOCK": KNOCK,
    "E": END,
    "END": END,
    "-": PASS,
    "PASS": PASS,
}


def parse_move(text: str) -> CarouselMove:
    """:raises UnreadableMove:"""
    said = text.strip().upper()
    if said in _WORDS:
        return _WORDS[said]
    move = _read_play(said) if said.startswith("P") else read_step(said)
    if move is None:
        raise UnreadableMove(
            "Write D to draw, K to knock, E to end your turn, - to pass, M 6C1+6S1+6H1<1 to lay a meld with a card of "
            "meld 1, or L3 5H1-6H1-7H1-8H1 to enlarge meld 3."
        )
    return move


def _read_play(text: str) -> Play | None:
    parts = parts_of_play(text)
    if parts is None or len(text) > LONGEST_PLAY:
        return None
    dissolved, melds = parts
    steps = [read_step(f"M{meld}") for meld in melds]
    if any(step is None or step.thefts for step in steps):
        return None
    return Play(dissolved, tuple(step.meld for step in steps if step))
