"""Games to watch: running games that anyone may see, the most interesting first."""

import time
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from accounts.models import User
from games.live import presence
from games.models import Rating, Seat, Table
from games.models.querysets import TableQuerySet

LISTED_TABLES = 60


@dataclass(frozen=True, slots=True)
class WatchableGame:
    """A running game.

    players: by seat with the rating in the game, None for players without one. watchers: number of spectators.
    """

    table: Table
    players: tuple[tuple[Seat, Rating | None], ...]
    watchers: int

    @property
    def strength(self) -> float:
        """The mean rating of its players, a newcomer's for players without one."""
        numbers = [(rating or Rating()).number for _, rating in self.players]
        return sum(numbers) / len(numbers)

    def is_played_by(self, user: User | AnonymousUser) -> bool:
        return user.is_authenticated and any(seat.user_id == user.pk for seat, _ in self.players if not seat.has_left)


def worth_watching() -> list[WatchableGame]:
    """Public games with people: tournaments first, then the strongest players."""
    newest = list(_public_games().with_seats().order_by("-started_at")[:LISTED_TABLES])
    ratings = _ratings(newest)
    seated = {table.pk: [seat.user_id for seat in table.seat_rows if not seat.has_left] for table in newest}
    watchers = presence.count_watchers(seated, now=time.time())
    found = [
        WatchableGame(
            table,
            tuple((seat, ratings.get((seat.user_id, table.game))) for seat in table.seat_rows),
            watchers[table.pk],
        )
        for table in newest
    ]
    return sorted(found, key=lambda watched: (not watched.table.event_name, -watched.strength))


def count_watchable() -> int:
    """How many public games with people are being played."""
    return _public_games().count()


def _public_games() -> TableQuerySet[Table]:
    by_people = Seat.objects.filter(user__in=User.objects.filter(is_bot=False), has_left=False).values("table")
    listed = Q(is_private=False) | ~Q(event_name="")
    return Table.objects.running().filter(listed, is_hidden=False, pk__in=by_people)


def _ratings(tables: list[Table]) -> dict[tuple[int | None, str], Rating]:
    """Ratings by user and game."""
    users = {seat.user_id for table in tables for seat in table.seat_rows}
    games = {table.game for table in tables}
    return {(rating.user_id, rating.game): rating for rating in Rating.objects.filter(user__in=users, game__in=games)}
