"""Imagined states of Cuarenta (`sample`): hidden cards in keeping with what was announced and seen."""

from collections.abc import Sequence
from itertools import chain
from math import comb
from random import Random

from games.core.cards import Card
from games.engines.cuarenta.moves import HAND_SIZE, PACK, RONDA_CARDS, SIDES
from games.engines.cuarenta.rondas import groups_of
from games.engines.cuarenta.scoring import POINTS
from games.engines.cuarenta.state import CuarentaState
from games.engines.cuarenta.view import CuarentaView


def imagine(state: CuarentaState, view: CuarentaView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards, and rondas to proclaimers."""
    state.take_public(view)
    state.scores = list(view.scores[:SIDES])
    state.games = list(view.games)
    state.turns, state.log = list(view.turns), view.log[: len(view.log) - len(view.turns)]
    state.pot = list(view.pot)
    state.shown = list(view.shown)
    state.falls = view.falls
    state.tally = {rule: list(times) for rule, times in zip(POINTS, view.tally, strict=True)}
    state.laid_by = dict(view.laid_by)
    if view.seat is not None:
        state.rondas[view.seat] = view.ronda
    HiddenCards(state, view, rng).deal()


class HiddenCards:
    """Deals the cards that a view does not show."""

    def __init__(self, state: CuarentaState, view: CuarentaView, rng: Random) -> None:
        self.view = view
        self.state = state
        self.rng = rng
        self.kind = str(view.options["ronda"])
        state.hands = [list(hand or ()) for hand in view.hands]
        state.piles = [list(cards) for cards in view.remembered]
        self.open = [*view.pot, *chain.from_iterable(view.remembered)]
        seen = set(state.cards())
        self.unseen = [card for card in PACK if card not in seen]
        rng.shuffle(self.unseen)
        present = sum(view.hand_counts) + len(self.open) + view.stock_count
        # How many of the cards lie nowhere, which is so in positions that were cut down.
        self.missing = len(PACK) - present

    def deal(self) -> None:
        view, state = self.view, self.state
        self._set_aside_what_was_caught()
        for seat in view.proclaimers:
            if seat != view.seat:
                state.rondas[seat] = self._ronda_of(seat)
        for seat, count in enumerate(view.hand_counts):
            self._fill(state.hands[seat], count)
        self._fill(state.stock, view.stock_count)
        for seat in view.proclaimers:
            if seat != view.seat:
                self._complete_ronda(seat)

    def _fill(self, cards: list[Card], count: int) -> None:
        while len(cards) < count:
            cards.append(self.unseen.pop())

    def _set_aside_what_was_caught(self) -> None:
        """The viewer's own ronda and catches are in no other hand, also where a position leaves them out."""
        for card in dict.fromkeys([*(fall.card for fall in self.view.falls), *self.view.ronda]):
            if card in self.unseen:
                self._leave_out(card)

    def _leave_out(self, card: Card) -> None:
        """Makes an unseen card one of those that are nowhere."""
        self.missing -= 1
        self.unseen.remove(card)

    def _ronda_of(self, seat: int) -> tuple[Card, ...]:
        """Three cards that the seat may have been dealt: known to be laid by it, in the pot, captured, in its hand."""
        known = self._known_of(seat)
        groups = self._groups(known)
        unknown = sum(map(len, groups)) - len(known)
        # A random order in which likely groups tend to come first (Efraimidis and Spirakis).
        groups.sort(key=lambda group: -(self.rng.random() ** (1 / _odds(group, known, unknown))))
        for group in groups:
            found = self._dealt(seat, group, known)
            if found:
                return found
        return tuple(max(groups, key=len)[:RONDA_CARDS])

    def _known_of(self, seat: int) -> list[Card]:
        """Cards that the seat is known to have been dealt: played by it, or in an open hand."""
        caught = [fall.card for fall in self.view.falls if fall.layer == seat]
        played = [card for card, player in self.view.laid_by if player == seat]
        return [*dict.fromkeys([*caught, *played]), *self.state.hands[seat]]

    def _groups(self, known: list[Card]) -> list[list[Card]]:
        """Cards of one suit or rank that may have been the seat's: those known, then the open ones, then the unseen."""
        others = {*self.view.ronda, *self.state.laid_by, *known}
        lying = [card for card in self.open if card not in others]
        return list(groups_of([*known, *lying, *self.unseen], self.kind).values())

    def _dealt(self, seat: int, group: list[Card], known: list[Card]) -> tuple[Card, ...]:
        """The first three of the group that fit into the five cards of the seat, () if they do not."""
        hand = self.state.hands[seat]
        in_hand = self.view.hand_counts[seat] - len(hand)
        laid = HAND_SIZE - in_hand - len(known)
        held: list[Card] = []
        absent: list[Card] = []
        found: list[Card] = []
        for card in group:
            if len(held) < in_hand and card in self.unseen:
                held.append(card)
            elif card not in known:
                if len(found) - len(held) - sum(other in known for other in found) >= laid:
                    continue
                if card in self.unseen:
                    if len(absent) >= self.missing:
                        continue
                    absent.append(card)
            found.append(card)
            if len(found) == RONDA_CARDS:
                self._place(seat, found, held, absent)
                return tuple(found)
        return ()

    def _place(self, seat: int, found: list[Card], held: list[Card], absent: list[Card]) -> None:
        """Puts the unseen cards of an imagined ronda into the hand or nowhere; others are in the pot or captured."""
        self.state.hands[seat] += held
        self.unseen = [card for card in self.unseen if card not in held]
        for card in absent:
            self._leave_out(card)
        self.state.laid_by.update({card: seat for card in found if card in self.view.pot})

    def _complete_ronda(self, seat: int) -> None:
        """The ronda is all cards of the suit or rank that the seat was dealt."""
        ronda = self.state.rondas[seat]
        more = [card for card in self.state.hands[seat] if card not in ronda]
        same = groups_of([ronda[0], *more], self.kind)[ronda[0][self.kind == "suit"]]
        self.state.rondas[seat] = (*ronda, *same[1:])


def _odds(group: Sequence[Card], known: Sequence[Card], unknown: int) -> float:
    """How likely five cards, some of them `known`, hold a ronda from this group; `unknown`: cards to choose from."""
    there = sum(card in known for card in group)
    needed, free = max(0, RONDA_CARDS - there), max(0, HAND_SIZE - len(known))
    return comb(free, needed) * comb(len(group) - there, needed) / max(comb(unknown, needed), 1) + 1e-9
