"""Imagined states of Sixty-Six (`sample`): what a view shows, what its seat remembers, and hidden cards dealt anew."""

from __future__ import annotations

from random import Random

from games.engines.sixty_six.moves import OVER, PACK, SEATS, held_cards
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import Memory, SixtySixView


def imagine(state: SixtySixState, view: SixtySixView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.take_public(view)
    state.scores, state.tricks, state.upcard = list(view.scores), list(view.tricks), view.upcard
    state.last_log = view.log[: len(view.log) - len(view.shown_log)]
    state.log, state.trick_from = list(view.shown_log), view.trick_from
    if view.phase is not OVER:
        _remember(state, view.memory)
        _deal_hidden_cards(state, view, rng)


def _remember(state: SixtySixState, memory: Memory) -> None:
    """What the tricks and the hands tell to a player who forgets nothing."""
    state.won = [list(cards) for cards in memory.won]
    state.points, state.marriage_points = list(memory.points), list(memory.marriage_points)
    state.pending, state.known, state.lacking = list(memory.pending), list(memory.known), list(memory.lacking)
    state.at_close = memory.at_close
    if memory.turned_down is not None:
        state.upcard = memory.turned_down


def _deal_hidden_cards(state: SixtySixState, view: SixtySixView, rng: Random) -> None:
    """Deals each hidden hand cards that it may hold; the stock gets the rest.

    It is done again if nothing is left that the second hand may hold, which happens only where both are hidden.
    """
    memory = view.memory
    state.hands = [list(view.hand if seat == view.seat else memory.known[seat]) for seat in range(SEATS)]
    placed = {*state.cards()}
    hidden = [card for card in PACK if card not in placed]
    missing = [count - len(hand) for count, hand in zip(view.hand_counts, state.hands, strict=True)]
    while True:
        rng.shuffle(hidden)
        drawn, rest = [], hidden[::-1]
        for lacking, number in zip(memory.lacking, missing, strict=True):
            drawn.append([card for card in rest if card not in lacking][:number])
            rest = [card for card in rest if card not in drawn[-1]]
        if [*map(len, drawn)] == missing:
            break
    state.hands = [held_cards(hand + more) for hand, more in zip(state.hands, drawn, strict=True)]
    state.stock = rest[: view.stock_count]
