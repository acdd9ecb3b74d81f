"""`manage.py restore`: a backup in the place of the whole database."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management import BaseCommand, CommandError

from cardsite.server import backups
from cardsite.web.health import LATE_SECONDS, tick_ages


class Command(BaseCommand):
    help = "Put a backup in the place of the whole database. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="written by `manage.py backup`")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, file: Path, yes: bool, **options: object) -> None:
        ages = [age for age in tick_ages().values() if age is not None]
        if ages and min(ages) < LATE_SECONDS:
            raise CommandError(
                f"The site is running: a tick ended {min(ages):.0f} s ago. Stop web processes, workers and beat, wait "
                f"{LATE_SECONDS} s, and try again."
            )
        try:
            backups.check(file)
            if not yes and input(f"Replace all the site remembers by {file}? Type yes: ") != "yes":
                raise CommandError("Nothing was changed.")
            backups.restore(file)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored {file}. The next start brings it up to date (`manage.py prepare` on a server).")
