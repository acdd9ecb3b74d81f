"""Querysets of tables: what lists, ticks and pages ask for."""

from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Self, TypeVar

from django.db import models

from games import engines
from games.bots import EXPERT
from games.domain.clocks import HOUR
from games.models.choices import TableStatus
from games.models.seat import Seat
from infra.due import claim_due

T = TypeVar("T", bound=models.Model)


class TableQuerySet(models.QuerySet[T]):
    def with_seats(self) -> Self:
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.with_players()))

    def open(self) -> Self:
        """Tables that anyone may join."""
        return self.filter(status=TableStatus.OPEN, is_private=False, shuffle_due_at=None)

    def shuffle_overdue(self, now: datetime) -> Self:
        """Tables at which a browser has not sent its part of the shuffle in time."""
        return self.filter(status=TableStatus.OPEN, shuffle_due_at__lte=now)

    def running(self) -> Self:
        return self.filter(status=TableStatus.RUNNING)

    def in_real_time(self) -> Self:
        """Tables of real-time games, at which players wait for each other."""
        return self.filter(models.Q(move_seconds=None) | models.Q(move_seconds__lt=HOUR))

    def overdue(self, now: datetime) -> Self:
        """Tables at which a player's time is up."""
        return self.running().filter(deadline_at__lte=now)

    def short_of_time(self, now: datetime) -> Self:
        """Tables at which a player is to be warned that little time is left."""
        return self.running().filter(short_at__lte=now)

    def with_experts(self) -> Self:
        """Tables at which an expert plays, whose moves have a queue of their own."""
        return self.filter(seats__user__house_bot__level=EXPERT).distinct()

    def of(self, user: Any) -> Self:
        return self.filter(seats__user=user)

    def public(self) -> Self:
        """Finished games for a player's public page: without private games."""
        listed = models.Q(is_private=False) | models.Q(is_rated=True)
        return self.filter(listed, status=TableStatus.FINISHED, is_hidden=False)

    def games(self) -> Self:
        """Without "what if" games, which continue a position of another game."""
        return self.filter(branch_at=None)

    def by_todays_rules(self) -> Self:
        """Without games whose record was made by an earlier version of the rules (`Game.rules_version`)."""
        of_today = (models.Q(game=game.slug, rules_version=game.rules_version) for game in engines.GAMES)
        return self.filter(reduce(or_, of_today))

    def own_deals(self) -> Self:
        """Without tables that repeat another table's deals by a player's choice."""
        return self.games().filter(same_deal_as=None)

    def claim(self, due_field: str, *, now: datetime, patience: timedelta) -> list[int]:
        """Claims tables where this is due: each is put off by `patience`, so that a second tick leaves it alone."""
        return [pk for pk, _ in claim_due(self, due_field, until=now, patience=patience)]
