"""Cards and moves of Gin Rummy: the pack, the moves beside those of `games.core.moves`, and their notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self, TypeAlias

from games.core.card_bits import BIT, CARD
from games.core.cards import Card, in_capitals, pack
from games.core.contract import Move, UnreadableMove
from games.core.moves import TAKE, Discard, Draw, Take

PACK = pack()
SEATS = 2
HAND_CARDS = 10
STOCK_CARDS = 31
UNDRAWN_CARDS = 2
UPCARD_TURNS_IN_A_ROW = 12
MOST_CARD_POINTS = 10


class Phase(StrEnum):
    FIRST_UPCARD = "first-upcard"
    DRAW = "draw"
    DISCARD = "discard"
    SHOWDOWN = "showdown"
    OVER = "over"


FIRST_UPCARD, DRAW, DISCARD, SHOWDOWN, OVER = Phase

Meld: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Leaves the first upcard: `P`."""

    def __str__(self) -> str:
        return "P"


@dataclass(frozen=True, slots=True)
class Knock(Move):
    """Ends the hand with `card` face down: `K 9C: 3H-4H-5H 7C+7D+7S`; cards that are not named are deadwood.

    melds: by their lowest cards, each in display order; build it by `Knock.of`.
    """

    card: Card
    melds: tuple[Meld, ...]

    @classmethod
    def of(cls, card: Card, melds: Iterable[Iterable[Card]]) -> Self:
        return cls(card, laid_out(melds))

    def __str__(self) -> str:
        return f"K {self.card}: {meld_texts(self.melds)}".strip()


@dataclass(frozen=True, slots=True)
class BigGin(Move):
    """Ends the hand with eleven cards in melds and no discard: `B: meld meld meld`."""

    melds: tuple[Meld, ...]

    def __str__(self) -> str:
        return f"B: {meld_texts(self.melds)}".strip()


@dataclass(frozen=True, slots=True)
class Showdown(Move):
    """The defender's melds and lay-offs: `S: KC+KD+KS / 8H>1 9H>1`.

    layoffs: card and the knocker's meld, from 1 by their lowest cards; in display order.
    """

    melds: tuple[Meld, ...]
    layoffs: tuple[tuple[Card, int], ...] = ()

    def __str__(self) -> str:
        layoffs = " ".join(f"{card}>{meld}" for card, meld in self.layoffs)
        return " ".join(part for part in ("S:", meld_texts(self.melds), layoffs and "/ " + layoffs) if part)


GinRummyMove: TypeAlias = Pass | Take | Draw | Discard | Knock | BigGin | Showdown

PASS, DRAW_CARD = Pass(), Draw()
DISCARD_OF = {bit: Discard(card) for bit, card in CARD.items()}


def meld_text(meld: Meld) -> str:
    return ("+" if meld[0][0] == meld[-1][0] else "-").join(meld)


def meld_texts(melds: Iterable[Meld]) -> str:
    return " ".join(map(meld_text, melds))


def all_cards(melds: Iterable[Meld]) -> tuple[Card, ...]:
    return tuple(card for meld in melds for card in meld)


def laid_out(melds: Iterable[Iterable[Card]]) -> tuple[Meld, ...]:
    """Melds as they lie on the table: by their lowest cards, each in display order."""
    return tuple(sorted((tuple(sorted(meld, key=BIT.__getitem__)) for meld in melds), key=_places))


def _places(meld: Meld) -> list[int]:
    return [BIT[card] for card in meld]


# Reading moves

CARD_PATTERN = r"[A2-9TJQK][CDHS]"
_MELD = rf"{CARD_PATTERN}(?:[-+]{CARD_PATTERN})*"
_MELDS = rf"(?:{_MELD}(?: {_MELD})*)?"
_LAYOFF = rf"{CARD_PATTERN}>[0-9]{{1,2}}"
_MOVE = re.compile(
    rf"(?P<simple>[PUD])"
    rf"|X ?(?P<discard>{CARD_PATTERN})"
    rf"|K ?(?P<knock>{CARD_PATTERN}) ?:? ?(?P<melds>{_MELDS})"
    rf"|B ?:? ?(?P<big>{_MELDS})"
    rf"|S ?:? ?(?P<own>{_MELDS})(?: ?/ ?(?P<layoffs>(?:{_LAYOFF}(?: {_LAYOFF})*)?))?"
)
_SIMPLE: dict[str, GinRummyMove] = {"P": PASS, "U": TAKE, "D": DRAW_CARD}


def parse_move(text: str) -> GinRummyMove:
    """The move that a text means. :raises UnreadableMove:"""
    tidy = " ".join(in_capitals(text).split())
    match = _MOVE.fullmatch(re.sub(r" ?([-+>]) ?", r"\1", tidy))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Gin Rummy. "
            "Write U, D or P to begin a turn, X 9C to discard, K 9C: 3H-4H-5H 7C+7D+7S to knock."
        )
    if match["simple"]:
        return _SIMPLE[match["simple"]]
    if match["discard"]:
        return DISCARD_OF[BIT[match["discard"]]]
    if match["knock"]:
        return Knock.of(match["knock"], _read_melds(match["melds"]))
    if match["big"] is not None:
        return BigGin(laid_out(_read_melds(match["big"])))
    return Showdown(laid_out(_read_melds(match["own"])), _read_layoffs(match["layoffs"] or ""))


def _read_melds(text: str) -> list[list[Card]]:
    return [re.split("[-+]", meld) for meld in text.split()]


def _read_layoffs(text: str) -> tuple[tuple[Card, int], ...]:
    layoffs = {(laid[:2], int(laid[3:])) for laid in text.split()}
    return tuple(sorted(layoffs, key=lambda layoff: (BIT[layoff[0]], layoff[1])))


# What happened in a hand

Deed: TypeAlias = tuple[int, str, int]  # seat, letter of the move, and the card it showed or 0


def deed_text(deed: Deed) -> str:
    seat, letter, bit = deed
    return f"{seat}:{letter} {CARD[bit]}" if bit else f"{seat}:{letter}"


def turns_in_a_row(letter: str, deeds: Sequence[Deed]) -> int:
    """How many turns up to now began with this letter."""
    begun = "".join(deed[1] for deed in deeds if deed[1] != "X")
    return len(begun) - len(begun.rstrip(letter))
