"""Moves in a position of any game, for tests: played by their text, listed, and refused by a rule."""

from __future__ import annotations

from typing import TypeVar

import pytest

from games.core.contract import IllegalMove, NotYourTurn, State

S = TypeVar("S", bound=State)


def play(state: S, *moves: str) -> S:
    """Plays each move for the seat whose turn it is."""
    for move in moves:
        state.play(state.to_act[0], state.game.parse(move))
    return state


def legal(state: State, seat: int | None = None) -> list[str]:
    """The legal moves of a seat, of the one whose turn it is if none is given."""
    return [str(move) for move in state.legal_moves(state.to_act[0] if seat is None else seat)]


def refused(state: State, move: str, seat: int | None = None) -> IllegalMove:
    """The refusal of a move, which no list of legal moves has; the position stays as it was."""
    before, seat, wanted = state.dump(), state.to_act[0] if seat is None else seat, state.game.parse(move)
    assert str(wanted) not in legal(state, seat)
    with pytest.raises(IllegalMove) as refusal:
        state.play(seat, wanted)
    assert state.dump() == before
    assert isinstance(refusal.value, NotYourTurn) == (seat not in state.to_act)
    assert str(refusal.value).endswith(".")
    assert "!" not in str(refusal.value)
    return refusal.value


def refusal(state: State, move: str, seat: int | None = None) -> str:
    """The short id of the rule that refuses a move."""
    return refused(state, move, seat).rule.removeprefix(f"{state.game.slug}:")
