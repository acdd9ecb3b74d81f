"""Cards, places and moves of Russian Bank, and their notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from games.core.cards import RANK_INDEX, RANKS, SUITS, Card, in_capitals, pack
from games.core.contract import Move, UnreadableMove

SEATS = 2
PACK = pack(copies=2)
STOCK_CARDS = 12
OWN_PILES = 4
RESERVE_CARDS = 36
FOUNDATIONS = 8
ROUNDS_WHEN_BLOCKED = 2
WRONG_CALLS = 3


def _cards_where(card: Card, ranks: Iterable[int], *, same_suit: bool) -> frozenset[Card]:
    """The cards of these ranks in the suit of `card`, or in the two suits of the other colour."""
    suits = card[1] if same_suit else "CS" if card[1] in "DH" else "DH"
    return frozenset(
        RANKS[rank] + suit + copy for rank in ranks if 0 <= rank < len(RANKS) for suit in suits for copy in "12"
    )


RANK_OF = {card: RANK_INDEX[card[0]] for card in PACK}
# For each card those that it may lie on: in the tableau, on a foundation, loaded.
BUILDS_ON = {card: _cards_where(card, [RANK_OF[card] + 1], same_suit=False) for card in PACK}
FOLLOWS = {card: _cards_where(card, [RANK_OF[card] - 1], same_suit=True) for card in PACK}
NEIGHBOURS = {card: _cards_where(card, [RANK_OF[card] - 1, RANK_OF[card] + 1], same_suit=True) for card in PACK}


class Phase(StrEnum):
    """`SHIFT`: a turn has ended in casual mode, and the other player answers."""

    OPENING = "opening"
    TURN = "turn"
    SHIFT = "shift"
    OVER = "over"


OPENING, TURN, SHIFT, OVER = Phase


STOCK, TURNED, WASTE = "S", "R", "W"
FOUNDATION, THEIR_STOCK, THEIR_WASTE = "F", "OS", "OW"
LOADS = (THEIR_STOCK, THEIR_WASTE)
OWN, ALL = "1234", "12345678"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A card goes from `source` to `target`: `S>F 5S1`, `1>4 5D1`, `R>OW 7D1`, `R>W 9C1`.

    Both are places as the player on turn sees them: S stock, R turned card, W waste, 1 to 4 own piles, 5 to 8
    the other's piles, F foundation, OS and OW the other's stock and waste. `card` is for readers, with or without
    its copy; two plays between the same places are equal.
    """

    source: str
    target: str
    card: Card | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.source}>{self.target} {self.card or ''}".strip()


@dataclass(frozen=True, slots=True)
class Call(Move):
    """A move without a card: `T` turns up a reserve card, `P` passes, `STOP` and `GO` answer a turn."""

    word: str

    def __str__(self) -> str:
        return self.word


RussianBankMove: TypeAlias = Play | Call

TURN_UP, PASS, STOP, GO = Call("T"), Call("P"), Call("STOP"), Call("GO")
CALLS = {call.word: call for call in (TURN_UP, PASS, STOP, GO)}


CARD_PATTERN = rf"[{RANKS}][{SUITS}][12]?"
_PLACES = re.compile(r"(S|R|W|OS|OW|[1-8])>(F|OS|OW|W|[1-8])")
_CALL = re.compile(rf"(?P<word>STOP|GO|P)|V?T(?:=?{CARD_PATTERN})?")


def parse_move(text: str) -> RussianBankMove:
    """The move that a text means. :raises UnreadableMove:"""
    tidy = " ".join(in_capitals(text).split())
    call = _CALL.fullmatch(re.sub(r"[ .!]", "", tidy))
    if call is not None:
        return CALLS[call["word"] or "T"]
    words = re.sub(r" ?> ?", ">", tidy).split()
    found = [match for match in map(_PLACES.fullmatch, words) if match]
    cards = [word for word in words if re.fullmatch(CARD_PATTERN, word)]
    if len(found) != 1 or len(cards) > 1 or len(words) > 1 + len(cards):
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Russian Bank. Write S>F 5S1 to play the stock card to a foundation, "
            "2>3 9C1 to move a card between piles, R>W 9C1 to waste the turned card, T to turn one up."
        )
    source, target = found[0].groups()
    return Play(source, target, cards[0] if cards else None)


@dataclass(frozen=True, slots=True)
class Deed:
    """What happened, as the log keeps it.

    what: `S>F` and the like, `T` or `VT` (after turning the waste over) with the turned card, `+` with the stock
    card turned up, `P`, `STOP` for a wrong call, `STOP!` for a right one.
    """

    seat: int
    what: str
    card: Card = ""

    @property
    def source(self) -> str:
        return self.what.partition(">")[0]

    @property
    def target(self) -> str:
        return self.what.partition(">")[2]

    @property
    def is_in_tableau(self) -> bool:
        """A move from pile to pile."""
        return self.source in ALL and self.target in ALL and bool(self.target)

    def __str__(self) -> str:
        joint = "=" if self.what in ("T", "VT") else " " if self.target else ""
        return f"{self.seat}:{self.what}{joint}{self.card}"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a turn first went wrong: after how many of its deeds, and the `rounds` of both seats then."""

    deeds: int
    rounds: tuple[int, ...]
