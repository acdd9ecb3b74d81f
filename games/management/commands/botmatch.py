from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.bots import LEVELS, bot
from games.bots.matches import compare
from games.engines import GAMES, get


class Command(BaseCommand):
    help = "Plays mirrored matches between house bots and prints how often the first level beats the second."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=[game.slug for game in GAMES])
        parser.add_argument("--levels", nargs=2, action="append", choices=list(LEVELS), metavar=("FIRST", "SECOND"))
        parser.add_argument("--seats", type=int)
        parser.add_argument("--matches", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")

    def handle(self, *, game: str, levels: list[list[str]] | None, seats: int | None, **given: Any) -> None:
        engine = get(game)
        seats = seats or engine.seats[0]
        ladder = list(LEVELS)
        options = dict(pair.split("=", 1) for pair in given["option"])
        for first, second in levels or zip(ladder[1:], ladder, strict=False):
            found = compare(
                engine,
                bot(game, first),
                bot(game, second),
                seats=seats,
                matches=given["matches"],
                seed=given["seed"],
                options=engine.read_options(options, seats),
            )
            low, high = found.interval
            self.stdout.write(
                f"{game}, {seats} seats, {given['matches']} mirrored matches: {first} beats {second} "
                f"{found.mean:.1%} (95% interval {low:.1%} to {high:.1%})"
            )
