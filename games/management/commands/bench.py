from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.engines import GAMES, get
from games.management.bench.engines import (
    PlayDeal,
    cost,
    deal_of,
    open_spiel_cribbage,
    open_spiel_gin,
    race,
    rlcard_gin,
)
from infra.garbage import freeze_what_is_loaded

RIVALS = {
    "gin-rummy": {"OpenSpiel": open_spiel_gin, "RLCard": rlcard_gin},
    "partnership-cribbage": {"OpenSpiel": open_spiel_cribbage},
}


class Command(BaseCommand):
    help = (
        "Prints how many deals and decisions a second each game makes when moves are drawn by lot, and Gin "
        "Rummy and Cribbage beside OpenSpiel and RLCard where they are installed (the dependency group `bench`)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=1.0, help="length of a round")
        parser.add_argument("--rounds", type=int, default=5)
        parser.add_argument("--deals", type=int, default=1000, help="deals over which the slowest call is looked for")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--game", choices=[game.slug for game in GAMES], action="append", help="only these games")

    def handle(self, *, seconds: float, rounds: int, deals: int, seed: int, game: list[str] | None, **_: Any) -> None:
        freeze_what_is_loaded()
        self.stdout.write(
            f"{'':<30}{'deals/s':>9}{'decisions/s':>12}{'a deal':>8}{'moves':>7}{'most':>6}"
            f"{'slowest ms: moves':>19}{'99 %':>7}{'play':>7}{'view':>7}{'sample':>8}"
        )
        for engine in GAMES:
            if game is None or engine.slug in game:
                for seats in engine.seats:
                    self.print_game(engine, seats, seconds=seconds, rounds=rounds, deals=deals, seed=seed)
        for slug in RIVALS:
            if game is None or slug in game:
                self.print_rivals(slug, seconds=seconds, rounds=rounds, seed=seed)

    def print_game(self, engine: Any, seats: int, *, seconds: float, rounds: int, deals: int, seed: int) -> None:
        title = f"{engine.name}, {seats} seats"
        speed = race({title: deal_of(engine, seats, Random(seed))}, rounds=rounds, seconds=seconds)[title]
        calls = cost(engine, seats, Random(seed), deals=deals)
        self.stdout.write(
            f"{title:<30}{speed.deals_per_second:>9,.0f}{speed.deals_per_second * speed.decisions:>12,.0f}"
            f"{speed.decisions:>8.1f}{calls.mean_moves:>7.1f}{calls.most_moves:>6}"
            f"{calls.legal_moves:>19.2f}{calls.most_legal_moves:>7.2f}{calls.play:>7.2f}{calls.view:>7.2f}{calls.sample:>8.2f}"
        )

    def print_rivals(self, slug: str, *, seconds: float, rounds: int, seed: int) -> None:
        engine, rivals = get(slug), RIVALS[slug]
        contenders: dict[str, PlayDeal] = {engine.name: deal_of(engine, 2, Random(seed))}
        missing = []
        for name, make in rivals.items():
            try:
                contenders[name] = make(Random(seed))
            except ImportError:
                missing.append(name)
        self.stdout.write(f"\n{engine.name} side by side, 2 seats, median of {rounds} rounds in turns")
        speeds = race(contenders, rounds=rounds, seconds=seconds)
        ours = speeds[engine.name].deals_per_second
        for name, speed in speeds.items():
            ratio = f", ours is {ours / speed.deals_per_second:.1f} times as fast" if name in rivals else ""
            rate = f"{speed.deals_per_second:>10,.0f} deals/s, {speed.decisions:.1f} decisions a deal"
            per_second = f"{speed.deals_per_second * speed.decisions:,.0f} decisions/s"
            self.stdout.write(f"  {name:<26}{rate}, {per_second}{ratio}")
        for name in missing:
            self.stdout.write(f"  {name:<26}not installed")
