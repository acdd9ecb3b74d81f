"""Rating: the strength of users in each game, and its changes."""

from typing import Any

from django.conf import settings
from django.db import models

from games import engines
from games.core.contract import Game
from games.domain.rating_math import Skill


class Rating(models.Model):
    """A user's rating in a game (`games.domain.rating_math`). games: how many results it is based on."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40)
    mu = models.FloatField(default=Skill().mu)
    sigma = models.FloatField(default=Skill().sigma)
    games = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_rating_for_a_user_and_game")]
        indexes = [models.Index(fields=["game", "-mu"], name="rating_game_best")]  # ranking lists

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.is_provisional else ''}"

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)

    @property
    def number(self) -> int:
        return self.skill.number

    @property
    def is_provisional(self) -> bool:
        return self.skill.is_provisional

    def take(self, skill: Skill) -> None:
        """Takes in the skill after one more result, without storing it."""
        self.mu, self.sigma, self.games = skill.mu, skill.sigma, self.games + 1


class RatingChange(models.Model):
    """What a table, or a night of a bot league (table None), did to a rating. before, after: shown numbers."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    table = models.ForeignKey("games.Table", null=True, on_delete=models.SET_NULL, related_name="rating_changes")
    before = models.IntegerField()
    after = models.IntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["table", "rating"], name="table_rates_a_user_once")]

    def __str__(self) -> str:
        return f"{self.before} to {self.after}"

    @property
    def signed(self) -> str:
        """The difference: "+9", "−9" or "±0"."""
        difference = self.after - self.before
        return f"{difference:+d}".replace("-", "−") if difference else "±0"
