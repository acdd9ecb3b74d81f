"""Pauses: stopped by a director, or agreed by all players."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.models import Table
from games.record import replay
from games.services import timing
from games.services.common import begin_turn, lock_table, store
from games.services.questions import PAUSE_MINUTES

NOTICE = timedelta(seconds=10)  # between "go on" and the clocks


@transaction.atomic
def pause_table(*, table_id: int) -> None:
    """Stops the clocks; no one can move until `resume_table`. A table that is frozen or not running stays as it is."""
    table = lock_table(table_id)
    is_paused = table.paused_at is not None and table.paused_by is None
    if table.status == Table.Status.RUNNING and not is_paused:
        pause(table, by=None, now=timezone.now())


@transaction.atomic
def resume_table(*, table_id: int) -> None:
    """Ends a director's pause; all clocks continue with the time that was left."""
    table = lock_table(table_id)
    if table.status == Table.Status.RUNNING and table.paused_at is not None:
        resume(table, timezone.now())


def pause(table: Table, *, by: int | None, now: datetime) -> None:
    """Stops all clocks. by: the seat that asked for it; None for a director, whose pause does not end by itself."""
    if table.is_held and table.deadline_at is not None:
        table.seconds_left = max((table.deadline_at - now).total_seconds(), 0)
    table.paused_at, table.paused_by, table.bot_due_at = now, by, None
    timing.stop_clocks(table, now)
    if by is not None:
        table.deadline_at = now + timedelta(minutes=PAUSE_MINUTES)
    store(table)


def frozen_reason(table: Table) -> str:
    """Why nobody can move now, "" if that is not so."""
    if table.paused_at is not None:
        if table.paused_by is not None:
            return f"A pause that {table.names[table.paused_by]} asked for. All clocks are stopped."
        return "A director has paused the tournament. Your clock is stopped, and you lose nothing."
    names = [seat.name for seat in table.seat_rows if seat.is_waited_for]
    return f"{' and '.join(names)} ran out of time. The game waits for them and continues from here." if names else ""


def is_ending(table: Table, now: datetime) -> bool:
    """The players' pause is over in a moment, by itself or because a player wants to continue."""
    return table.paused_by is not None and table.deadline_at is not None and table.deadline_at <= now + NOTICE


def resume(table: Table, now: datetime) -> None:
    """Continues after a pause; a held game keeps the seconds that it had left to wait."""
    seconds_left = table.seconds_left
    if table.appear_by is not None and table.paused_at is not None:
        table.appear_by += now - table.paused_at
    table.paused_at = table.paused_by = table.seconds_left = None
    if table.is_held:
        table.deadline_at = now + timedelta(seconds=seconds_left or 0)
        store(table)
    else:
        begin_turn(table, replay.state_of(table), now)
