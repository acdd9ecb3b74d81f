"""Makes the missing house bots; names are the same in every game, so one learns who plays how well."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from cardsite.accounts.models import User
from games.engines import GAMES
from games.models import HouseBot

NAMES = {
    "first-steps": ("Pip", "Dot", "Milo", "Tess", "Wren", "Otis", "Fern", "Jory"),
    "club": ("Ada", "Bruno", "Clara", "Edgar", "Greta", "Henrik", "Ines", "Jonas"),
    "strong": ("Magnus", "Sibyl", "Konrad", "Vera", "Anselm", "Judit", "Casimir", "Thea"),
}


class Command(BaseCommand):
    help = "Make the house bots of every game and level that are missing."

    @transaction.atomic
    def handle(self, **options: Any) -> None:
        made = sum(
            self.make_bot(game.slug, level, name)
            for game in GAMES
            for level, names in NAMES.items()
            for name in names
        )
        self.stdout.write(f"House bots: {made} made, {HouseBot.objects.count()} in all.")

    def make_bot(self, game: str, level: str, name: str) -> bool:
        user, is_new = User.objects.get_or_create(
            username=f"bot-{game}-{name.lower()}",
            defaults={"first_name": name, "is_bot": True, "password": "!"},
        )
        if is_new:
            HouseBot.objects.create(user=user, game=game, level=level)
        return is_new
