"""View of rummy with melds on the table: hands around it, piles, melds, the own hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.core.cards import Card
from games.core.contract import View, Zone, open_zone


@dataclass(frozen=True, slots=True, kw_only=True)
class RummyView(View):
    """hand: () for a spectator. hand_counts: by seat. table: number and meld, ascending. deal_number: from 1."""

    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    table: tuple[tuple[int, Any], ...]
    stock_count: int
    dealer: int
    deal_number: int

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        around = [(first + step) % self.seats for step in range(self.seats)]
        others = [self._hidden_hand(seat) for seat in around if seat != self.seat]
        return (*others, *self._piles(), *self._melds(), *self._own_hand())

    def _hidden_hand(self, seat: int) -> Zone:
        count = self.hand_counts[seat]
        return Zone(f"hand:{seat}", "hand", f"@{seat}'s hand", count=count, owner=seat, note=self._note(seat))

    def _piles(self) -> tuple[Zone, ...]:
        note = "" if self.stock_count else "used up"
        return (Zone("stock", "stock", "Stock", count=self.stock_count, note=note),)

    def _melds(self) -> Iterator[Zone]:
        return (open_zone(f"meld:{number}", "meld", f"Meld {number}", meld.cards) for number, meld in self.table)

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", f"@{self.seat}'s hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        """The note beside a hand."""
        return ""
