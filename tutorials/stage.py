"""The boards of a lesson: open while the learner is to move, still when there is something to look at."""

from dataclasses import replace

from games.core.contract import State, View, Zone
from games.presentation.board import Board, build_board
from tutorials.content import runner
from tutorials.content.lessons import Step, Turn
from tutorials.content.runner import AnyGame


def open_board(game: AnyGame, step: Step, state: State, turn: Turn | None, *, said: str, seq: int) -> Board:
    """The board while the learner may move, tempting moves among the legal ones. said: before the prompt."""
    view: View = state.view(step.seat)
    tempting = [move for move in runner.tempting(game, turn) if move not in view.moves] if turn else []
    board = build_board(
        replace(view, moves=(*view.moves, *tempting)),
        names=runner.names(state.seats, step.seat),
        seq=seq,
        zones=_worth_drawing(view),
    )
    prompt = (turn.say if turn else "") or board.prompt
    return replace(board, prompt=" ".join(filter(None, (said, prompt))))


def still_board(step: Step, state: State, *, seq: int, hands: int = 0) -> Board:
    """The board to look at; after a hand beyond the first `hands` what was won, and not the next deal."""
    view: View = state.view(step.seat)
    is_over = len(view.results) > hands
    zones = [_laid_out(zone) for zone in view.results[-1].zones if zone.count] if is_over else _worth_drawing(view)
    names = runner.names(state.seats, step.seat)
    return build_board(replace(view, moves=()), names=names, seq=seq, zones=zones)


def _worth_drawing(view: View) -> list[Zone]:
    """All zones but an empty stock, which most positions of lessons have."""
    return [zone for zone in view.zones if zone.count or zone.kind != "stock"]


def _laid_out(zone: Zone) -> Zone:
    """A won pile as an open row in the middle, every card to be seen."""
    return replace(zone, kind="row", owner=None)
