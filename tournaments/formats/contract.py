"""The contract every tournament format keeps: records in, records out.

A format is told who plays and which matches there are, and answers which matches can be paired now, how the
draw looks and how everyone stands. It knows no database, no clock and no chance: seeds are given. Since an
answer depends only on the records, asking twice, or after a crash, gives the same answer, and matches that
exist are never paired again.

One `next_matches` serves all formats, because the format decides what "now" means: a knock-out pairs a match
as soon as its entrants are known, a Swiss or a round of pods pairs a whole round once the last one is
complete, an arena pairs whoever is free. A match has as many sides as the format's tables have seats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Entrant:
    """Someone who plays. id: any number that is theirs alone. seed: 1 is the strongest; seeds are 1 ... n."""

    id: int
    seed: int


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Where a match belongs, and its name: an event has one match at each spot.

    section: a part of the event with rounds of its own, such as the main draw, a losers' bracket or a group.
    round: from 1. slot: from 0, top to bottom.
    """

    section: str
    round: int
    slot: int


@dataclass(frozen=True, slots=True)
class Match:
    """A meeting at one spot. A bye is a match with one entrant that is won from the start.

    entrants: ids by side. places: by side, None until it is decided; 1 is first, and nobody is where all
    forfeit.
    """

    spot: Spot
    entrants: tuple[int, ...]
    places: tuple[int, ...] | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.entrants) == 1

    @property
    def winner(self) -> int | None:
        """The entrant alone in first place; None before that is known, or where there is none."""
        if self.places is None or self.places.count(1) != 1:
            return None
        return self.entrants[self.places.index(1)]

    @property
    def losers(self) -> tuple[int, ...]:
        """Everyone but the winner of a decided match."""
        if self.places is None:
            return ()
        return tuple(entrant for entrant in self.entrants if entrant != self.winner)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one entrant stands.

    place: 1 is first, shared by equals; None while it is still open. last_place: the last of the shared
    places, so that 5 to 8 can be shown. reason: why, in words.
    """

    entrant: int
    place: int | None
    last_place: int | None
    wins: int
    losses: int
    reason: str


@dataclass(frozen=True, slots=True)
class Side:
    """One line of a cell: an entrant, or in words who will come. has_won: None until the match is decided."""

    entrant: int | None
    text: str = ""
    has_won: bool | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A match of the draw, also one that is not paired yet. title: "Quarter-final 2"."""

    spot: Spot
    title: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A round of the draw."""

    round: int
    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the draw. is_tree: cells 2k and 2k + 1 of a column lead to cell k of the next one."""

    id: str
    title: str
    is_tree: bool
    columns: tuple[Column, ...]


class Format(ABC):
    """A way to hold a tournament. Instances are frozen dataclasses whose fields are the format's own options.

    A field carries its label for forms as `metadata["label"]`.
    sides: how many sides a match can have.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    sides: ClassVar[tuple[int, ...]]

    @abstractmethod
    def rounds(self, entrants: int) -> int:
        """How many rounds are planned for that many entrants."""

    @abstractmethod
    def next_matches(self, entrants: Sequence[Entrant], matches: Sequence[Match]) -> list[Match]:
        """Every match that can be paired now and is not in `matches`, in the order of their spots."""

    @abstractmethod
    def standings(self, entrants: Sequence[Entrant], matches: Sequence[Match]) -> list[Standing]:
        """One for each entrant, best first."""

    @abstractmethod
    def draw(self, entrants: Sequence[Entrant], matches: Sequence[Match]) -> tuple[Section, ...]:
        """The whole event as it can be drawn, with places for what is not known yet."""

    def is_over(self, entrants: Sequence[Entrant], matches: Sequence[Match]) -> bool:
        """True once everything is decided and nothing is left to pair."""
        return all(match.places for match in matches) and not self.next_matches(entrants, matches)
