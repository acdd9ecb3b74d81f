from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.bench import PlayDeal, choices, deal_of, open_spiel_gin, race, rlcard_gin
from games.engines import GAMES, get

RIVALS = {"OpenSpiel": open_spiel_gin, "RLCard": rlcard_gin}


class Command(BaseCommand):
    help = (
        "Prints how many deals and decisions a second each game makes when moves are drawn by lot, and Gin "
        "Rummy beside OpenSpiel and RLCard where they are installed (the dependency group `bench`)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=1.0, help="length of a round")
        parser.add_argument("--rounds", type=int, default=5)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--game", choices=[game.slug for game in GAMES], action="append", help="only these games"
        )

    def handle(self, *, seconds: float, rounds: int, seed: int, game: list[str] | None, **_: Any) -> None:
        self.stdout.write(
            f"{'game':<28}{'deals/s':>10}{'decisions/s':>13}{'decisions':>11}{'moves':>8}{'most':>7}"
        )
        for engine in GAMES:
            if game is None or engine.slug in game:
                for seats in engine.seats:
                    self.print_game(engine, seats, seconds=seconds, rounds=rounds, seed=seed)
        if game is None or "gin-rummy" in game:
            self.print_gin(seconds=seconds, rounds=rounds, seed=seed)

    def print_game(self, engine: Any, seats: int, *, seconds: float, rounds: int, seed: int) -> None:
        title = f"{engine.name}, {seats} seats"
        speed = race({title: deal_of(engine, seats, Random(seed))}, rounds=rounds, seconds=seconds)[title]
        mean, most = choices(engine, seats, Random(seed), deals=20)
        self.stdout.write(
            f"{title:<28}{speed.deals_per_second:>10,.0f}{speed.deals_per_second * speed.decisions:>13,.0f}"
            f"{speed.decisions:>11.1f}{mean:>8.1f}{most:>7}"
        )

    def print_gin(self, *, seconds: float, rounds: int, seed: int) -> None:
        contenders: dict[str, PlayDeal] = {"Gin Rummy": deal_of(get("gin-rummy"), 2, Random(seed))}
        missing = []
        for name, make in RIVALS.items():
            try:
                contenders[name] = make(Random(seed))
            except ImportError:
                missing.append(name)
        self.stdout.write(f"\nGin Rummy side by side, median of {rounds} rounds in turns")
        speeds = race(contenders, rounds=rounds, seconds=seconds)
        ours = speeds["Gin Rummy"].deals_per_second
        for name, speed in speeds.items():
            ratio = f", ours is {ours / speed.deals_per_second:.1f} times as fast" if name in RIVALS else ""
            rate = f"{speed.deals_per_second:>10,.0f} deals/s, {speed.decisions:.1f} decisions a deal"
            self.stdout.write(f"  {name:<26}{rate}{ratio}")
        for name in missing:
            self.stdout.write(f"  {name:<26}not installed")
