"""Cards and moves of Cribbage: the pack, the moves, and their notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self, TypeAlias

from games.core.cards import Card, by_display, in_capitals, pack
from games.core.contract import Move, UnreadableMove

PACK = pack()
KEPT = 4
DEALT = {2: 6, 4: 5}  # cards, by the number of seats
LAID_AWAY = {2: 2, 4: 1}
BEST_HAND = 29


class Phase(StrEnum):
    DISCARD = "discard"
    PLAY = "play"
    SHOW = "show"
    OVER = "over"


DISCARD, PLAY, SHOW, OVER = Phase


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Lays cards away to the crib: `D:7C,KD`. cards: in display order; build it by `Discard.of`."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, laid: Iterable[Card]) -> Self:
        return cls(tuple(by_display(laid)))

    def __str__(self) -> str:
        return f"D:{','.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Plays a card: `7C`."""

    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Go(Move):
    """Holds cards, but none that fits: `GO`."""

    def __str__(self) -> str:
        return "GO"


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """What the owner says a hand or crib is worth, where players count themselves: `S 8`."""

    points: int

    def __str__(self) -> str:
        return f"S {self.points}"


@dataclass(frozen=True, slots=True)
class Muggins(Move):
    """What an opponent says was overlooked, `M 4`; `M 0` is nothing."""

    points: int

    def __str__(self) -> str:
        return f"M {self.points}"


CribbageMove: TypeAlias = Discard | Play | Go | Claim | Muggins

GO = Go()
AFTER = {seats: [[(seat + n) % seats for n in range(1, seats + 1)] for seat in range(seats)] for seats in (2, 4)}
"""By number of seats and seat: everybody clockwise, the seat itself last."""


# Reading moves

_CARD = r"[A2-9TJQK][CDHS]"
_MOVE = re.compile(
    rf"(?P<go>GO)"
    rf"|(?P<card>{_CARD})"
    rf"|D ?:? ?(?P<cards>{_CARD}(?:[ ,+]*{_CARD}){{0,5}})"
    rf"|(?P<word>[SM]) ?:? ?(?P<points>[0-9]{{1,2}})"
)


def parse_move(text: str) -> CribbageMove:
    """The move that a text means. :raises UnreadableMove:"""
    match = _MOVE.fullmatch(" ".join(in_capitals(text).split()))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Cribbage. "
            "Write D:7C to discard a card, 7C to play it, GO if no card fits."
        )
    if match["go"]:
        return GO
    if match["card"]:
        return Play(match["card"])
    if match["cards"]:
        laid = re.findall(_CARD, match["cards"])
        if len(set(laid)) < len(laid):
            raise UnreadableMove("A card can be discarded only once; name each card once.")
        return Discard.of(laid)
    points = int(match["points"])
    if points > BEST_HAND:
        raise UnreadableMove(f"No hand is worth more than {BEST_HAND}; name a number up to that.")
    return Claim(points) if match["word"] == "S" else Muggins(points)


# What happened in a deal


class Deed(NamedTuple):
    """A card that was played, None for a go, and the count it reached."""

    seat: int
    card: Card | None
    reached: int


class Pegging(NamedTuple):
    """Points pegged during the play. deeds: how many cards and gos of this deal came before."""

    deeds: int
    seat: int
    rule: str
    points: int


class Shown(NamedTuple):
    """A hand or crib that was counted. points: what it gave to the side of `seat`, an opponent after a muggins."""

    owner: int
    is_crib: bool
    seat: int
    points: int
