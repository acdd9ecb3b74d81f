"""Makes the missing house bots; names are the same in every game, so one learns who plays how well."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from cardsite.accounts.models import User
from games.engines import GAMES
from games.models import HouseBot

NAMES = {  # words of the card table, so that nobody takes a bot for a person
    "first-steps": ("Pip", "Deuce", "Trey", "Tally", "Nob", "Crib", "Talon", "Widow"),
    "club": ("Tierce", "Quart", "Quint", "Kitty", "Bower", "Stringer", "Ruff", "Marker"),
    "strong": ("Spadille", "Manille", "Basto", "Matador", "Tenace", "Capot", "Repique", "Quinola"),
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
        if options["verbosity"]:
            self.stdout.write(f"House bots: {made} made, {HouseBot.objects.count()} in all.")

    def make_bot(self, game: str, level: str, name: str) -> bool:
        user, is_new = User.objects.get_or_create(
            username=f"bot-{game}-{name.lower()}",
            defaults={"first_name": name, "is_bot": True, "password": "!"},
        )
        if is_new:
            HouseBot.objects.create(user=user, game=game, level=level)
        return is_new
