"""Imagined states of Cribbage (`sample`): hidden cards with which every go was true and the seat to play can."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.core.card_bits import BIT, mask
from games.core.cards import Card
from games.core.cribbage import FITS, MOST, SIDES, VALUE
from games.engines.partnership_cribbage.moves import DISCARD, GO, OVER, PACK, Deed, Play
from games.engines.partnership_cribbage.state import CribbageState
from games.engines.partnership_cribbage.view import CribbageView


def imagine(state: CribbageState, view: CribbageView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.results, state.deal_number = view.results, view.deal_number
    scores = view.scores[:SIDES]
    if view.phase is OVER:
        state.scores = list(scores)
    else:
        _ImaginedCards(view, rng).deal_to(state)
        if view.phase is DISCARD:
            state.phase, state.to_act = DISCARD, view.to_act
            state.scores, state.before = list(scores), list(scores)
        else:
            deeds = [(deed.seat, Play(deed.card) if deed.card else GO) for deed in view.played]
            state.restore(deeds, view.claims, leader=view.leader, scores=scores)
    state.rear = list(view.rear)


class _ImaginedCards:
    """The cards of a view, the unseen ones drawn at random."""

    def __init__(self, view: CribbageView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        played = [deed.card for deed in view.played if deed.card]
        seen = {
            *view.hand,
            *view.laid_away,
            *view.open_crib,
            *played,
            *(card for hand in view.open_hands for card in hand),
        }
        self.unseen = [card for card in PACK if card not in seen and card != view.starter]

    def deal_to(self, state: CribbageState) -> None:
        """Hands and crib as they were when the play began; the hands still with their discards before that."""
        view = self.view
        hands = view.open_hands or self._hands()
        state.hands = [mask(hand) for hand in hands]
        if not view.open_hands:
            for deed in view.played:
                state.hands[deed.seat] |= BIT[deed.card] if deed.card else 0
        state.crib = self._crib()
        state.starter = BIT.get(view.starter or "", 0)
        self.rng.shuffle(self.unseen)
        state.stock = tuple(self.unseen[: view.stock_count])

    def _draw(self, number: int, among: Sequence[Card]) -> list[Card]:
        drawn = self.rng.sample(among, number)
        self.unseen = [card for card in self.unseen if card not in drawn]
        return drawn

    def _hands(self) -> list[Sequence[Card]]:
        """Hands without low cards are drawn first: then cards are left for the others, and every deal is as likely."""
        view, least = self.view, self._least_values()
        hands: list[Sequence[Card]] = [() for _seat in range(view.seats)]
        for seat in sorted(range(view.seats), key=lambda seat: -least[seat]):
            if seat == view.seat:
                hands[seat] = view.hand
            else:
                hands[seat] = self._hand(seat, least[seat])
        return hands

    def _hand(self, seat: int, least: int) -> list[Card]:
        number, hand = self.view.hand_counts[seat], []
        allowed = [card for card in self.unseen if VALUE[BIT[card]] >= least]
        if seat in self.view.to_act and self._has_one_that_fits(seat):
            hand = self._draw(1, [card for card in allowed if BIT[card] & FITS[self.view.count]])
        return hand + self._draw(number - len(hand), [card for card in allowed if card not in hand])

    def _has_one_that_fits(self, seat: int) -> bool:
        """The turn is back at the player of the last card, so that player can play."""
        played = [deed for deed in self.view.this_count if deed.card]
        return self.view.count > 0 and played[-1].seat == seat

    def _least_values(self) -> list[int]:
        """By seat the least value that its cards can have after what it could not play."""
        least = [1] * self.view.seats
        last = Deed(0, None, 0)
        for deed in self.view.played:
            if deed.card is None:
                least[deed.seat] = max(least[deed.seat], MOST - deed.reached + 1)
                continue
            if last.reached < MOST and deed.reached == VALUE[BIT[deed.card]]:
                self._could_not_go_on(last, least)
            last = deed
        if self.view.count == 0 and last.reached < MOST:
            self._could_not_go_on(last, least)
        return least

    def _could_not_go_on(self, last: Deed, least: list[int]) -> None:
        """The count ended below 31 with this card, so its player had none that fitted."""
        if last.card:
            least[last.seat] = max(least[last.seat], MOST - last.reached + 1)

    def _crib(self) -> list[int]:
        """The viewer's own discard, and any cards for the others'."""
        view = self.view
        rest = [card for card in view.open_crib if card not in view.laid_away]
        crib = []
        for seat, number in enumerate(view.crib_counts):
            if seat == view.seat:
                crib.append(mask(view.laid_away))
            elif view.open_crib:
                crib.append(mask(rest[:number]))
                rest = rest[number:]
            else:
                crib.append(mask(self._draw(number, self.unseen)))
        return crib
