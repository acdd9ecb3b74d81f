"""Rummy in which a meld may take cards from melds on the table: what Carousel and Krambambuli share.

A turn is a draw and steps; hands are dealt until the game is decided. The rule ids cited here stand in the book of
each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

from games.core.cards import Card
from games.core.contract import Event, Game, HandResult, ImpossiblePosition, Options, Phrase, Position
from games.core.deals import Decks
from games.core.rummy.melds import Meld, MeldRules
from games.core.rummy.position import RummyReader, dump_rummy
from games.core.rummy.state import RummyState
from games.core.rummy.steps import Step
from games.core.rummy.view import RummyView


class StealingState(RummyState):
    """deal_number: of the hand being played or, once the game is over, of one more."""

    __slots__ = ("phase", "rules")

    HAND_CARDS: ClassVar[int]
    PUBLIC = (*RummyState.PUBLIC, "phase")

    phase: StrEnum
    rules: MeldRules

    def __init__(
        self, game: Game[Any, Any, Any], decks: Decks, rules: MeldRules, *, seats: int, options: Options, dealer: int
    ) -> None:
        self.rules = rules
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)

    def deal_hand(self) -> None:
        self._deal(self.HAND_CARDS)
        self.begin_turn(self.seat_after(self.dealer))

    @abstractmethod
    def begin_turn(self, seat: int) -> None: ...

    @abstractmethod
    def is_decided(self) -> bool:
        """Whether the game is over after this hand."""

    @abstractmethod
    def meld(self, number: int) -> Meld | None:
        """The meld on the table with this number."""

    def close_hand(self, result: HandResult) -> None:
        """Records a finished hand, then deals the next one or ends the game."""
        self._record(result)
        self.deal_number += 1
        self.dealer = self.seat_after(self.dealer)
        self.log = (Event(None, Phrase("", f"Hand {result.number}: {result.summary}")),)
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    # Refusals

    def _check_there(self, seat: int, step: Step) -> None:
        """Melds and cards are there, each card is used once, and the enlarged meld keeps its cards."""
        self._check_melds_there(step)
        enlarged = self.meld(step.number)
        for card in step.laid(enlarged):
            if card not in self.hands[seat]:
                self.refuse("cards-available", self._zone_in_words(seat, card))
        swaps = [theft.swap for theft in step.thefts if theft.swap]
        for card, times in Counter((*step.meld.cards, *swaps)).items():
            if times > 1:
                self.refuse("cards-available", f"{card} is there only once; use another card beside it.")
        for card in enlarged.cards if enlarged else ():
            if card not in step.meld.cards:
                self.refuse("table-stays", f"{card} has to stay in meld {step.number}; leave all its cards there.")

    def _check_melds_there(self, step: Step) -> None:
        """The melds that a step names are on the table, with the cards that it steals."""
        for number in (*([step.number] if step.number else []), *(theft.number for theft in step.thefts)):
            if number not in self.table:
                there = ", ".join(map(str, self.table)) or "none yet"
                self.refuse("cards-available", f"There is no meld {number} on the table; choose from: {there}.")
        for theft in step.thefts:
            if theft.card not in self.table[theft.number].cards:
                self.refuse("cards-available", f"{theft.card} is not in meld {theft.number}; look where it is.")

    def _zone_in_words(self, seat: int, card: Card) -> str:
        """Says in which zone a card is that is not in the hand."""
        for number, meld in self.table.items():
            if card in meld.cards:
                return f"{card} is in meld {number}, not in your hand; you could only steal it."
        hand = " ".join(self.hands[seat]) or "none"
        return f"{card} is not in your hand; your cards are {hand}."


@dataclass(frozen=True, slots=True, kw_only=True)
class StealingView(RummyView):
    """phase: of the turn."""

    phase: StrEnum


StateT = TypeVar("StateT", bound=StealingState)
PhaseT = TypeVar("PhaseT", bound=StrEnum)


def dump_stealing(state: StealingState) -> Position:
    """Shared part of a position."""
    return dump_rummy(state) | {"phase": str(state.phase), "hands_played": state.deal_number - 1}


class StealingReader(RummyReader):
    """Besides, phase: of the turn. hands_played: finished hands."""

    KEYS = (*RummyReader.KEYS, "phase", "hands_played")

    def table(self, game: Game[StateT, Any, Any], *, most_hands: int) -> StateT:
        """A state with the cards of the position, before its turn."""
        dealer = self.number("dealer", self.seats - 1, high=self.seats - 1)
        state = game.undealt(self.decks, seats=self.seats, options=self.options, dealer=dealer)
        state.scores = self.numbers("scores", high=100_000)
        state.deal_number = 1 + self.number("hands_played", 0, high=most_hands)
        self.read_cards(state, state.rules)
        return state

    def read_turn_phase(self, phases: Sequence[PhaseT], default: PhaseT) -> PhaseT:
        """One of these phases, in any capitals, with spaces or hyphens."""
        said = str(self.data.get("phase") or default).lower().replace(" ", "-")
        for phase in phases:
            if said == phase:
                return phase
        raise ImpossiblePosition(f"phase: choose {', '.join(phases[:-1])} or {phases[-1]}.")
