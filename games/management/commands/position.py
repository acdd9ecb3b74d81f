import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.core.contract import ImpossiblePosition
from games.core.deals import numbered_decks
from games.engines import GAMES, get


class Command(BaseCommand):
    help = (
        "Prints a position as JSON after some moves drawn by lot; with --load checks an edited one "
        "and prints what the seat to act may do."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=[game.slug for game in GAMES])
        parser.add_argument("--seats", type=int)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--after", type=int, default=0, help="number of moves to play first")
        parser.add_argument("--load", metavar="FILE", help="a position to check, - for standard input")

    def handle(self, *, game: str, load: str | None, **given: Any) -> None:
        engine = get(game)
        if load is None:
            self.stdout.write(json.dumps(self.played(engine, **given).dump(), indent=1))
            return
        try:
            text = sys.stdin.read() if load == "-" else Path(load).read_text()
            state = engine.load(json.loads(text))
        except (OSError, json.JSONDecodeError, ImpossiblePosition) as error:
            raise CommandError(str(error)) from None
        for seat in state.to_act:
            for zone in state.view(seat).zones:
                hidden = f" + {zone.hidden} hidden" if zone.hidden else ""
                self.stdout.write(f"{zone.label}: {' '.join(zone.cards)}{hidden}")
            self.stdout.write(f"seat {seat}: " + " | ".join(map(str, state.legal_moves(seat))))

    def played(self, engine: Any, *, seats: int | None, seed: int, after: int, **_: Any) -> Any:
        rng = Random(seed)
        seats = seats or engine.seats[0]
        options = engine.read_options(None, seats)
        state = engine.start(numbered_decks(engine.deck(options), seed), seats=seats, options=options)
        for _move in range(after):
            if not state.to_act:
                break
            seat = state.to_act[0]
            state.play(seat, rng.choice(state.legal_moves(seat)))
        return state
