"""Lesson boards: active while the learner is to move, static otherwise."""

from dataclasses import replace

from games.core.contract import State, View, Zone
from games.presentation.board import Board, build_board
from tutorials.content import runner
from tutorials.content.lessons import LessonStep, LessonTurn
from tutorials.content.runner import AnyGame
from tutorials.content.values import fill_values


def lesson_board(
    game: AnyGame, step: LessonStep, state: State, turn: LessonTurn | None, *, said: str, seq: int
) -> Board:
    """The board while the learner may move, tempting moves among the legal ones. said: before the prompt.

    Moves that the chapter has not taught yet are left out.
    """
    view: View = state.view(step.seat)
    tempting = [move for move in runner.tempting_moves(game, turn) if move not in view.moves] if turn else []
    board = build_board(
        replace(view, moves=(*runner.offered_moves(step, view), *tempting)),
        names=runner.seat_names(state.seats, step.seat),
        seq=seq,
        zones=_worth_drawing(view),
    )
    prompt = (fill_values(turn.say, view) if turn else "") or board.prompt
    return replace(board, prompt=" ".join(filter(None, (fill_values(said, view), prompt))))


def still_lesson_board(step: LessonStep, state: State, *, seq: int, hands: int = 0) -> Board:
    """A board without moves. If more than `hands` hands are over, it shows what was won, not the next deal."""
    view: View = state.view(step.seat)
    is_over = len(view.results) > hands
    shown = runner.zones_at_end(view, hands)
    zones = [_laid_out(zone) for zone in shown if zone.count] if is_over else _worth_drawing(view)
    names = runner.seat_names(state.seats, step.seat)
    return build_board(replace(view, moves=()), names=names, seq=seq, zones=zones)


def _worth_drawing(view: View) -> list[Zone]:
    """All zones but an empty stock, which most positions of lessons have."""
    return [zone for zone in view.zones if zone.count or zone.kind != "stock"]


def _laid_out(zone: Zone) -> Zone:
    """A won pile as an open row in the middle, with every card visible."""
    return replace(zone, kind="row", owner=None)
