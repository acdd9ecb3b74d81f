"""Cards and moves of Cuarenta: the pack, the moves, and their notation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from games.core.cards import Card, by_display, pack
from games.core.contract import Move, UnreadableMove

RANKS = "A234567JQK"
RANK = {rank: place for place, rank in enumerate(RANKS)}
PACK = tuple(card for card in pack() if card[0] in RANKS)
# A counts 1 and 2-7 their face value; J Q K have no value and are missing here.
VALUES: Mapping[Card, int] = {card: RANK[card[0]] + 1 for card in PACK if card[0] not in "JQK"}
HIGHEST_VALUE = 7

SIDES = 2
HAND_SIZE = 5
RONDA_CARDS = 3
# The first numbered deal in which nobody finds a ronda: a position at the end of a hand then shows its count alone.
QUIET_DEAL = 12


def batches_of_a_hand(seats: int) -> int:
    """How often five cards each are dealt until the pack is used up."""
    return len(PACK) // (HAND_SIZE * seats)


class Phase(StrEnum):
    """Play a card; declare a ronda card after a deal; claim after the last play of a hand; over."""

    PLAY = "play"
    DECLARE = "declare"
    CLAIM = "claim"
    OVER = "over"


# Moves


@dataclass(frozen=True, slots=True)
class Lay(Move):
    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """`card` takes one equal card or an adding set, `taken`, and then the sequence `run`; both in rank order."""

    card: Card
    taken: tuple[Card, ...]
    run: tuple[Card, ...] = ()

    def __str__(self) -> str:
        run = f">{''.join(self.run)}" if self.run else ""
        return f"{self.card}x{'+'.join(self.taken)}{run}"


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """Takes the overlooked cards, in rank order; () lets them be after the last play of a hand."""

    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"O:{''.join(self.cards)}" if self.cards else "O-"


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """Says that `card` was of a ronda when it was caught; None declares nothing after the deal."""

    card: Card | None = None

    def __str__(self) -> str:
        return f"R:{self.card}" if self.card else "R-"


CuarentaMove: TypeAlias = Lay | Capture | Claim | Declare

CARD_PATTERN = rf"[{RANKS}][CDHS]"
_CARDS = rf"{CARD_PATTERN}(?:[+, ]*{CARD_PATTERN})*"
_PLAY = re.compile(rf"({CARD_PATTERN})(?: ?X ?({_CARDS})(?: ?> ?({_CARDS}))?)?")
_CLAIM = re.compile(rf"O ?(?:-|: ?({_CARDS}))")
_DECLARE = re.compile(rf"R ?(?:-|: ?({CARD_PATTERN}))")
HOW_TO_WRITE = (
    "Write 4S to lay it, 4Sx4D to match, 5Sx2C+3D to add, 4Sx4D>5H6S with a sequence, O:5D6S to claim overlooked "
    "cards, R:4H to declare a ronda card. The pack has no 8, 9 and 10."
)


def parse_move(text: str) -> CuarentaMove:
    """The move that a text means. :raises UnreadableMove:"""
    packed = " ".join(text.upper().split())
    if claim := _CLAIM.fullmatch(packed):
        return Claim(_cards_in(claim[1]))
    if declare := _DECLARE.fullmatch(packed):
        return Declare(declare[1])
    if play := _PLAY.fullmatch(packed):
        card, taken, run = play.groups()
        return Capture(card, _cards_in(taken), _cards_in(run)) if taken else Lay(card)
    raise UnreadableMove(f"That is not a move of Cuarenta. {HOW_TO_WRITE}")


def _cards_in(text: str | None) -> tuple[Card, ...]:
    return tuple(by_display(re.findall(CARD_PATTERN, text or "")))


# What happened


class Fall(NamedTuple):
    """`catcher` captured `card`, which `layer`, who had proclaimed a ronda, laid in the same deal."""

    catcher: int
    layer: int
    card: Card


class Turn(NamedTuple):
    """What a seat did, or had announced for it (move None), and the rules by which it scored."""

    seat: int
    move: CuarentaMove | None
    gains: tuple[str, ...] = ()
