"""House bots: the users who are bots of the site, with game and level."""

from typing import Any

from django.conf import settings
from django.db import models

from games import engines
from games.bots import LEVELS
from games.core.contract import Game


class HouseBot(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="house_bot")
    game = models.CharField(max_length=40)
    level = models.CharField(max_length=20, choices=LEVELS)

    class Meta:
        indexes = [models.Index(fields=["game", "level"], name="house_bot_game_level")]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_level_display()})"

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)
