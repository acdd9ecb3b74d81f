"""Builds of Casino, and the values of cards, by which builds and captures add up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.core.captures import COMPLETE, Sums, division
from games.core.cards import Card
from games.engines.casino.moves import VALUES


@dataclass(frozen=True, slots=True)
class Build:
    """Cards on the table that are taken together by a card worth `value`.

    sets: each worth `value`, at least two cards in all. controller: the seat that owes a card of this value.
    """

    value: int
    sets: tuple[tuple[Card, ...], ...]
    controller: int

    @property
    def cards(self) -> list[Card]:
        return [card for cards in self.sets for card in cards]

    @property
    def is_single(self) -> bool:
        return len(self.sets) == 1

    def __str__(self) -> str:
        return f"[{self.value}:{'|'.join(' '.join(cards) for cards in self.sets)}@{self.controller}]"


@dataclass(frozen=True, slots=True, eq=False)
class CardValues:
    """What cards count; a card without value is missing in both mappings.

    in_sets: in a set of several cards. alone: when a card takes, when it is a set of its own and when it backs a build.
    highest: the highest build. complete: up to so many loose cards all sums are listed, beyond it a selection.
    """

    in_sets: Mapping[Card, int]
    alone: Mapping[Card, int]
    highest: int
    complete: int = COMPLETE

    def sums(self, loose: Iterable[Card]) -> Sums:
        """What the cards with a value add up to."""
        cards = [card for card in loose if card in self.in_sets]
        return Sums(cards, self.in_sets, self.highest, alone=self.alone, complete=self.complete)

    def division(self, cards: Sequence[Card], value: int) -> list[tuple[Card, ...]] | None:
        """All cards in sets worth `value`; None when they cannot be divided like that."""
        single = [card for card in cards if self.alone[card] == value != self.in_sets[card]]
        for count in range(len(single), -1, -1):
            rest = [card for card in cards if card not in single[:count]]
            sets = division(rest, self.in_sets, value)
            if sets is not None:
                return [*((card,) for card in single[:count]), *sets]
        return None

    def set_value(self, cards: Sequence[Card]) -> int:
        """What a set is worth, 0 if a card without value is in it."""
        if any(card not in self.in_sets for card in cards):
            return 0
        return self.alone[cards[0]] if len(cards) == 1 else sum(self.in_sets[card] for card in cards)

    def takers(self, value: int) -> list[Card]:
        """The cards that take a build of this value."""
        return [card for card in self.alone if self.alone[card] == value]


CASINO_VALUES = CardValues(VALUES, VALUES, highest=10)
