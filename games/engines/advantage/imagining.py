"""Imagined states of Advantage (`sample`): hidden cards in keeping with what blocked draws gave away."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.core.cards import Card
from games.engines.advantage.moves import PACK, SEATS
from games.engines.advantage.state import AdvantageState
from games.engines.advantage.view import AdvantageView


def imagine(state: AdvantageState, view: AdvantageView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the cards that the viewer does not see."""
    state.take_public(view)
    state.scores = list(view.scores)
    state.piles = [list(pile) for pile in view.piles]
    state.hands = [list(hand) for hand in view.hands]
    state.blocked = list(view.blocked)
    state.pairs = [list(pairs) for pairs in view.pairs]
    state.dropped, state.traded = list(view.dropped), list(view.traded)
    state.log = list(view.history)
    _deal_hidden_cards(state, view, rng)
    if view.seat is not None:
        state.drawn[view.seat] = list(view.drawn)
    _make_decision_possible(state, view)


def _deal_hidden_cards(state: AdvantageState, view: AdvantageView, rng: Random) -> None:
    seen = set(state.cards())
    unseen = [card for card in PACK if card not in seen]
    rng.shuffle(unseen)
    for seat in range(SEATS):
        for hidden in range(view.hand_counts[seat] - len(view.hands[seat]), 0, -1):
            card = _hidden_card(state, seat, unseen, is_last=hidden == 1)
            unseen.remove(card)
            state.hands[seat].append(card)
            state.drawn[seat].append(card)
    state.stock = unseen[: view.stock_count]


def _hidden_card(state: AdvantageState, seat: int, unseen: Sequence[Card], *, is_last: bool) -> Card:
    """An unseen card that a hand may hide: what was no help to a blocked player fits none of those tops.

    is_last: the last card drawn, which fits if a blocked player still has to use it.
    """
    tops: Sequence[Card] = state.blocked[seat]
    fits = False
    if is_last and state.has_drawn and seat in state.to_act and not state.dropped[seat]:
        tops, fits = state.tops, True
    allowed = (card for card in unseen if not tops or fits != state.fitting[card].isdisjoint(tops))
    return next(allowed, unseen[0])


def _make_decision_possible(state: AdvantageState, view: AdvantageView) -> None:
    """Changes the last hidden card of the seat to act until it has a decision, which the real one has."""
    if not state.to_act or state.to_act[0] == view.seat:
        return
    seat = state.to_act[0]
    for index in range(len(state.stock)):
        if state.has_decision(seat) or not state.drawn[seat]:
            return
        hidden = state.drawn[seat][-1]
        state.hands[seat][-1] = state.drawn[seat][-1] = state.stock[index]
        state.stock[index] = hidden
