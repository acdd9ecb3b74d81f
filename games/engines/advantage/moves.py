"""Cards and moves of Advantage: the pack, which cards fit, the moves, and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self, TypeAlias

from games.core.cards import Card, by_display, pack
from games.core.contract import Move, UnreadableMove

SEATS = 2
PILES = 3
HAND_CARDS = 3
MOST_DROPS = 2

Pair: TypeAlias = tuple[Card, Card]


class Phase(StrEnum):
    DROP = "drop"
    PICK = "pick"
    PAIR = "pair"
    OVER = "over"


DROP, PICK, PAIR, OVER = Phase

PACK = pack()


# Fitting


def _is_red(card: Card) -> bool:
    return card[1] in "DH"


def _is_face(card: Card) -> bool:
    return card[0] in "JQK"


def _fits(card: Card, top: Card, *, colour: str) -> bool:
    """Whether one of the two may lie on the other. colour: the option of that name."""
    if card[0] == top[0] or "T" in (card[0], top[0]):
        return True
    has_ace = "A" in (card[0], top[0])
    if not has_ace and _is_face(card) != _is_face(top):
        return False
    return _is_red(card) == _is_red(top) or (colour == "aces_only" and not has_ace)


FITTING: dict[str, dict[Card, frozenset[Card]]] = {
    colour: {card: frozenset(top for top in PACK if top != card and _fits(card, top, colour=colour)) for card in PACK}
    for colour in ("all", "aces_only")
}


# Moves


@dataclass(frozen=True, slots=True)
class Drop(Move):
    """Lays a card on a pile, 1 to 3: `D 8H>2`."""

    card: Card
    pile: int

    def __str__(self) -> str:
        return f"D {self.card}>{self.pile}"


@dataclass(frozen=True, slots=True)
class StopDropping(Move):
    """Keeps the second card: `D.`"""

    def __str__(self) -> str:
        return "D."


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """Takes a pile, 1 to 3, and leaves a card in its place: `T 8H>2`."""

    card: Card
    pile: int

    def __str__(self) -> str:
        return f"T {self.card}>{self.pile}"


@dataclass(frozen=True, slots=True)
class DrawToPick(Move):
    """Draws a card because nothing can be traded: `T+`."""

    def __str__(self) -> str:
        return "T+"


@dataclass(frozen=True, slots=True)
class PassPick(Move):
    """Picks up nothing in this round: `T-`."""

    def __str__(self) -> str:
        return "T-"


@dataclass(frozen=True, slots=True)
class LayPair(Move):
    """Lays two cards of a rank aside: `P 8C8H`, by suit; build it by `LayPair.of`."""

    cards: Pair

    @classmethod
    def of(cls, first: Card, second: Card) -> Self:
        low, high = by_display((first, second))
        return cls((low, high))

    def __str__(self) -> str:
        return f"P {''.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class StopPairing(Move):
    """Lays no more pairs aside in this round: `P.`"""

    def __str__(self) -> str:
        return "P."


AdvantageMove: TypeAlias = Drop | StopDropping | Trade | DrawToPick | PassPick | LayPair | StopPairing

STOP_DROPPING, DRAW_TO_PICK, PASS_PICK, STOP_PAIRING = StopDropping(), DrawToPick(), PassPick(), StopPairing()
DROPS = {card: tuple(Drop(card, pile + 1) for pile in range(PILES)) for card in PACK}
TRADES = {card: tuple(Trade(card, pile + 1) for pile in range(PILES)) for card in PACK}

CARD_PATTERN = r"[A2-9TJQK][CDHS]"
_MOVE = re.compile(
    rf"(?P<kind>[DT]) ?(?:(?P<card>{CARD_PATTERN}) ?>? ?(?P<pile>[1-3])"
    rf"|(?P<pile_first>[1-3]) ?<? ?(?P<card_last>{CARD_PATTERN}))"
    rf"|P ?(?P<one>{CARD_PATTERN}) ?(?P<two>{CARD_PATTERN})"
    r"|(?P<plain>[DP] ?\.|T ?[-+])"
)
_PLAIN: dict[str, AdvantageMove] = {str(move): move for move in (STOP_DROPPING, DRAW_TO_PICK, PASS_PICK, STOP_PAIRING)}


def parse_move(text: str) -> AdvantageMove:
    """The move that a text means. :raises UnreadableMove:"""
    match = _MOVE.fullmatch(" ".join(text.upper().split()).replace("10", "T"))
    if match is None or (match["one"] and match["one"] == match["two"]):
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Advantage. Write D 8H>2 to drop a card on pile 2, T 8H>2 to trade it "
            "for the pile, P 8C8H to lay a pair aside; D. and P. stop, T+ draws and T- passes."
        )
    if match["plain"]:
        return _PLAIN[match["plain"].replace(" ", "")]
    if match["one"]:
        return LayPair.of(match["one"], match["two"])
    card, pile = match["card"] or match["card_last"], int(match["pile"] or match["pile_first"])
    return (DROPS if match["kind"] == "D" else TRADES)[card][pile - 1]
