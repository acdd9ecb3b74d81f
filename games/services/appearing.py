"""Time to appear: at a table of an event the clocks stand until everyone is there, or until this time is over.

A heartbeat from the page of the table shows that a player is there, and so does a move.
"""

from datetime import datetime

from django.db import transaction

from games.core.contract import State
from games.live import presence
from games.models import Seat, Table
from games.record import replay
from games.services.common import begin_turn, lock_table, mark_arrived
from games.services.leaving import end_without, give_up

DID_NOT_COME = "{} didn't come to the table."


def tables_with_arrivals(*, now: datetime) -> list[int]:
    """Tables that a player has joined since the last check."""
    waiting = Table.objects.running().filter(paused_at=None).exclude(appear_by=None)
    missing = Seat.objects.filter(table__in=waiting, has_come=False, has_left=False, user__is_bot=False)
    pairs = list(missing.values_list("table_id", "user_id"))
    if not pairs:
        return []
    until = presence.heartbeats(pairs, now=now.timestamp()).until
    return sorted({table_id for table_id, user_id in pairs if until[table_id, user_id] is not None})


@transaction.atomic
def note_arrivals(*, table_id: int, now: datetime) -> None:
    """Records who has come; the clocks start with the last of them."""
    table = lock_table(table_id)
    if table.status != Table.Status.RUNNING or table.appear_by is None or table.paused_at is not None:
        return
    _record_arrivals(table, now)
    if not table.missing:
        begin_turn(table, replay.state_of(table), now)


def end_time_to_appear(table: Table, state: State, now: datetime) -> None:
    """Continues without the players who have not come, by the table's absence policy; if none came, the game ends."""
    _record_arrivals(table, now)
    missing = table.missing
    away = [seat for seat in table.seat_rows if seat.has_left or seat in missing]
    if not missing:
        begin_turn(table, state, now)
    elif len(away) == table.seat_count:
        end_without(table, away, state, Table.EndedBy.NO_SHOW, DID_NOT_COME)
    else:
        give_up(table, missing, state, Table.EndedBy.NO_SHOW, DID_NOT_COME)


def _record_arrivals(table: Table, now: datetime) -> None:
    pairs = {(table.pk, seat.user_id): seat for seat in table.missing if seat.user_id is not None}
    until = presence.heartbeats(list(pairs), now=now.timestamp()).until
    mark_arrived(seat for pair, seat in pairs.items() if until[pair] is not None)
