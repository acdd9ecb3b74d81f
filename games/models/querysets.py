"""Querysets of tables: what lists, ticks and pages ask for."""

from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Self, TypeVar

from django.db import models

from games import engines
from games.domain.clocks import HOUR
from games.models.choices import TableStatus
from games.models.seat import Seat
from infra.due import claim_due

T = TypeVar("T", bound=models.Model)


class TableQuerySet(models.QuerySet[T]):
    def with_seats(self) -> Self:
        return self.prefetch_related(
            models.Prefetch("seats", Seat.objects.order_by("number").select_related("user__house_bot"))
        )

    def open(self) -> Self:
        """Tables anybody may join."""
        return self.filter(status=TableStatus.OPEN, is_private=False, shuffle_due_at=None)

    def shuffle_overdue(self, now: datetime) -> Self:
        """A browser has not sent its part of the shuffle in time."""
        return self.filter(status=TableStatus.OPEN, shuffle_due_at__lte=now)

    def running(self) -> Self:
        return self.filter(status=TableStatus.RUNNING)

    def in_real_time(self) -> Self:
        """Where people sit and wait for each other."""
        return self.filter(models.Q(move_seconds=None) | models.Q(move_seconds__lt=HOUR))

    def overdue(self, now: datetime) -> Self:
        """Somebody's time is up."""
        return self.running().filter(deadline_at__lte=now)

    def short_of_time(self, now: datetime) -> Self:
        """Somebody is to be told that little is left."""
        return self.running().filter(short_at__lte=now)

    def of(self, user: Any) -> Self:
        return self.filter(seats__user=user)

    def public(self) -> Self:
        """Finished games that belong on a page about somebody who played: not those that were only for friends."""
        listed = models.Q(is_private=False) | models.Q(is_rated=True)
        return self.filter(listed, status=TableStatus.FINISHED, is_hidden=False)

    def games(self) -> Self:
        """Without those that went on from a position of another game."""
        return self.filter(branch_at=None)

    def by_todays_rules(self) -> Self:
        """Without those whose record was made by an earlier version of the rules (`Game.rules_version`)."""
        of_today = (models.Q(game=game.slug, rules_version=game.rules_version) for game in engines.GAMES)
        return self.filter(reduce(or_, of_today))

    def own_deals(self) -> Self:
        """Without those that deal what another table has dealt, by somebody's choice."""
        return self.games().filter(same_deal_as=None)

    def claim(self, due_field: str, *, now: datetime, patience: timedelta) -> list[int]:
        """Tables where this is due, each put off by `patience` so that a second tick leaves it alone."""
        return [pk for pk, _ in claim_due(self, due_field, until=now, patience=patience)]
