"""Cards and moves of Casino: what a card counts, the moves, and their notation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.core.cards import RANKS, SUITS, Card, by_display, in_capitals, pack
from games.core.contract import Move, UnreadableMove

PACK = pack()
# A counts 1, 2-10 their face value; face cards have no number value and are missing here.
VALUES: Mapping[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK if card[0] not in "JQK"}
# The place of a card in display order, which is the order of the items of a move.
PLACE = {card: place for place, card in enumerate(by_display(PACK))}

HAND_SIZE = 4

FACES = {"J": "jack", "Q": "queen", "K": "king"}


# Moves


@dataclass(frozen=True, slots=True)
class Trail(Move):
    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """`card` takes `loose` cards, in display order, and the builds with the values `builds`, ascending."""

    card: Card
    loose: tuple[Card, ...]
    builds: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.card}x{_items(self.loose, self.builds)}"


@dataclass(frozen=True, slots=True)
class Sweep(Capture):
    """A capture that has taken everything, as it is recorded where sweeps count: `KSxKD+[13]*`."""

    def __str__(self) -> str:
        return f"{self.card}x{_items(self.loose, self.builds)}*"


@dataclass(frozen=True, slots=True)
class MakeBuild(Move):
    """`card` makes a build of `value` with `loose` cards, in display order, and older `builds`, ascending.

    An older build of the same value is joined, one of another value is raised.
    """

    card: Card
    value: int
    loose: tuple[Card, ...]
    builds: tuple[int, ...] = ()

    @property
    def raised(self) -> tuple[int, ...]:
        return tuple([build for build in self.builds if build != self.value])

    def __str__(self) -> str:
        return f"{self.card}={self.value}:{_items(self.loose, self.builds)}"


@dataclass(frozen=True, slots=True)
class NotOneCard(Move):
    """No card (a pass) or several: readable, never legal, so that the refusal can name the rule."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "+".join(self.cards) or "pass"


CardPlay: TypeAlias = Trail | Capture | MakeBuild
CasinoMove: TypeAlias = CardPlay | NotOneCard


def _items(loose: Sequence[Card], builds: Sequence[int]) -> str:
    return "+".join([*loose, *(f"[{build}]" for build in builds)])


_CARD = rf"[{RANKS}][{SUITS}]"
_PLAY = re.compile(rf"({_CARD})(?:X|=(\d{{1,2}}):?)(.*)")
_ITEM = re.compile(rf"({_CARD})|\[(\d{{1,2}})\]")
HOW_TO_WRITE = "Write 8S to trail it, 8Sx3C+5H to capture, 5H=8:3C to build eight; [8] means the build of 8."


def parse_move(text: str) -> CasinoMove:
    """The move that a text means. :raises UnreadableMove:"""
    packed = re.sub(r" ?([X=:+,]) ?", r"\1", " ".join(in_capitals(text).split()))
    if packed == "PASS":
        return NotOneCard(())
    play = _PLAY.fullmatch(packed)
    if play is None:
        cards, builds = _read_items(packed)
        if not cards or builds:
            raise UnreadableMove(f"That is not a move of Casino. {HOW_TO_WRITE}")
        return Trail(cards[0]) if len(cards) == 1 else NotOneCard(cards)
    card, value, items = play.groups()
    loose, builds = _read_items(items)
    return Capture(card, loose, builds) if value is None else MakeBuild(card, int(value), loose, builds)


def _read_items(text: str) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Loose cards and build values, each in canonical order; what is named twice stays so, to be refused."""
    found = [_ITEM.fullmatch(word) for word in re.split(r"[+, ]+", re.sub(r"\[ ?(\d+) ?\]", r"[\1]", text)) if word]
    items = [item.groups() for item in found if item]
    if len(items) < len(found):
        raise UnreadableMove(f"One of the parts is neither a card nor a build. {HOW_TO_WRITE}")
    loose = by_display(card for card, _ in items if card)
    return tuple(loose), tuple(sorted(int(value) for _, value in items if value))


Turn: TypeAlias = tuple[int, CasinoMove]
