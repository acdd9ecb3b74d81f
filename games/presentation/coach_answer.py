"""The coach's answer at the table: how good a selected move is, or what each move is worth."""

from dataclasses import dataclass
from datetime import datetime

from games.core.contract import View
from games.core.words import capitalized
from games.models import CoachQuestion, Table
from games.presentation.coach_page import TriedMove, about, measured_chance, tried_moves
from games.record.coach_rows import DecisionRow
from games.services.coach_questions import PATIENCE
from infra.rendering import url

MOVES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class CoachAnswer:
    """text: the verdict on `move`, which is in words; "" where the question is about all of them.

    moves: best first, each with what it costs. poll_url: where to ask again, "" once there is an answer.
    """

    text: str
    move: str = ""
    moves: tuple[TriedMove, ...] = ()
    poll_url: str = ""


def coach_answer(table: Table, question: CoachQuestion, view: View, *, now: datetime) -> CoachAnswer:
    if question.answered_at is None:
        if now > question.asked_at + PATIENCE:
            return CoachAnswer("The coach is busy. Please ask again.")
        return CoachAnswer("The coach is thinking …", poll_url=url("games:ask-coach", table.code))
    if not question.answer:
        return CoachAnswer("The coach can't judge this position.")
    row = DecisionRow(**question.answer)
    tried = tried_moves(table, row, view)
    chance = measured_chance(row, table)
    unit = f"% of {chance}" if chance else "points"
    if not question.move:
        return CoachAnswer(f"What each move costs on average, in {unit}:", moves=tuple(tried[:MOVES_SHOWN]))
    move = capitalized(next(one.text for one in tried if one.move == question.move))
    if row.played == row.best:
        verdict = "the best move that the coach has found."
    elif row.loss <= row.error:
        verdict = "about as good as the best move."
    else:
        verdict = f"costs {about(row.loss, chance)} on average."
    return CoachAnswer(verdict, move, tuple(tried[:MOVES_SHOWN]))
