"""`manage.py bench_pairing`: speed and quality of Swiss pairing."""

from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.formats.contract import Records
from tournaments.management.bench.pairing import CONTENDERS, played, run_contenders


class Command(BaseCommand):
    help = (
        "Prints how long it takes to pair a round of a Swiss, and how far apart the paired are, beside the programs "
        "that are installed (the dependency group `bench`, and bbpPairings on the path)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--entrants", type=int, nargs="+", default=[100, 1000, 5000], help="even numbers")
        parser.add_argument("--round", type=int, default=5)
        parser.add_argument("--times", type=int, default=3, help="of which the best counts")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *, entrants: list[int], round: int, times: int, seed: int, **_: Any) -> None:
        for count in entrants:
            self.stdout.write(f"\nSwiss, round {round} of {count:,} entrants")
            self.stdout.write(
                f"  {'':<20}{'seconds':>9}{'beside ours':>13}{'across':>8}{'distance':>10}{'rematches':>11}"
            )
            self.print_race(played(count, round - 1, Random(seed)), times=times)

    def print_race(self, records: Records, *, times: int) -> None:
        ours = 0.0
        for contender in CONTENDERS:
            if len(records.entrants) > contender.at_most:
                self.stdout.write(f"  {contender.name:<20}left out: takes minutes")
                continue
            try:
                outcome = run_contenders(contender, records, times=times)
            except ImportError:
                self.stdout.write(f"  {contender.name:<20}not installed")
                continue
            ours = ours or outcome.seconds
            self.stdout.write(
                f"  {contender.name:<20}{outcome.seconds:>9.3f}{outcome.seconds / ours:>12.1f}x"
                f"{outcome.across:>8}{outcome.distance:>10.2f}{outcome.met:>11}"
            )
