"""Seek: a player looks for a game."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from games import engines
from games.core.contract import Game
from games.domain.matchmaking import Wish
from games.models.table import Table

# A browser that asks again every ten seconds does so once a minute while another page lies over it.
SEEN_FOR = timedelta(seconds=75)
UNSEEN_FOR = timedelta(days=3)
FORGOTTEN_AFTER = timedelta(minutes=10)


class SeekQuerySet(models.QuerySet["Seek"]):
    def waiting(self) -> "SeekQuerySet":
        return self.filter(table=None)

    def startable(self, now: datetime) -> "SeekQuerySet":
        """Seeks for which a game can start, oldest first."""
        return self.waiting().filter(here_until__gt=now).order_by("created_at", "pk")

    def abandoned(self, now: datetime) -> "SeekQuerySet":
        return self.filter(here_until__lt=now - FORGOTTEN_AFTER)


class Seek(models.Model):
    """A player's seek; one at a time.

    seats, paces: lists of acceptable ones. is_rated: None if both are fine. options: those that must have these values.
    rating: the player's own in this game. low, high: limits for the opponents' ratings.
    bot_level: of the bots that take the empty seats from `bots_at` on; "" and None for no bots.
    shuffles: the player's browser will add a value to the shuffle.
    here_until: moved on while the waiting page is open. waits_unseen: a game over days starts without it.
    table: the table that was found.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seek")
    game = models.CharField(max_length=40)
    seats = models.JSONField(default=list)
    paces = models.JSONField(default=list)
    is_rated = models.BooleanField(null=True, blank=True)
    options = models.JSONField(default=dict, blank=True)
    rating = models.IntegerField()
    low = models.IntegerField(null=True, blank=True)
    high = models.IntegerField(null=True, blank=True)
    bot_level = models.CharField(max_length=20, blank=True)
    bots_at = models.DateTimeField(null=True, blank=True)
    shuffles = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    here_until = models.DateTimeField()
    waits_unseen = models.BooleanField(default=False)
    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.SET_NULL, related_name="seeks")

    objects = SeekQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["game", "created_at"], condition=models.Q(table=None), name="seek_waiting"),
            models.Index(fields=["bots_at"], condition=models.Q(table=None), name="seek_bots_due"),
            models.Index(fields=["here_until"], name="seek_here_until"),
        ]

    def __str__(self) -> str:
        return f"{self.user} looks for {self.rules.name}"

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    def wish(self, *, avoids: frozenset[int] = frozenset()) -> Wish:
        return Wish(
            self.user_id,
            seats=frozenset(self.seats),
            paces=frozenset(self.paces),
            is_rated=self.is_rated,
            options=self.options,
            rating=self.rating,
            low=self.low,
            high=self.high,
            avoids=avoids,
        )
