"""Moves of Push: the pack, how melds are written, and the text forms of moves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TypeAlias

from games.core.cards import Card, display_key, pack
from games.core.contract import Move, UnreadableMove
from games.core.rummy.melds import Growth, Meld, upwards

PACK = pack(copies=2, jokers=4)
KNOWN_CARDS = frozenset(PACK)
SEATS = 4
SIDES = ((0, 2), (1, 3))
SEAT_LETTERS = "NESW"
SIDE_NAMES = ("NS", "EW")
WILD = "X2"
STALL_TURNS = 8
PUSHED_CARDS = 2
MOST_EXTRA_DEALS = 3
LAST_CONTRACT = 5


class Phase(StrEnum):
    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


DRAW, PLAY, OVER = Phase


def is_wild(card: Card) -> bool:
    return card[0] in WILD


def in_hand_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """By rank and suit, the wild cards last."""
    return tuple(sorted(cards, key=lambda card: (is_wild(card), display_key(card))))


# Melds


class PushMeld(Meld):
    """A meld as this game writes it: `S(5S2 5H1 5C1)`, `R(9D1 TD2 JD1 2H1)`, runs from low to high."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.kind[0].upper()}({' '.join(self.cards)})"


def set_of(cards: Iterable[Card]) -> PushMeld:
    """Kept by suit S H D C, then the wild cards."""
    return PushMeld("set", tuple(sorted(cards, key=lambda card: (is_wild(card), "SHDCBR".index(card[1]), card))))


def run_of(cards: Iterable[Card]) -> PushMeld:
    return PushMeld("run", tuple(cards))


# Moves


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard: `TAKE 9D1`."""

    card: Card

    def __str__(self) -> str:
        return f"TAKE {self.card}"


@dataclass(frozen=True, slots=True)
class Push(Move):
    """Hands the upcard and the next stock card to the left, and draws: `PUSH`."""

    def __str__(self) -> str:
        return "PUSH"


@dataclass(frozen=True, slots=True)
class End(Move):
    """Ends a deal whose stock has run out: `END`."""

    def __str__(self) -> str:
        return "END"


@dataclass(frozen=True, slots=True)
class Open(Move):
    """The initial meld: `OPEN S(5S2 5H1 5C1) R(9D1 TD2 JD1 2H1)`; the melds are numbered as they are written."""

    melds: tuple[PushMeld, ...]

    def __str__(self) -> str:
        return f"OPEN {' '.join(map(str, self.melds))}"

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(meld.cards for meld in self.melds))


@dataclass(frozen=True, slots=True)
class NewMeld(Move):
    """A further meld: `MELD R(8H1 XB1 TH2)`."""

    meld: PushMeld

    def __str__(self) -> str:
        return f"MELD {self.meld}"

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.meld.cards


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card is laid off: a meld and, for a run, its end: `M2`, `M3+` high, `M3-` low."""

    number: int
    end: str = ""

    def __str__(self) -> str:
        return f"M{self.number}{self.end}"


@dataclass(frozen=True, slots=True)
class LayOff(Move):
    """Adds a card to a meld of the table: `LAY 8S1>M3+`."""

    card: Card
    spot: Spot

    def __str__(self) -> str:
        return f"LAY {self.card}>{self.spot}"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Exchanges a joker and uses it at once: `SWAP 6S2>M1=XB1 LAY>M2`, `SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)`.

    use: where the joker goes, None if that is not said, which is never legal.
    """

    card: Card
    number: int
    joker: Card
    use: Spot | NewMeld | Open | None = None

    def __str__(self) -> str:
        use = "" if self.use is None else f" LAY>{self.use}" if isinstance(self.use, Spot) else f" {self.use}"
        return f"SWAP {self.card}>M{self.number}={self.joker}{use}"

    @property
    def from_hand(self) -> tuple[Card, ...]:
        more = self.use.cards if isinstance(self.use, NewMeld | Open) else ()
        return (self.card, *(card for card in more if card != self.joker))


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn: `DISC KC1`."""

    card: Card

    def __str__(self) -> str:
        return f"DISC {self.card}"


PushMove: TypeAlias = Take | Push | End | Open | NewMeld | LayOff | Swap | Discard

PUSH, END = Push(), End()
TAKE_OF = {card: Take(card) for card in PACK}
DISCARD_OF = {card: Discard(card) for card in PACK}
GROWTH_AT: dict[str, Growth] = {"": "set", "-": "low", "+": "high"}
END_OF = {growth: end for end, growth in GROWTH_AT.items()}

# Reading moves

_CARD = r"([A-Z0-9]{2,3})"
_SPOT = r"M(\d{1,3})([+-]?)"
_MELD = r"[SR]\([A-Z0-9 ,]*\)"
_MELDS = rf"({_MELD}(?:,?{_MELD})*)"
_SIMPLE_MOVE = re.compile(rf"(TAKE|DISC) {_CARD}")
_PUSH_MOVE = re.compile(r"PUSH(?: [A-Z0-9]{3}(?:\+(?:\?|[A-Z0-9]{3}=[A-Z0-9]{3}))?)?")
_MELD_MOVE = re.compile(rf"(OPEN|MELD) {_MELDS}")
_LAY_MOVE = re.compile(rf"LAY {_CARD}>{_SPOT}")
_SWAP_MOVE = re.compile(rf"SWAP {_CARD}>M(\d{{1,3}})={_CARD}(?: (.+))?")
_SWAP_LAY = re.compile(rf"LAY>{_SPOT}")
_HELP = (
    "Write TAKE 9D1, PUSH or END to begin a turn; OPEN S(5S2 5H1 5C1) S(9D1 9H1 9S2), MELD R(8H1 XB1 TH2), LAY 8S1>M3+ "
    "or SWAP 6S2>M1=XB1 LAY>M2 to lay cards; DISC KC1 to end it."
)


def parse_move(text: str) -> PushMove:
    """:raises UnreadableMove:"""
    tidy = _tidy(text)
    if tidy == "END":
        return END
    if _PUSH_MOVE.fullmatch(tidy):
        return PUSH
    if match := _SIMPLE_MOVE.fullmatch(tidy):
        return (TAKE_OF if match[1] == "TAKE" else DISCARD_OF)[_read_card(match[2])]
    if match := _MELD_MOVE.fullmatch(tidy):
        return _read_melding(match[1], match[2])
    if match := _LAY_MOVE.fullmatch(tidy):
        return LayOff(_read_card(match[1]), Spot(int(match[2]), match[3]))
    if match := _SWAP_MOVE.fullmatch(tidy):
        return Swap(_read_card(match[1]), int(match[2]), _read_card(match[3]), _read_use(match[4]))
    raise UnreadableMove(f"{text.strip()[:40]!r} is no move of Push. {_HELP}")


def _tidy(text: str) -> str:
    """Upper case, with single spaces between words and cards and none beside a sign."""
    return re.sub(r" ?([()>=,+-]) ?", r"\1", " ".join(text.upper().split()))


def _read_card(text: str) -> Card:
    if text not in KNOWN_CARDS:
        raise UnreadableMove(f"There is no card {text}; write rank, suit and pack, such as 4H1, and jokers XB1 or XR2.")
    return text


def _read_melding(word: str, text: str) -> Open | NewMeld:
    melds = tuple(map(read_meld, re.findall(_MELD, text)))
    if word == "OPEN":
        return Open(melds)
    if len(melds) > 1:
        raise UnreadableMove("MELD lays one meld; lay the next one by a move of its own.")
    return NewMeld(melds[0])


def read_meld(text: str) -> PushMeld:
    """`S(..)` or `R(..)`; a run in any order that tells where its wild cards stand. :raises UnreadableMove:"""
    compact = _tidy(text)
    if not re.fullmatch(_MELD, compact):
        raise UnreadableMove(f"{text.strip()[:40]!r} is no meld; write S(5S2 5H1 5C1) or R(9D1 TD2 JD1).")
    cards = [_read_card(card) for card in re.split("[ ,]+", compact[2:-1])]
    if compact[0] == "S":
        return set_of(cards)
    return run_of(upwards(cards, WILD))


def _read_use(text: str | None) -> Spot | NewMeld | Open | None:
    if text is None:
        return None
    if match := _SWAP_LAY.fullmatch(text):
        return Spot(int(match[1]), match[2])
    if match := _MELD_MOVE.fullmatch(text):
        return _read_melding(match[1], match[2])
    raise UnreadableMove(f"After the exchange write LAY>M2, LAY>M4+ or MELD R(8H1 XB1 TH2), not {text[:40]!r}.")
