"""Sampling: a state that a view cannot tell from the real one."""

from __future__ import annotations

from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import Memory, SixtySixView


def copy_public(view: SixtySixView, state: SixtySixState) -> None:
    """What everybody sees, without the cards in hands and stock."""
    state.phase, state.to_act = view.phase, view.to_act
    state.scores, state.results = list(view.scores), view.results
    state.carry, state.hands_played = view.carry, view.hands_played
    state.trump, state.closed_by, state.declared = view.trump, view.closed_by, view.declared
    state.upcard, state.led, state.last_trick = view.upcard, view.led, view.last_trick
    state.tricks = list(view.tricks)
    state.told = view.log[: len(view.log) - len(view.moments)]
    state.deeds, state.trick_from = list(view.moments), view.trick_from


def remember(memory: Memory, state: SixtySixState) -> None:
    state.won = [list(cards) for cards in memory.won]
    state.points, state.marriage_points = list(memory.points), list(memory.marriage_points)
    state.pending, state.known = list(memory.pending), list(memory.known)
    state.at_close = memory.at_close
    if memory.turned_down is not None:
        state.upcard = memory.turned_down
