"""Reliability: whether a player finishes games."""

from django.conf import settings
from django.db import models

KEPT = 0.95  # what each further game leaves of the weight of those before it
SHOWN_FROM = 5  # games


class Reliability(models.Model):
    """The share of games with other people that a player has finished.

    games: how many there were. weight: their sum if the newest counts 1, the one before it `KEPT`, and so on; finished:
    the same sum over games that the player finished. So old games fade with every new one.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reliability")
    games = models.PositiveIntegerField(default=0)
    finished = models.FloatField(default=0)
    weight = models.FloatField(default=0)

    class Meta:
        verbose_name_plural = "reliability"

    def __str__(self) -> str:
        return "" if self.percent is None else f"finishes {self.percent} % of games"

    @property
    def percent(self) -> int | None:
        """Rounded down, so that 100 means all games; None before there are enough."""
        return int(100 * self.finished / self.weight) if self.games >= SHOWN_FROM else None

    def take(self, *, stayed: bool) -> None:
        """Takes in one more game, without storing it."""
        self.games += 1
        self.finished = KEPT * self.finished + stayed
        self.weight = KEPT * self.weight + 1
