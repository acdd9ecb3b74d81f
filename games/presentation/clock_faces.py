"""Clock faces: what the clocks of a table show on its page."""

from datetime import datetime, timedelta

from django.utils.formats import date_format

from games.domain.clocks import Face, countdown
from games.models import Seat, Table
from games.services import timing

ONE_DAY = timedelta(days=1)


def clock_faces(table: Table, now: datetime) -> list[Face | None]:
    """Clock faces by seat; None without one: for bots, and for players who get their time with their turn."""
    if table.status != Table.Status.RUNNING:
        return [None] * table.seat_count
    if table.is_held and not table.paused_at:
        return [_waits_until(table, seat, now) for seat in table.seat_rows]
    return [_face(table, seat, now) for seat in table.seat_rows]


def _waits_until(table: Table, seat: Seat, now: datetime) -> Face | None:
    return _running(now, table.deadline_at) if seat.is_waited_for and table.deadline_at else None


def _face(table: Table, seat: Seat, now: datetime) -> Face | None:
    if table.clock is None or seat.is_played_by_bot:
        return None
    timer = table.timers[seat.number]
    if timer.since is not None and timer.deadline is not None and timer.since <= now.timestamp():
        return _running(now, timing.utc_datetime(timer.deadline), since=timing.utc_datetime(timer.since))
    return None if table.clock.move else Face(left=countdown(timer.left(now.timestamp())))


def _running(now: datetime, deadline: datetime, *, since: datetime | None = None) -> Face:
    is_far = since is not None and deadline - since >= ONE_DAY
    until = date_format(deadline, "j M, H:i" if is_far else "H:i:s")
    return Face(
        now=now.isoformat(),
        since=since.isoformat() if since else "",
        deadline=deadline.isoformat(),
        until=f"until {until} UTC",
    )
