"""Advice for a player to act: why a selection is no move, and what a strong player would do and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from threading import BoundedSemaphore
from typing import Any

from games import bots
from games.core.contract import Choice, Game, GameError, Move, State, UnreadableMove, View, describe_picks
from games.core.picks import choices_with, picks_on_table, untouched_picks
from games.core.words import render_text
from games.presentation.board import Refusal

AnyGame = Game[Any, Any, Any]

MOST_PARTS = 3  # moves to name when a selection is only part of them
THINKING = BoundedSemaphore(2)  # hints that a process computes at a time
PATIENCE_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Hint:
    """touches: the cards and zones of the move. text: the move in words."""

    move: Move
    text: str
    touches: tuple[str, ...]
    reason: Refusal


class TooManyHints(GameError):
    """This process computes as many hints as it can at a time."""


def why_not(game: AnyGame, state: State, seat: int, picks: Sequence[str], names: Sequence[str]) -> Refusal:
    """The engine's answer to the move that these picks mean, without playing it.

    seat: to act. picks: cards and zone ids, first choice first, as they were sent. names: by seat.
    """
    view = state.view(seat)
    try:
        move = selected_move(game, state, seat, picks)
    except UnreadableMove as error:
        answer = _part_of_moves(view, picks) or Refusal.of(error)
    except GameError as error:
        answer = Refusal.of(error)
    else:
        choice = view.choice(move)
        idle = untouched_picks(view, choice, picks)
        rest = f"; {describe_picks(view, idle)} {'have' if len(idle) > 1 else 'has'} no part in that" if idle else ""
        answer = Refusal(f"You can {choice.phrase.text}{rest}.")
    return Refusal(render_text(answer.text, names, seat), answer.rule)


def selected_move(game: AnyGame, state: State, seat: int, picks: Sequence[str]) -> Move:
    """The legal move that these picks mean. :raises GameError:"""
    view = state.view(seat)
    move: Move = game.attempt(view, picks_on_table(view, picks))
    _try(state, seat, move)
    return move


def marked_move(game: AnyGame, state: State, seat: int, cards: Sequence[str]) -> Choice:
    """The legal move that these marked cards of the hand make.

    Of other cards nothing is said: marking what was overlooked on the table is a risk that players take themselves.
    :raises GameError: they make no move, or several.
    """
    view = state.view(seat)
    if not {*cards} <= {card for zone in view.zones if zone.id == f"hand:{seat}" for card in zone.cards}:
        raise UnreadableMove("Choose cards from your hand.")
    move: Move = game.read_selection(view, cards)
    _try(state, seat, move)
    return view.choice(move)


def _try(state: State, seat: int, move: Move) -> None:
    """:raises GameError: the move breaks a rule, also where a table would take it and have the player pay for it."""
    for verdict in state.check(seat, move):
        if verdict.refusal is not None:
            raise verdict.refusal
    state.copy().play(seat, move)


def _part_of_moves(view: View, picks: Sequence[str]) -> Refusal | None:
    """The moves that these picks are only a part of, if there are any."""
    fitting = choices_with(view, picks)
    if not fitting:
        return None
    named = "; ".join(choice.phrase.text for choice in fitting[:MOST_PARTS])
    more = f"; and {len(fitting) - MOST_PARTS} more" if len(fitting) > MOST_PARTS else ""
    return Refusal(f"This is part of a move: {named}{more}.")


def hint(game: AnyGame, view: View, names: Sequence[str], *, seed: str) -> Hint:
    """The strong bot's choice with its reason. seed: the same one gives the same hint for the same view.

    :raises TooManyHints:
    """
    if not THINKING.acquire(timeout=PATIENCE_SECONDS):
        raise TooManyHints("Many players are asking for hints right now. Please try again in a moment.")
    try:
        move = bots.bot(game.slug, "strong").choose(view, Random(f"{seed} {view.zones} {view.log}"))
    finally:
        THINKING.release()
    choice, reason = view.choice(move), bots.reason(game.slug, view, move)
    text = render_text(choice.phrase.text, names, view.seat)
    return Hint(move, text, choice.touches, Refusal(render_text(reason.text, names, view.seat), reason.rule))
