"""State of rummy with melds on the table: shared by the games of the family.

Hands, a stock and numbered melds; a game adds its turn, the end of a hand and its scores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from random import Random
from typing import Any, ClassVar, TypeVar

from games.core.cards import Card, by_display
from games.core.contract import Event, Game, HandResult, Options, Phrase, Zone, open_zone
from games.core.deals import Decks, random_decks
from games.core.dealt import DealtState
from games.core.rummy.melds import Fault
from games.core.rummy.view import RummyView


class RummyState(DealtState):
    """A game in progress.

    hands: in the order of `in_order`. table: melds by number, ascending, or what has such `cards`. stock: the next
    card last. log: the public events, oldest first.
    """

    __slots__ = ("hands", "log", "stock", "table")

    PUBLIC = (*DealtState.PUBLIC, "deal_number", "scores", "log")

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
        self._add_to_log(None, Phrase("", f"@{self.dealer} [deal] {each} cards each"))

    def cards(self) -> list[Card]:
        return [*chain(*self.hands), *chain(*(meld.cards for meld in self.table.values())), *self.stock]

    @staticmethod
    def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
        """Cards as a hand is sorted."""
        return tuple(by_display(cards))

    def _receive(self, seat: int, *cards: Card) -> None:
        """Puts cards into a hand."""
        self.hands[seat] = self.in_order((*self.hands[seat], *cards))
        self.mark_fresh(seat, cards, len(self.hands[seat]))

    def _part_with(self, seat: int, cards: Collection[Card]) -> None:
        """Takes cards out of a hand."""
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in cards)

    def _add_to_log(self, seat: int | None, phrase: Phrase, *touches: str) -> None:
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
        """The cards left in all hands, face up."""
        return tuple(
            open_zone(f"hand:{seat}", "hand", f"Left in @{seat}'s hand", hand, owner=seat)
            for seat, hand in enumerate(self.hands)
        )

    def _record(self, result: HandResult) -> None:
        self.results = (*self.results, result)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]

    # What is seen and kept

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The fields of a `RummyView`."""
        public = self.public_fields().items()
        return {name: tuple(value) if isinstance(value, list) else value for name, value in public} | {
            "seat": seat,
            "moves": () if seat is None else tuple(self.legal_moves(seat)),
            "hand": () if seat is None else self.hands[seat],
            "hand_counts": tuple(map(len, self.hands)),
            "table": tuple(self.table.items()),
            "stock_count": len(self.stock),
            "fresh": () if seat is None else self.fresh_cards(seat, self.hands[seat]),
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


StateT = TypeVar("StateT", bound=RummyState)


def undealt_for(game: Game[StateT, Any, Any], view: RummyView, rng: Random) -> StateT:
    """An empty table for a sample of this view; `rng` deals later hands."""
    decks = Decks(random_decks(game.deck(view.options), rng))
    return game.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
