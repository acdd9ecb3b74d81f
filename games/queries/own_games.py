"""A player's games that are not over, and those over days that wait for their move."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import Seat, Table

LOOKED_AT = 100  # of the newest running games

_is_there = Q(has_left=False) | Q(is_gone=True) | Q(table__absence__in=Table.RETURNING)  # see `Seat.may_return`
_READ = "code game seat_count base_seconds increment_seconds move_seconds clocks".split()  # every page asks
_running = (
    Seat.objects.filter(_is_there, table__status=Table.Status.RUNNING)
    .select_related("table")
    .only("number", "has_left", "gave_up_deal", *(f"table__{column}" for column in _READ))
)


@dataclass(frozen=True, slots=True)
class OwnGames:
    """A player's running games. newest: the real-time game, or else any, None without one.

    waiting: those that wait for a move, the least time left first.
    """

    newest: Table | None = None
    waiting: tuple[Table, ...] = ()

    def next_after(self, code: str) -> list[Table]:
        """The waiting games without this one, in the order in which "next game" steps through them."""
        codes = [table.code for table in self.waiting]
        start = codes.index(code) + 1 if code in codes else 0
        return [table for table in (*self.waiting[start:], *self.waiting[:start]) if table.code != code]


def own_games(user: User | AnonymousUser, now: datetime) -> OwnGames:
    """Finds the games in one query. A game that the player may return to counts too, but does not wait."""
    if not user.is_authenticated:
        return OwnGames()
    return _by_urgency(_running.filter(user=user).order_by("-table__started_at")[:LOOKED_AT], now)


def unfinished_tables(user: User) -> QuerySet[Table]:
    """The tables at which a player waits, plays, or may take their seat again, newest first."""
    seats = Seat.objects.filter(_is_there, user=user, table__status__in=Table.UNFINISHED)
    return Table.objects.with_seats().filter(seats__in=seats).order_by("-created_at")


def _by_urgency(seats: Iterable[Seat], now: datetime) -> OwnGames:
    newest = sorted(seats, key=lambda seat: seat.table.is_turn_based)
    waiting = [seat for seat in newest if time_left(seat, now) is not None]
    waiting.sort(key=lambda seat: time_left(seat, now) or 0)
    return OwnGames(newest[0].table if newest else None, tuple(seat.table for seat in waiting))


def time_left(seat: Seat, now: datetime) -> float | None:
    """Seconds left for a move in a game over days, None where the game waits for no move.

    It waits for none while the clock is stopped, also for a vacation.
    """
    if not seat.table.is_turn_based or seat.has_left or seat.gave_up_deal:
        return None
    timer = seat.table.timers[seat.number]
    if timer.since is None or timer.since > now.timestamp():
        return None
    return timer.left(now.timestamp())
