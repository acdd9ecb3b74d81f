"""Moves of Carousel: its phases, and the text forms of moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from games.core.contract import Move
from games.core.rummy.melds import MeldRules
from games.core.rummy.rearranging import DRAW, PASS, Draw, Pass, Play
from games.core.rummy.steps import Step, read_step

MIN_SEATS = 2
MOST_DRAWS = 3
MOST_HANDS = 40
MELD_RULES = {"low": MeldRules("low"), "high_or_low": MeldRules("high_or_low")}


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    MELDING = "melding"
    OVER = "over"


START, AFTER_DRAW, MELDING, OVER = Phase

# Moves


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
WORDS: dict[str, CarouselMove] = {
    "D": DRAW,
    "DRAW": DRAW,
    "K": KNOCK,
    "KNOCK": KNOCK,
    "E": END,
    "END": END,
    "-": PASS,
    "PASS": PASS,
}
_PLAY = re.compile(r"P(?P<dissolved>[\sX\d,]*)>(?P<melds>.*)", re.DOTALL)
UNREADABLE = (
    "Write D to draw, K to knock, E to end your turn, - to pass, M 6C1+6S1+6H1<1 to lay a meld with a card of meld 1, "
    "or L3 5H1-6H1-7H1-8H1 to enlarge meld 3."
)


def read_play(text: str) -> Play | None:
    match = _PLAY.fullmatch(text)
    if match is None or len(text) > 1000:
        return None
    dissolved = re.findall(r"\d+", match["dissolved"])
    if re.sub(r"\d+", "", match["dissolved"]).strip(" ,X\t\n") or any(len(number) > 3 for number in dissolved):
        return None
    melds = [read_step(f"M{meld}") for meld in match["melds"].split("/") if meld.strip()]
    if any(step is None or step.thefts for step in melds):
        return None
    return Play(tuple(sorted(map(int, set(dissolved)))), tuple(step.meld for step in melds if step))
