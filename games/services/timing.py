"""Clocks of a table: starting and stopping them, deadlines, and whose time is up."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from games.domain.clocks import Timer, short_moment
from games.models import Seat, Table


def run_clocks(table: Table, starts: Mapping[int, datetime], now: datetime) -> None:
    """Starts the clocks of some seats, each at its moment, and stops the others."""
    if table.clock is None:
        return
    clock, at = table.clock, now.timestamp()
    table.timers = [
        timer.started(starts[seat].timestamp()) if seat in starts else timer.ended(clock, at)
        for seat, timer in enumerate(table.timers)
    ]
    set_deadlines(table, now)


def set_deadlines(table: Table, now: datetime) -> None:
    """Sets the moments that the tick looks for: the deadline, and when to warn."""
    clock, timers = table.clock, table.timers
    if clock is None:
        return
    short = (short_moment(clock, timer) for timer in timers)
    table.deadline_at = _earliest(timer.falls_at(timer.allowance(clock)) for timer in timers)
    table.short_at = _earliest(moment for moment in short if moment is not None and moment > now.timestamp())


def _earliest(moments: Iterable[float | None]) -> datetime | None:
    known = [moment for moment in moments if moment is not None]
    return utc_datetime(min(known)) if known else None


def utc_datetime(at: float) -> datetime:
    """A POSIX time as a datetime in UTC."""
    return datetime.fromtimestamp(at, UTC)


def stop_clocks(table: Table, now: datetime) -> None:
    """Stops all clocks; they keep the time that is left."""
    table.timers = [timer.stopped(now.timestamp()) for timer in table.timers]
    table.deadline_at = table.short_at = None


def timers_after_move(table: Table, seat: int, now: datetime, *, held: float | None, keeps_turn: bool) -> list[Timer]:
    """Charges the move's time to the seat's clock and adds the increment. held: see `Timer.delay`."""

    def moved(timer: Timer) -> Timer:
        if table.clock is None or timer.since is None:
            return timer
        return timer.moved(table.clock, now.timestamp(), held=held, keeps_turn=keeps_turn)

    return _changed(table, seat, moved)


def give_back_increment(table: Table, seat: int) -> None:
    """Takes the increment of a move that was undone off the clock."""
    if table.clock is not None:
        increment = table.clock.increment
        set_timer(table, seat, lambda timer: timer._replace(reserve=max(timer.reserve - increment, 0.0)))


def set_timer(table: Table, seat: int, to: Callable[[Timer], Timer]) -> None:
    """Sets one seat's timer, where the table has a clock."""
    table.timers = _changed(table, seat, to)


def _changed(table: Table, seat: int, to: Callable[[Timer], Timer]) -> list[Timer]:
    return [to(timer) if number == seat else timer for number, timer in enumerate(table.timers)]


def give_fresh_clock(table: Table, seat: int) -> None:
    """Gives a fresh clock to a player who returns to a game."""
    if table.clock is not None:
        clock = table.clock
        set_timer(table, seat, lambda timer: timer.renewed(clock))


def whose_time_is_up(table: Table, now: datetime, *, mover: int | None = None, held: float | None = None) -> list[Seat]:
    """Seats whose time is up; for `mover`, whose move has just arrived, without the delay of the network.

    The tick, which knows of no move, waits as long as the network may take, so both come to the same result.
    """
    clock, at = table.clock, now.timestamp()
    if clock is None:
        return []
    return [
        seat
        for seat, timer in zip(table.seat_rows, table.timers, strict=True)
        if timer.is_up(at, timer.delay(clock, at, held) if seat.number == mover else timer.allowance(clock))
    ]


def whose_time_is_short(table: Table, now: datetime) -> list[tuple[Seat, datetime]]:
    """Users to warn that little time is left, and when it is up; without those warned before."""
    if table.clock is None or table.short_at is None:
        return []
    found = []
    for seat, timer in zip(table.seat_rows, table.timers, strict=True):
        moment = short_moment(table.clock, timer)
        if moment is None or timer.deadline is None:
            continue
        if table.short_at <= utc_datetime(moment) <= now:
            found.append((seat, utc_datetime(timer.deadline)))
    return found
