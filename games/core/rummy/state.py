"""State, view and positions of rummy with melds on the table: what the games of the family share.

Hands, a stock and numbered melds; a game adds its turn, the end of a hand and its scores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any, ClassVar

from games.core.cards import Card, by_display
from games.core.contract import (
    Event,
    Game,
    HandResult,
    ImpossiblePosition,
    Options,
    Phrase,
    Position,
    View,
    Zone,
    open_zone,
)
from games.core.deals import Decks, numbered_decks
from games.core.dealt import DealtState
from games.core.positions import PositionReader, card_list, check_cards, numbered_melds, with_seats
from games.core.rummy.melds import Fault, Meld, MeldRules, read_meld


class RummyState(DealtState):
    """A game in progress.

    hands: in the order of `in_order`. table: melds by number, ascending, or what has such `cards`. stock: the next
    card last. log: what everybody saw, oldest first.
    """

    __slots__ = ("hands", "log", "stock", "table")

    PUBLIC: ClassVar[tuple[str, ...]] = ("options", "dealer", "deal_number", "to_act", "scores", "results", "log")
    """Fields that a view has under the same name, lists as tuples: everybody knows them."""

    TURN_RULE: ClassVar[str]
    """The rule that says whose turn it is."""

    hands: list[tuple[Card, ...]]
    log: tuple[Event, ...]
    stock: list[Card]
    table: dict[int, Any]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        self.log = ()
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)

    def clear_table(self) -> None:
        self.to_act = ()
        self.hands = [()] * self.seats
        self.table = {}
        self.stock = []

    def _deal(self, each: int) -> None:
        """Gives each seat so many cards of the next deck at once, from the dealer's left; the rest is the stock."""
        self.clear_table()
        deck = self.next_deck()
        for place, seat in enumerate(self.seats_after(self.dealer)):
            self.hands[seat] = self.in_order(deck[place * each : (place + 1) * each])
        self.stock = list(reversed(deck[self.seats * each :]))
        self._tell(None, Phrase("deal", f"{each} cards each, @{self.dealer} dealing"))

    def cards(self) -> list[Card]:
        return [*chain(*self.hands), *chain(*(meld.cards for meld in self.table.values())), *self.stock]

    @staticmethod
    def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
        """Cards as a hand is sorted."""
        return tuple(by_display(cards))

    def _receive(self, seat: int, *cards: Card) -> None:
        """Puts cards into a hand."""
        self.hands[seat] = self.in_order((*self.hands[seat], *cards))

    def _part_with(self, seat: int, cards: Collection[Card]) -> None:
        """Takes cards out of a hand."""
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in cards)

    def _tell(self, seat: int | None, phrase: Phrase, *touches: str) -> None:
        self.log = (*self.log, Event(seat, phrase, touches))

    def check_turn(self, seat: int) -> None:
        """:raises NotYourTurn:"""
        if seat not in self.to_act:
            message = (
                "It is another player's turn; yours will come."
                if self.to_act
                else "The game is over; start another one."
            )
            self.game.refuse_turn(self.TURN_RULE, message)

    def check_fault(self, fault: Fault | None) -> None:
        """:raises IllegalMove: there is a fault."""
        if fault is not None:
            self.refuse(fault.rule, fault.message)

    def _hand_zones(self) -> tuple[Zone, ...]:
        """What everybody has left, laid open."""
        return tuple(
            open_zone(f"hand:{seat}", "hand", f"Left in the hand of @{seat}", hand, owner=seat)
            for seat, hand in enumerate(self.hands)
        )

    def _record(self, result: HandResult) -> None:
        self.results = (*self.results, result)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]

    # What is seen and kept

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The fields of a `RummyView`."""
        public = {name: getattr(self, name) for name in self.PUBLIC}
        return {name: tuple(value) if isinstance(value, list) else value for name, value in public.items()} | {
            "seat": seat,
            "seats": self.seats,
            "moves": () if seat is None else tuple(self.legal_moves(seat)),
            "hand": () if seat is None else self.hands[seat],
            "hand_counts": tuple(map(len, self.hands)),
            "table": tuple(self.table.items()),
            "stock_count": len(self.stock),
        }

    def take_over(self, view: RummyView, rng: Random) -> list[Card]:
        """Puts what the view shows on an empty table, and gives the other hands cards by `rng`.

        Hands and piles may hold the cards that are known to lie there. Returns those that lie nowhere now, shuffled.
        """
        for name in self.PUBLIC:
            value = getattr(view, name)
            setattr(self, name, list(value) if isinstance(getattr(self, name), list) else value)
        self.table = dict(view.table)
        if view.seat is not None:
            self.hands[view.seat] = view.hand
        seen = set(self.cards())
        unseen = [card for card in self.game.deck(self.options) if card not in seen]
        rng.shuffle(unseen)
        for seat, size in enumerate(view.hand_counts):
            self._receive(seat, *(unseen.pop() for _ in range(size - len(self.hands[seat]))))
        return unseen

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "to_move": self.to_act[0] if self.to_act else None,
            "scores": list(self.scores),
            "hands": [list(hand) for hand in self.hands],
            "table": {str(number): str(meld) for number, meld in self.table.items()},
            "stock": self.stock[::-1],
        }


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
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=count, owner=seat, note=self._note(seat))

    def _piles(self) -> tuple[Zone, ...]:
        note = "" if self.stock_count else "used up"
        return (Zone("stock", "stock", "Stock", count=self.stock_count, note=note),)

    def _melds(self) -> Iterator[Zone]:
        return (open_zone(f"meld:{number}", "meld", f"Meld {number}", meld.cards) for number, meld in self.table)

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        """What the table says beside a hand."""
        return ""


class RummyReader(PositionReader):
    """Reads what the games share of a position. :raises ImpossiblePosition:

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
    """The keys with an entry a seat."""

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
        self.decks = Decks(numbered_decks(self.pack) if deals is None else deals)

    @property
    def is_over(self) -> bool:
        """Whether the position says that nobody is to move."""
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
            lying = set(state.cards())
            state.stock = self.unread_stock([card for card in self.pack if card not in lying])[::-1]

    def entry(self, rules: MeldRules, entry: Any) -> Any:
        """What lies on the table under a number."""
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

    def unread_stock(self, rest: list[Card]) -> list[Card]:
        """The stock if none is written, the next card first. rest: cards that lie nowhere else."""
        return rest[: self.number("stock_count", 0, high=len(rest))]
