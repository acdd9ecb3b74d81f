"""Base class of every game's state: shared fields, and copying.

A field is declared once: in `__slots__`, with its type in the body of the class. The type says how it is copied: a
list, a dictionary or a set is copied, also inside another one. Everything else is shared: it never changes in place.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, NoReturn, Self, cast

from games.core.cards import Card
from games.core.contract import Game, HandResult, Options, Position, State, View
from games.core.deals import Decks

NONE_FRESH: tuple[tuple[tuple[Card, ...], int], ...] = (((), 0),)


class DealtState(State):
    """A game that is dealt from `decks`, one deck a deal.

    scores: points so far, by seat or, where a subclass says so, by side. results: the finished deals, oldest first.
    deal_number: of the deal being played, from 1. fresh: by seat, the cards that last came into the hand in play, with
    the size of the hand since then.
    """

    __slots__ = (
        "deal_number",
        "dealer",
        "decks",
        "decks_dealt",
        "fresh",
        "game",
        "options",
        "results",
        "scores",
        "seats",
        "to_act",
    )

    PUBLIC: ClassVar[tuple[str, ...]] = ("seats", "options", "to_act", "results", "dealer")
    """Public fields: those that every view has under the same name."""

    game: Game[Any, Any, Any]
    seats: int
    options: Options
    decks: Decks
    decks_dealt: int
    dealer: int
    deal_number: int
    scores: list[int]
    results: tuple[HandResult, ...]
    to_act: tuple[int, ...]
    fresh: tuple[tuple[tuple[Card, ...], int], ...]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        """A game before its first deal: `deal_hand` begins."""
        self.game = game
        self.seats = seats
        self.options = options
        self.decks = decks
        self.decks_dealt = 0
        self.dealer = dealer
        self.deal_number = 1
        self.scores = [0] * seats
        self.results = ()
        self.to_act = ()
        self.fresh = NONE_FRESH * seats
        self.clear_table()

    @abstractmethod
    def clear_table(self) -> None:
        """Takes all cards off the table, with what belongs to a single deal; no seat is to act."""

    def next_deck(self) -> Sequence[Card]:
        """The shuffled deck of the next deal, first card first."""
        deck = self.decks[self.decks_dealt]
        self.decks_dealt += 1
        self.fresh = NONE_FRESH * self.seats
        return deck

    def mark_fresh(self, seat: int, cards: tuple[Card, ...], hand_size: int) -> None:
        """Says that these cards have come into a hand, which now has so many."""
        self.fresh = (*self.fresh[:seat], (cards, hand_size), *self.fresh[seat + 1 :])

    def fresh_cards(self, seat: int, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards that last came into this hand; () once a card has been played."""
        cards, size = self.fresh[seat]
        return cards if size == len(hand) and {*cards} <= {*hand} else ()

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """The seat so many steps clockwise."""
        return (seat + steps) % self.seats

    def seats_after(self, seat: int) -> Iterator[int]:
        """All seats clockwise, from the left neighbour of this one to itself."""
        return (self.seat_after(seat, step) for step in range(1, self.seats + 1))

    def refuse(self, rule: str, message: str) -> NoReturn:
        """Refuses a move by a rule of this game, given by its short id. :raises IllegalMove:"""
        self.game.refuse(rule, message)

    def public_fields(self) -> dict[str, Any]:
        """The public fields by name, for a view."""
        return {name: getattr(self, name) for name in self.PUBLIC}

    def take_public(self, view: View) -> None:
        """Takes the public fields over from a view, for an imagined state."""
        for name in self.PUBLIC:
            setattr(self, name, getattr(view, name))

    def dump(self) -> Position:
        return self.game.dump(self)

    def copy(self) -> Self:
        return cast(Self, copy_function(type(self))(self))


@cache
def copy_function(state_class: type[DealtState]) -> Callable[[DealtState], DealtState]:
    """The function that copies states of this class, written out field by field, as `dataclasses` writes `__init__`.

    A loop over the fields takes twice as long, and search spends much of its time here.
    """
    bases = state_class.__mro__
    types = {
        name: str(kind) for base in reversed(bases) for name, kind in vars(base).get("__annotations__", {}).items()
    }
    names = [name for base in bases for name in vars(base).get("__slots__", ())]
    lines = [f"copied.{name} = {copy_expression(types[name], f'state.{name}')}" for name in names]
    source = "\n    ".join(["def copy(state):", "copied = new(state_class)", *lines, "return copied"])
    namespace: dict[str, Any] = {"new": object.__new__, "state_class": state_class}
    exec(source, namespace)
    return cast(Callable[[DealtState], DealtState], namespace["copy"])


def copy_expression(kind: str, value: str, depth: int = 0) -> str:
    """Python expression that copies a value of a type: `state.stock[:]` for "list[str]", `state.phase` for "Phase"."""
    container, _, inner = kind.removesuffix("]").partition("[")
    item = f"item{depth}"
    if container == "list":
        copied = copy_expression(inner, item, depth + 1)
        return f"{value}[:]" if copied == item else f"[{copied} for {item} in {value}]"
    if container == "dict":
        copied = copy_expression(inner.partition(", ")[2], item, depth + 1)
        return f"{value}.copy()" if copied == item else f"{{key: {copied} for key, {item} in {value}.items()}}"
    return f"{value}.copy()" if container == "set" else value
