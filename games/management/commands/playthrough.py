from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.core.playthrough import record
from games.engines import GAMES, get
from games.management.options import add_option_argument, read_option_argument


class Command(BaseCommand):
    help = "Prints a readable record of a game whose moves are drawn by lot: the form of the goldens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=[game.slug for game in GAMES])
        parser.add_argument("--seats", type=int)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--hands", type=int, help="stop after so many hands")
        parser.add_argument("--moves", type=int, help="stop after so many moves")
        add_option_argument(parser)

    def handle(self, *, game: str, seats: int | None, seed: int, **given: Any) -> None:
        engine = get(game)
        seats = seats or engine.seats[0]
        options = read_option_argument(engine, given["option"], seats)
        limits = {"hands": given["hands"], "moves": given["moves"]}
        self.stdout.write(record(engine, seats=seats, seed=seed, options=options, **limits), ending="")
