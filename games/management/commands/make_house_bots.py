"""Makes the missing house bots; a name is of the same level in every game, so one learns who plays how well."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from games.engines import GAMES
from games.models import HouseBot
from games.services import house_bots


class Command(BaseCommand):
    help = "Make the house bots of every game and level that are missing."

    @transaction.atomic
    def handle(self, **options: Any) -> None:
        before = HouseBot.objects.count()
        for game in GAMES:
            for level in house_bots.HOUSE_BOT_NAMES:
                house_bots.make_house_bots(game.slug, level, house_bots.names_at(game.slug, level))
        if options["verbosity"]:
            count = HouseBot.objects.count()
            self.stdout.write(f"House bots: {count - before} made, {count} in all.")
