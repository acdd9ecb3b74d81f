"""Agreements: requests that all players at a table must accept, such as undo, draw or pause.

`games.services.questions` says what can be asked, and who has to agree.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.core.contract import Outcome, State, places
from games.core.undoing import can_take_back
from games.models import Move, Seat, Table
from games.record import replay
from games.services import questions, timing
from games.services.common import TableError, finish_game, lock_running_table, pass_turn, seat_of, store
from games.services.pauses import NOTICE, pause
from games.services.questions import Question, last_question
from games.signals import question_changed
from infra.after_commit import on_commit

ANSWER_PATIENCE = timedelta(seconds=20)  # how long a bot waits with its move


@transaction.atomic
def ask_question(*, table_id: int, user: User, kind: str) -> Table:
    """Sends a request to the other players; one that needs no consent is carried out at once. :raises TableError:"""
    table = lock_running_table(table_id)
    seat, state = seat_of(table, user), replay.state_of(table)
    open_one = _open_question(table, state)
    if open_one and open_one.kind == kind and seat in questions.people_yet_to_answer(table, open_one):
        return _agree(table, open_one, seat, state)
    _require_possible(table, seat, kind, state)
    question = Question(kind, seat.number, table.move_count, len(state.results))
    return _settle(table, question, state)


@transaction.atomic
def answer_question(*, table_id: int, user: User, key: str, agrees: bool) -> Table:
    """Accepts or declines the open question. key: `Question.key` of the one that was read. :raises TableError:"""
    table = lock_running_table(table_id)
    seat, state = seat_of(table, user), replay.state_of(table)
    question = _open_question(table, state)
    if question is None or question.key != key or seat not in questions.people_yet_to_answer(table, question):
        raise TableError("This request is no longer open. Nothing has changed.")
    if agrees:
        return _agree(table, question, seat, state)
    return _close(table, question.answered(table, "no", seat.number), state)


@transaction.atomic
def withdraw_question(*, table_id: int, user: User, key: str) -> Table:
    """Withdraws the player's own question. :raises TableError:"""
    table = lock_running_table(table_id)
    seat, state = seat_of(table, user), replay.state_of(table)
    question = _open_question(table, state)
    if question is None or question.key != key or question.seat != seat.number:
        raise TableError("This request is no longer open. Nothing has changed.")
    return _close(table, question.answered(table, "withdrawn", seat.number), state)


def _open_question(table: Table, state: State) -> Question | None:
    question = last_question(table)
    return question if question and question.is_open(table, len(state.results)) else None


def _require_possible(table: Table, seat: Seat, kind: str, state: State) -> None:
    view = state.view(seat.number)
    if _open_question(table, state):
        raise TableError("There is already an open request at this table. Answer it first.")
    if questions.is_too_early(table, kind, seat.number):
        raise TableError(f"You asked for this recently. You can ask again after {questions.REST_MOVES} moves.")
    if kind not in questions.possible_kinds(table, seat, view):
        raise TableError("You can't do that at this table right now.")
    if kind == "undo" and (stays := why_move_stays(table, seat)):
        raise TableError(stays)
    unwilling = questions.unwilling_bot(table, kind, view)
    if unwilling:
        raise TableError(f"{unwilling.name}, a bot, wants to play on because it's doing well.")


def why_move_stays(table: Table, seat: Seat) -> str:
    """Why the player in this seat cannot undo their last move, "" if they can; the same at each call."""
    rows = moves_to_undo(table, seat)
    if not rows:
        return "You can't undo your move: another player has moved since."
    before = replay.state_of(table, rows[0].number - 1)
    if len(before.legal_moves(seat.number)) == 1:
        return "You can't undo this move: it was the only legal one."
    rng = Random(f"{table.code} {table.move_count}")
    (_, move), *since = ((row.seat, table.rules.parse(row.text)) for row in rows)
    if not can_take_back(table.rules, before, seat.number, move, rng, since=since):
        when = "since your last move" if since else "by the last move"
        return f"Something hidden has shown {when}, so it stays as it is."
    return ""


def moves_to_undo(table: Table, seat: Seat) -> list[replay.RecordRow]:
    """The moves that an undo takes back, oldest first, whether it may or not; [] if there are none.

    Between people the last move, if it is the player's own. Alone with bots the player's last decision with all that
    came after it: the bots' moves, and own ones that were the only ones possible.
    """
    rows = replay.standing(replay.rows_of(table))
    if not questions.undoes_alone(table):
        return [row for row in rows[-1:] if row.seat == seat.number]
    own = [index for index, row in enumerate(rows) if row.seat == seat.number]
    for index in reversed(own):
        if len(replay.position_of(table, rows[index].number - 1).legal_moves(seat.number)) > 1:
            return rows[index:]
    return rows[own[-1] :] if own else []


def _agree(table: Table, question: Question, seat: Seat, state: State) -> Table:
    return _settle(table, replace(question, agreed=(*question.agreed, seat.number)), state)


def _settle(table: Table, question: Question, state: State) -> Table:
    """Carries out a request once everyone has agreed."""
    _store_question(table, question)
    if questions.people_yet_to_answer(table, question):
        _let_bots_wait(table, question)
        store(table)
        return table
    CARRY_OUT[question.kind](table, question, state)
    return table


def _let_bots_wait(table: Table, question: Question) -> None:
    """Delays the next bot move, which would make the question void."""
    if question.kind == "undo" and table.bot_due_at is not None:
        table.bot_due_at = timezone.now() + ANSWER_PATIENCE


def _close(table: Table, question: Question, state: State) -> Table:
    _store_question(table, question)
    if question.kind == "undo":
        pass_turn(table, state)  # a bot may have waited
    else:
        store(table)
    return table


def _store_question(table: Table, question: Question) -> None:
    questions.set_last_question(table, question)
    table.save(update_fields=["asked"])
    on_commit(question_changed.send_robust, sender=Table, table_id=table.pk)


# What can be agreed


def _take_back(table: Table, question: Question, state: State) -> None:
    """Undo: adds a row to the record that says which moves do not count."""
    rows = moves_to_undo(table, table.seat_rows[question.seat])
    to = rows[0].number - 1
    earlier = replay.state_of(table, to)
    table.move_count += 1
    table.position_version = table.version + 1
    Move.objects.create(
        table=table, number=table.move_count, seat=question.seat, takes_back_to=to, played_at=timezone.now()
    )
    on_commit(replay.cache_position, table.code, table.move_count, earlier)
    undone = _own_deeds(table, question.seat, rows, earlier) if questions.undoes_alone(table) else ()
    _store_question(table, replace(question.answered(table, "yes", question.seat), undone=undone))
    for row in rows:
        timing.give_back_increment(table, row.seat)
    pass_turn(table, earlier)


def _own_deeds(table: Table, seat: int, rows: Sequence[replay.RecordRow], before: State) -> tuple[str, ...]:
    """What the player in this seat does in these rows, as all at the table see it."""
    state, deeds = before.copy(), []
    for row in rows:
        state.play(row.seat, table.rules.parse(row.text))
        if row.seat == seat:
            own = (event.phrase.text for event in reversed(state.view(None).log) if event.seat == seat)
            deeds.append(next(own, ""))
    return tuple(filter(None, deeds))


def _share(table: Table, question: Question, state: State) -> None:
    _end(table, state, [0] * table.seat_count, "The players agreed to a draw.")


def _count(table: Table, question: Question, state: State) -> None:
    merits = table.rules.merits(table.options, state.view(None).scores)
    _end(table, state, [*merits], "The players agreed to stop here. The score decides.")


def _end(table: Table, state: State, merits: list[int], reason: str) -> None:
    outcome = Outcome(tuple(state.view(None).scores), places(merits), reason)
    finish_game(table, outcome, Table.EndedBy.AGREEMENT)


def _give_up_deal(table: Table, question: Question, state: State) -> None:
    [seat] = [seat for seat in table.seat_rows if seat.number == question.seat]
    seat.gave_up_deal = True
    seat.save(update_fields=["gave_up_deal"])
    _store_question(table, question.answered(table, "yes", question.seat))
    pass_turn(table, state)


def _pause(table: Table, question: Question, state: State) -> None:
    _store_question(table, question.answered(table, "yes", question.seat))
    pause(table, by=question.seat, now=timezone.now())


def _open_deals(table: Table, question: Question, state: State) -> None:
    table.opens_deals = True
    table.save(update_fields=["opens_deals"])
    _store_question(table, question.answered(table, "yes", question.seat))
    store(table)


CARRY_OUT = {
    "undo": _take_back,
    "share": _share,
    "count": _count,
    "pause": _pause,
    "deal": _give_up_deal,
    "open": _open_deals,
}


@transaction.atomic
def end_pause(*, table_id: int, user: User) -> Table:
    """Ends a pause early, after a short countdown; any player may. :raises TableError:"""
    table = lock_running_table(table_id)
    seat_of(table, user)
    if table.paused_by is None or table.deadline_at is None:
        raise TableError("The players haven't paused this game.")
    table.deadline_at = min(table.deadline_at, timezone.now() + NOTICE)
    store(table)
    return table
