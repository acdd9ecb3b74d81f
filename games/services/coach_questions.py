"""Questions to the coach at the table: how good is this? A worker answers, and the page asks for the answer.

Only in games where hints are allowed, too (`games.queries.advice`). The row stays: replay and review say that the
player has asked.
"""

import logging
import time
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from games.bots import bot, coach
from games.core.contract import View
from games.models import CoachQuestion, Seat, Table
from games.queries.advice import may_be_advised
from games.queries.shared_deals import is_played_elsewhere
from games.record import coach_rows, replay
from games.services.common import TableError
from infra.task_queue import enqueue_on_commit

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0  # of the processor
PATIENCE = timedelta(seconds=60)  # until an answer counts as lost
MOST_WAITING = 6  # questions of all players
BUDGET = coach.Budget(most=48, candidates=8)


def ask_coach(*, table: Table, seat: Seat, move: str, now: datetime) -> CoachQuestion:
    """Asks about a legal move of the player to act, "" for all of them. The same question again has the same answer.

    :raises TableError:
    """
    if not may_be_advised(table, seat):
        raise TableError("The coach answers only in unrated games against bots.")
    if is_played_elsewhere(table):
        raise TableError("Others are playing these cards now, so the coach can't answer.")
    known = CoachQuestion.objects.filter(table=table, number=table.move_count, seat=seat.number, move=move).first()
    if known is not None and (known.answered_at or known.asked_at > now - PATIENCE):
        return known
    if CoachQuestion.objects.filter(answered_at=None, asked_at__gt=now - PATIENCE).count() >= MOST_WAITING:
        raise TableError("Many players are asking the coach right now. Please try again in a moment.")
    with transaction.atomic():
        question, _ = CoachQuestion.objects.update_or_create(
            table=table, number=table.move_count, seat=seat.number, move=move, defaults={"asked_at": now}
        )
        enqueue_on_commit("games.tasks.answer_coach_question", question.pk)
    return question


def answer_coach_question(*, question_id: int, now: datetime) -> None:
    """Judges the moves in question and stores the answer. A second call changes nothing."""
    question = CoachQuestion.objects.select_related("table").get(pk=question_id)
    if question.answered_at is not None:
        return
    try:
        decision = _judged(question)
    except Exception:  # a fault of any kind in a bot; it would come again with the same question
        logger.exception("The coach cannot judge %s.", question)
        decision = None
    answer = coach_rows.row_of(decision, at=question.number).as_json() if decision else {}
    CoachQuestion.objects.filter(pk=question.pk, answered_at=None).update(answer=answer, answered_at=now)


def _judged(question: CoachQuestion) -> coach.Decision | None:
    table, seed = question.table, f"question {question.table.code}"
    state = replay.state_of(table, question.number)
    view: View = state.view(question.seat)
    strong = bot(table.game, "strong").choose(view, Random(f"{seed} {question.number}"))
    played = table.rules.parse(question.move) if question.move else strong
    return coach.judge(
        table.rules,
        coach.Choice(question.number, len(state.results) + 1, view, played),
        seed=seed,
        clock=time.process_time,
        until=time.process_time() + ANSWER_SECONDS,
        budget=BUDGET,
        compares_all=True,
    )


def newest_question(*, table: Table, seat: Seat) -> CoachQuestion | None:
    """The last question of the player about the position as it is now."""
    asked = CoachQuestion.objects.filter(table=table, number=table.move_count, seat=seat.number)
    return asked.order_by("-asked_at", "-pk").first()
