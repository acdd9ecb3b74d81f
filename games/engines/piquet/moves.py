"""The pack and the moves of Piquet, and their notation. Hands are bit masks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import TypeAlias, overload

from games.core.cards import Card
from games.core.contract import Move, Options, UnreadableMove

SEATS = 2
RANKS = "789TJQKA"
SUITS = "CDHS"
PIPS = (7, 8, 9, 10, 10, 10, 10, 11)
LOWEST_IN_SETS = RANKS.index("T")
HAND_CARDS = 12
TALON_CARDS = 8
TRICKS = 12
ELDER_MOST = 5


class Phase(StrEnum):
    """What is to be done; `LEFT` is the decision about the cards left in the talon."""

    BLANCHE = "blanche"
    EXCHANGE = "exchange"
    DECLARE = "declare"
    LEAD = "lead"
    CLAIMS = "claims"
    LEFT = "left"
    PLAY = "play"
    OVER = "over"


BLANCHE, EXCHANGE, DECLARE, LEAD, CLAIMS, LEFT, PLAY, OVER = Phase


class Category(StrEnum):
    """What is declared, in this order."""

    POINT = "point"
    SEQUENCE = "sequence"
    SET = "set"


CATEGORIES = POINT, SEQUENCE, SET = tuple(Category)
LETTERS = {POINT: "PT", SEQUENCE: "SQ", SET: "ST"}
CATEGORY = {letters: category for category, letters in LETTERS.items()}

# Hands are unions of bits: bit 8 * suit + rank, so that a suit is a byte.

Hand: TypeAlias = int

PACK = tuple(rank + suit for suit in SUITS for rank in reversed(RANKS))
BIT = {rank + suit: 1 << 8 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
ALL_CARDS: Hand = (1 << 32) - 1
COURT_CARDS: Hand = sum(BIT[rank + suit] for suit in SUITS for rank in "JQK")


def mask(cards: Iterable[Card]) -> Hand:
    """The bit mask of some cards."""
    return sum({BIT[card] for card in cards})


@cache
def suit_cards(suit: int, byte: int) -> tuple[Card, ...]:
    return tuple(RANKS[rank] + SUITS[suit] for rank in range(7, -1, -1) if byte >> rank & 1)


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """A hand as it is held: suit by suit, the highest card of each first."""
    return (
        *suit_cards(0, hand & 255),
        *suit_cards(1, hand >> 8 & 255),
        *suit_cards(2, hand >> 16 & 255),
        *suit_cards(3, hand >> 24),
    )


def suit_of(hand: Hand, suit: int) -> int:
    """The cards of a suit as a byte."""
    return hand >> 8 * suit & 255


def _value(byte: int) -> int:
    return sum(PIPS[rank] for rank in range(8) if byte >> rank & 1)


def _runs(byte: int) -> tuple[tuple[int, int], ...]:
    """Whole runs of three or more as (length, index of the top rank), the highest first."""
    found, length = [], 0
    for rank in range(7, -2, -1):
        if rank >= 0 and byte >> rank & 1:
            length += 1
        else:
            if length >= 3:
                found.append((length, rank + length))
            length = 0
    return tuple(found)


VALUE_OF = tuple(map(_value, range(256)))
RUNS_OF = tuple(map(_runs, range(256)))


# Moves


@dataclass(frozen=True, slots=True)
class CarteBlanche(Move):
    """Declares it: elder with the number of cards to exchange, `BL3`, younger without, `BL` (number 0)."""

    number: int = 0

    def __str__(self) -> str:
        return f"BL{self.number or ''}"


@dataclass(frozen=True, slots=True)
class Word(Move):
    """`GD` good, `MK` making, `EQ` equal, `NG` not good; `NB` no carte blanche; `LK`, `NL` the cards left."""

    letters: str

    def __str__(self) -> str:
        return self.letters


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """Lays cards aside and draws as many: `EX 8C 7C 9D`, suit by suit from the highest."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(("EX", *self.cards))


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """`PT:H` the point in hearts, `SQ:KH4` four hearts down from the king, `ST:K4` four kings."""

    category: Category
    what: str

    def __str__(self) -> str:
        return f"{LETTERS[self.category]}:{self.what}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Claims nothing in a category: elder's `SQ:-`; younger's plain `-` (None) in the category that is due."""

    category: Category | None = None

    def __str__(self) -> str:
        return "-" if self.category is None else f"{LETTERS[self.category]}:-"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Leads or follows with a card: `AS`."""

    card: Card

    def __str__(self) -> str:
        return self.card


PiquetMove: TypeAlias = CarteBlanche | Word | Exchange | Claim | Pass | Play

GOOD, MAKING, EQUAL, NOT_GOOD = Word("GD"), Word("MK"), Word("EQ"), Word("NG")
SILENT, TURN_UP, LEAVE_DOWN = Word("NB"), Word("LK"), Word("NL")
ANSWERS = (GOOD, MAKING, EQUAL, NOT_GOOD)
PLAY_OF = {card: Play(card) for card in PACK}
PASS_OF = {category: Pass(category) for category in Category}


@dataclass(frozen=True, slots=True)
class Exchanges(Sequence[Exchange]):
    """Lazy sequence of all exchanges of `low` to `high` cards of a hand, there can be thousands; the smallest first."""

    hand: Hand
    low: int
    high: int

    def __len__(self) -> int:
        held = self.hand.bit_count()
        return sum(comb(held, size) for size in range(self.low, self.high + 1))

    def __iter__(self) -> Iterator[Exchange]:
        held = cards_of(self.hand)
        sizes = (combinations(held, size) for size in range(self.low, self.high + 1))
        return map(Exchange, chain.from_iterable(sizes))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Exchange) or not self.low <= len(move.cards) <= self.high:
            return False
        chosen = mask(move.cards)
        return not chosen & ~self.hand and cards_of(chosen) == move.cards

    @overload
    def __getitem__(self, index: int) -> Exchange: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Exchange]: ...

    def __getitem__(self, index: int | slice) -> Exchange | Sequence[Exchange]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self._at(place) for place in places]
        return self._at(places)

    def _at(self, place: int) -> Exchange:
        held = cards_of(self.hand)
        for size in range(self.low, self.high + 1):
            number = comb(len(held), size)
            if place < number:
                return Exchange(_combination(held, size, place))
            place -= number
        raise IndexError(place)


def _combination(cards: Sequence[Card], size: int, place: int) -> tuple[Card, ...]:
    """The choice of so many cards at this place of all, in the order of `combinations`."""
    chosen: list[Card] = []
    for left, card in zip(range(len(cards) - 1, -1, -1), cards, strict=True):
        if len(chosen) == size:
            break
        with_card = comb(left, size - len(chosen) - 1)
        if place < with_card:
            chosen.append(card)
        else:
            place -= with_card
    return tuple(chosen)


@cache
def suit_plays(suit: int, byte: int) -> tuple[PiquetMove, ...]:
    return tuple(PLAY_OF[card] for card in suit_cards(suit, byte))


# Notation

_CARD = r"[AKQJT987][CDHS]"
_MOVE = re.compile(
    rf"(?P<card>{_CARD})"
    rf"|EX(?P<exchange>(?:{_CARD})*)"
    rf"|BL(?P<blanche>[1-9]?)"
    rf"|(?P<word>GD|MK|EQ|NB|LK|NL)"
    rf"|(?P<beaten>NG)(?:[0-9]{{1,2}}|[AKQJT987][34]?)?"
    rf"|(?P<passed>PT|SQ|ST)?:?-"
    rf"|PT:?(?P<suit>[CDHS])"
    rf"|SQ:?(?:(?P<top>{_CARD})(?P<size>[3-8])|(?P<size2>[3-8])(?P<top2>{_CARD}))"
    rf"|ST:?(?:(?P<rank>[AKQJT987])(?P<count>[34])|(?P<count2>[34])(?P<rank2>[AKQJT987]))"
)


def parse_move(text: str) -> PiquetMove:
    """The move that a text means; parts in any order; `NG 49`, `NG K` and `NG A3` are `NG`. :raises UnreadableMove:"""
    tidy = "".join(text.upper().split()).replace("10", "T")
    match = _MOVE.fullmatch(tidy)
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Piquet. Write EX 9D 8C to exchange, PT:H, SQ:KH4 or ST:K4 to "
            "declare, GD, MK, EQ or NG to answer, AS to play a card."
        )
    if match["card"]:
        return PLAY_OF[match["card"]]
    if match["exchange"] is not None:
        return parse_exchange(re.findall(_CARD, match["exchange"]))
    if match["blanche"] is not None:
        return CarteBlanche(int(match["blanche"] or 0))
    if match["word"] or match["beaten"]:
        return Word(match["word"] or match["beaten"])
    if match["suit"]:
        return Claim(POINT, match["suit"])
    if match["top"] or match["top2"]:
        return Claim(SEQUENCE, (match["top"] or match["top2"]) + (match["size"] or match["size2"]))
    if match["rank"] or match["rank2"]:
        return Claim(SET, (match["rank"] or match["rank2"]) + (match["count"] or match["count2"]))
    return PASS_OF[CATEGORY[match["passed"]]] if match["passed"] else Pass()


def parse_exchange(cards: Sequence[Card]) -> Exchange:
    """The exchange of these cards. :raises UnreadableMove:"""
    if len(set(cards)) < len(cards):
        raise UnreadableMove("A card is named twice; name each card of the exchange once.")
    return Exchange(cards_of(mask(cards)))


# The exchange


@dataclass(frozen=True, slots=True)
class Blanche:
    """A declared carte blanche. number: what elder will exchange, 0 if it is younger's. cards: the hand as dealt."""

    seat: int
    number: int
    cards: Hand


def exchange_limits(
    options: Options, blanche: Blanche | None, held: int, left: int, *, is_elder: bool
) -> tuple[int, int]:
    """The fewest and the most cards to exchange with so many in the hand and so many left in the talon."""
    promised = blanche.number if blanche is not None else 0
    if not is_elder:
        return int(options["younger_min"]), min(held, left - promised)
    return (promised, promised) if promised else (1, min(ELDER_MOST, held, left))
