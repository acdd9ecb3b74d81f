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
    if view.last_play is not None:
        state.laid_by = {view.last_play[1]: view.last_play[0]}
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
        state.piles = [list(cards) for cards in view.shown]
        self.open = [*view.pot, *chain.from_iterable(view.shown)]
        seen = set(state.cards())
        self.unseen = [card for card in PACK if card not in seen]
        rng.shuffle(self.unseen)
        hidden = sum(view.hand_counts) + sum(view.pile_counts) + view.stock_count + len(view.pot)
        # How many of the cards lie nowhere, which is so in positions that were cut down.
        self.missing = len(PACK) - hidden

    def deal(self) -> None:
        view, state = self.view, self.state
        self._place_what_was_caught()
        for seat in view.proclaimers:
            if seat != view.seat:
                state.rondas[seat] = self._ronda_of(seat)
        for seat, count in enumerate(view.hand_counts):
            self._fill(state.hands[seat], count)
        for pile, count in zip(state.piles, view.pile_counts, strict=True):
            hidden = [self.unseen.pop() for _ in range(count - len(pile))]
            pile[:0] = hidden
        self._fill(state.stock, view.stock_count)
        for seat in view.proclaimers:
            if seat != view.seat:
                self._complete_ronda(seat)

    def _fill(self, cards: list[Card], count: int) -> None:
        while len(cards) < count:
            cards.append(self.unseen.pop())

    def _place_what_was_caught(self) -> None:
        """The viewer's own ronda and catches lie in the piles where they do not show."""
        for card in dict.fromkeys([*(fall.card for fall in self.view.falls), *self.view.ronda]):
            if card in self.unseen:
                self._hide(card)

    def _hide(self, card: Card) -> None:
        """Puts an unseen card under a pile with room, else nowhere."""
        rooms = self._rooms()
        if rooms:
            self.rng.choice(rooms).insert(0, card)
        else:
            self.missing -= 1
        self.unseen.remove(card)

    def _rooms(self) -> list[list[Card]]:
        """The piles that still lack cards."""
        counts = self.view.pile_counts
        return [pile for pile, count in zip(self.state.piles, counts, strict=True) if len(pile) < count]

    def _ronda_of(self, seat: int) -> tuple[Card, ...]:
        """Three cards that the seat may have been dealt: known to be laid by it, in the pot, in its hand, in piles."""
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
        """Cards that the seat is known to have been dealt: caught by the viewer, laid just now, or in an open hand."""
        known = [fall.card for fall in self.view.falls if fall.layer == seat]
        if self.view.last_play is not None and self.view.last_play[0] == seat:
            known.append(self.view.last_play[1])
        return [*known, *self.state.hands[seat]]

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
        closed = self.missing + sum(self.view.pile_counts) - sum(map(len, self.state.piles))
        held: list[Card] = []
        hidden: list[Card] = []
        found: list[Card] = []
        for card in group:
            if len(held) < in_hand and card in self.unseen:
                held.append(card)
            elif card not in known:
                if len(found) - len(held) - sum(other in known for other in found) >= laid:
                    continue
                if card in self.unseen:
                    if len(hidden) >= closed:
                        continue
                    hidden.append(card)
            found.append(card)
            if len(found) == RONDA_CARDS:
                self._place(seat, found, held, hidden)
                return tuple(found)
        return ()

    def _place(self, seat: int, found: list[Card], held: list[Card], hidden: list[Card]) -> None:
        """Puts the cards of an imagined ronda where they lie: in the hand, under a pile, or open in the pot."""
        self.state.hands[seat] += held
        self.unseen = [card for card in self.unseen if card not in held]
        for card in hidden:
            self._hide(card)
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
