"""Time-outs: what happens when a clock runs out."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from games.core.contract import State
from games.models import Seat, Table
from games.record import replay
from games.services import timing
from games.services.appearing import end_time_to_appear
from games.services.common import accept_move, apply_move, begin_turn, lock_table, store
from games.services.leaving import give_up
from games.services.pauses import resume
from games.signals import player_late, time_short
from infra.after_commit import on_commit


@transaction.atomic
def flag_overdue(*, table_id: int, now: datetime) -> None:
    """Acts on a deadline that has passed: the end of a pause, of the time to appear, of a turn, or of a held game.

    Where the game names a move for a player out of time (Vatican: draw), it is played, once. A player who misses the
    next turn too, or plays another game, gives up: with two players the other one wins, with more a club bot plays on.
    """
    table = lock_table(table_id)
    if table.status != Table.Status.RUNNING or table.deadline_at is None or table.deadline_at > now:
        return
    if table.paused_at is not None:
        resume(table, now)
    elif table.appear_by is not None:
        end_time_to_appear(table, replay.state_of(table), now)
    elif table.is_held:
        gone = [seat for seat in table.seat_rows if seat.is_waited_for]
        give_up(table, gone, replay.state_of(table), Table.EndedBy.FLAG, "{} didn't come back in time.")
    elif late := timing.whose_time_is_up(table, now):
        out_of_time(table, late, replay.state_of(table), now)
    else:
        begin_turn(table, replay.state_of(table), now)


def out_of_time(table: Table, late: list[Seat], state: State, now: datetime) -> None:
    """Time-out of these seats. Where each turn has a time of its own, the clock may move for the first of them."""
    seat = late[0].number
    may_move = table.move_seconds is not None and not _has_let_time_pass(table, seat)
    move = state.timeout_move(seat) if may_move else None
    if move is not None:
        apply_move(table, accept_move(table, seat, move, state, now, is_by_clock=True))
    elif _may_hold(table, late):
        _hold(table, late, now)
    else:
        give_up(table, late, state, Table.EndedBy.FLAG, "{} ran out of time.")


def _may_hold(table: Table, late: Iterable[Seat]) -> bool:
    """Whether the game waits for these players: once for each of them, and only where two sides play."""
    may_hold = table.absence == Table.Absence.HOLD and len(table.sides) == 2
    return may_hold and not any(seat.was_waited_for for seat in late)


def _hold(table: Table, seats: Iterable[Seat], now: datetime) -> None:
    """Holds the game until these players are back (`come_back`), or until `flag_overdue` gives them up."""
    for seat in seats:
        seat.is_waited_for = seat.was_waited_for = True
        seat.save(update_fields=["is_waited_for", "was_waited_for"])
    timing.stop_clocks(table, now)
    table.deadline_at, table.bot_due_at = now + timedelta(seconds=table.hold_seconds or 0), None
    store(table)
    on_commit(player_late.send_robust, sender=Table, table_id=table.pk)


@transaction.atomic
def tell_short_of_time(*, table_id: int, now: datetime) -> None:
    """Reminds players once a turn, in games over days, that little time is left (`time_short`)."""
    table = lock_table(table_id)
    if table.status != Table.Status.RUNNING:
        return
    for seat, deadline in timing.whose_time_is_short(table, now):
        on_commit(time_short.send_robust, sender=Table, table_id=table.pk, user_id=seat.user_id, deadline=deadline)
    timing.set_deadlines(table, now)
    table.save(update_fields=["short_at"])


def _has_let_time_pass(table: Table, seat: int) -> bool:
    """Whether the clock made the last move of this seat."""
    return bool(table.moves.filter(seat=seat).order_by("-number").values_list("is_by_clock", flat=True).first())
