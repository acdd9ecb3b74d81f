"""Pack count: games that need one pack for few players and two for more."""

from collections.abc import Mapping
from typing import ClassVar

from games.core.cards import Card, in_capitals
from games.core.contract import Game, MoveT, Options, OptionValue, StateT, ViewT


class PackBySeats(Game[StateT, ViewT, MoveT]):
    """A game whose deck depends on the number of seats.

    Options that were read contain the number of `packs`, so they determine the deck; players do not choose it.
    one_pack_seats: up to so many seats share one pack. packs: the cards of one pack and of two, with their jokers.
    """

    one_pack_seats: ClassVar[int]
    packs: ClassVar[tuple[tuple[Card, ...], tuple[Card, ...]]]

    def deck(self, options: Options) -> tuple[Card, ...]:
        return self.packs[int(options["packs"]) - 1]

    def read_options(self, given: Mapping[str, object] | None, seats: int) -> dict[str, OptionValue]:
        chosen = {name: value for name, value in (given or {}).items() if name != "packs"}
        return {**super().read_options(chosen, seats), "packs": 1 if seats <= self.one_pack_seats else 2}

    def fewest_seats(self, position: object) -> int:
        """The fewest seats whose packs contain all cards of a position."""
        written = in_capitals(str(position))
        needs_two = any(card in written for card in set(self.packs[1]).difference(self.packs[0]))
        return self.one_pack_seats + 1 if needs_two else self.seats[0]
