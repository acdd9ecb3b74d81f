"""The pack and the moves of Sixty-Six, and their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from games.core.cards import SUITS, Card
from games.core.contract import Move, UnreadableMove
from games.core.tricks import beats, by_suit, of_suit

SEATS = 2
RANKS = "9JQKTA"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
HAND_CARDS = 6
STOCK_CARDS = 11
TRUMP_MARRIAGE, PLAIN_MARRIAGE = 40, 20

PACK = tuple(rank + suit for suit in SUITS for rank in "ATKQJ9")
_PLACE = {card: place for place, card in enumerate(by_suit(PACK, RANKS))}


class Phase(StrEnum):
    """What is to be done: after a trick cards are drawn, in the final phase all tricks are played."""

    LEAD = "lead"
    FOLLOW = "follow"
    AFTER = "after"
    FINAL = "final"
    OVER = "over"


LEAD, FOLLOW, AFTER, FINAL, OVER = Phase


def card_points(cards: Iterable[Card]) -> int:
    """What the cards of tricks count."""
    return sum([POINTS[card[0]] for card in cards])


def marriage_worth(suit: str, trump: str) -> int:
    return TRUMP_MARRIAGE if suit == trump else PLAIN_MARRIAGE


def pair_of(suit: str) -> tuple[Card, Card]:
    """King and queen."""
    return "K" + suit, "Q" + suit


def held_cards(cards: Iterable[Card]) -> list[Card]:
    """Cards in the order of a hand: suit by suit, the highest of each first."""
    return sorted(cards, key=_PLACE.__getitem__)


def strict_answers(hand: Sequence[Card], led: Card, trump: str, *, must_beat: bool) -> Sequence[Card]:
    """The cards of a hand that may be played to the card led once no more are drawn."""
    same = of_suit(hand, led[1])
    if not must_beat:
        return same or hand
    higher = [card for card in same if beats(card, led, RANKS)]
    return higher or same or of_suit(hand, trump) or hand


@cache
def ruled_out(answer: Card, led: Card, trump: str, *, must_beat: bool) -> frozenset[Card]:
    """The cards that a hand does not hold if, no more being drawn, it may give this answer to the card led."""
    pairs = {card: strict_answers((answer, card), led, trump, must_beat=must_beat) for card in PACK}
    return frozenset(card for card, allowed in pairs.items() if answer not in allowed)


# Moves


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """Leads or plays a card: `AS`."""

    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Marry(Move):
    """Declares the marriage of a suit before leading one of the pair: `MH`."""

    suit: str

    def __str__(self) -> str:
        return f"M{self.suit}"


@dataclass(frozen=True, slots=True)
class Call(Move):
    """A move without a choice in it: `X9`, `CL`, `DR`, `END`, `66`.

    `PTS` and `LOOK` ask for points and for old tricks, which nobody may see while a hand lasts.
    """

    text: str

    def __str__(self) -> str:
        return self.text


SixtySixMove: TypeAlias = Lay | Marry | Call

EXCHANGE, CLOSE, DRAW, END, CLAIM = map(Call, ("X9", "CL", "DR", "END", "66"))
ASK_POINTS, LOOK_BACK = Call("PTS"), Call("LOOK")

LAY_OF = {card: Lay(card) for card in PACK}
MARRY_OF = {suit: Marry(suit) for suit in SUITS}
_CALLS = (EXCHANGE, CLOSE, DRAW, END, CLAIM, ASK_POINTS, LOOK_BACK)
_ALL_MOVES: tuple[SixtySixMove, ...] = (*LAY_OF.values(), *MARRY_OF.values(), *_CALLS)
_MOVES = {str(move): move for move in _ALL_MOVES}


def parse_move(text: str) -> SixtySixMove:
    """The move that a text means. :raises UnreadableMove:"""
    move = _MOVES.get("".join(text.upper().split()).replace("10", "T"))
    if move is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Sixty-Six. Write a card such as AS, MH for a marriage in "
            "hearts, X9, CL to close, DR to draw, END, or 66 to claim."
        )
    return move
