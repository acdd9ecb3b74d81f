"""Builds of Casino: parcels of cards on the table."""

from dataclasses import dataclass

from games.core.cards import Card


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
