"""Positions of rummy with melds on the table: shared writing and reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Position
from games.core.positions import PositionReader, card_list, check_cards, numbered_melds, with_seats
from games.core.rummy.melds import Meld, MeldRules, read_meld
from games.core.rummy.state import RummyState


def dump_rummy(state: RummyState) -> Position:
    """Shared part of a position."""
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "dealer": state.dealer,
        "to_move": state.to_act[0] if state.to_act else None,
        "scores": list(state.scores),
        "hands": [list(hand) for hand in state.hands],
        "table": {str(number): str(meld) for number, meld in state.table.items()},
        "stock": state.stock[::-1],
    }


class RummyReader(PositionReader):
    """Reads the shared part of a position. :raises ImpossiblePosition:

    seats (or players): as many as the other keys need. options: by name. dealer: the last seat.
    to_move: the seat at the dealer's left; null once the game is over. scores: by seat.
    hands: by seat, lists or texts. table: melds by number, such as "9C1+9D1+XB".
    stock: the next card first, or stock_count cards that lie nowhere else.
    """

    KEYS: ClassVar[tuple[str, ...]] = (
        *("seats", "options", "dealer", "to_move", "scores"),
        *("hands", "table", "stock", "stock_count"),
    )

    BY_SEAT: ClassVar[Sequence[str]] = ("hands", "scores")
    """The keys with one entry for each seat."""

    SUCH_AS = "9C1+9D1+9H1"
    """An entry of the table as the game writes it."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        data: Any,
        deals: Iterable[Sequence[Card]] | None,
        *,
        fewest_seats: int | None = None,
    ) -> None:
        """fewest_seats: for the cards that are written, where these are too many for the fewest of the game."""
        fewest = min(game.seats) if fewest_seats is None else fewest_seats
        super().__init__(game, with_seats(data, fewest=fewest, most=max(game.seats), keys=self.BY_SEAT), self.KEYS)
        self.pack = game.deck(self.options)
        self.decks = self.following_decks(deals)

    @property
    def is_over(self) -> bool:
        """Whether the position says that no seat is to move."""
        return "to_move" in self.data and self.data["to_move"] is None

    def cards(self, key: str) -> list[Card]:
        """Cards of the pack."""
        return self._known(card_list(self.data.get(key), key))

    def _known(self, cards: list[Card]) -> list[Card]:
        check_cards(cards, self.pack)
        return cards

    def read_cards(self, state: RummyState, rules: MeldRules) -> None:
        """Hands, melds and stock."""
        state.hands = [state.in_order(self._known(cards)) for cards in self.card_lists("hands")]
        numbered = numbered_melds(self.data.get("table"), most=len(self.pack), such_as=self.SUCH_AS)
        state.table = dict(sorted((number, self.entry(rules, entry)) for number, entry in numbered))
        state.stock = self.cards("stock")[::-1]
        check_cards(state.cards(), self.pack)
        if self.data.get("stock") is None:
            state.stock = self.unread_stock(set(state.cards()))[::-1]

    def entry(self, rules: MeldRules, entry: Any) -> Any:
        """The meld on the table with this number."""
        return self.meld(rules, entry)

    def meld(self, rules: MeldRules, text: object) -> Meld:
        try:
            meld = read_meld(str(text))
        except ValueError as error:
            raise ImpossiblePosition(f"table: {error}.") from None
        self._known(list(meld.cards))
        fault = rules.fault(meld)
        if fault is not None:
            raise ImpossiblePosition(f"table: {fault.message}")
        return meld

    def unread_stock(self, used: set[Card]) -> list[Card]:
        """The stock if none is given, the next card first. used: the cards in other zones."""
        rest = [card for card in self.pack if card not in used]
        return rest[: self.number("stock_count", 0, high=len(rest))]
