"""Imagined states of Advantage (`sample`): hidden cards in keeping with what blocked draws gave away."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card
from games.engines.advantage.moves import FITTING
from games.engines.advantage.state import AdvantageState
from games.engines.advantage.view import AdvantageView


def copy_public(view: AdvantageView, state: AdvantageState) -> None:
    """Everything that the viewer sees."""
    state.to_act, state.results, state.phase, state.round = view.to_act, view.results, view.phase, view.round
    state.piles = [list(pile) for pile in view.piles]
    state.hands = [list(hand) for hand in view.hands]
    state.blocked = list(view.blocked)
    state.pairs = [list(pairs) for pairs in view.pairs]
    state.dropped, state.traded = list(view.dropped), list(view.traded)
    state.has_drawn, state.still_rounds, state.over = view.has_drawn, view.still_rounds, view.over
    state.history = list(view.history)


def hidden_card(state: AdvantageState, seat: int, unseen: Sequence[Card], *, is_last: bool) -> Card:
    """An unseen card that a hand may hide: what was no help to a blocked player fits none of the tops he had.

    is_last: the last card drawn, which fits if a blocked player still has to use it.
    """
    fitting = FITTING[str(state.options["colour"])]
    tops: Sequence[Card] = state.blocked[seat]
    fits = False
    if is_last and state.has_drawn and seat in state.to_act and not state.dropped[seat]:
        tops, fits = state.tops, True
    allowed = (card for card in unseen if not tops or fits != fitting[card].isdisjoint(tops))
    return next(allowed, unseen[0])


def make_decision_possible(state: AdvantageState, view: AdvantageView) -> None:
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
