"""`manage.py bench_tie_breaks`: our standings beside those of an independent program."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.management.bench.tie_breaks import differences, event_with_gaps


class Command(BaseCommand):
    help = "Compares the tie-breaks of generated Swiss events with TieBreakServer, by the rules of 2024 and of 2026."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("program", type=Path, help="the file tiebreakchecker.py of a checkout of TieBreakServer")
        parser.add_argument("--events", type=int, default=500)

    def handle(self, *, program: Path, events: int, **_: Any) -> None:
        if not program.is_file():
            raise CommandError(f"There is no file {program}.")
        differing = 0
        with TemporaryDirectory() as folder:
            for seed in range(events):
                records, capped = event_with_gaps(Random(seed)), seed % 2 == 0
                found = differences(records, program=program, folder=Path(folder), capped=capped)
                differing += bool(found)
                for text in found:
                    self.stdout.write(f"event {seed}, rules of {2026 if capped else 2024}: {text}")
        self.stdout.write(f"{events - differing} of {events} events agree.")
