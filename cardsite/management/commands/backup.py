"""`manage.py backup`: the whole database in one file, while the site runs."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management import BaseCommand, CommandError

from cardsite.server import backups


class Command(BaseCommand):
    help = "Write the whole database to one file, while the site runs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="a new file; in backups/ of VAR_DIR if not given")

    def handle(self, *, file: Path | None, **options: object) -> None:
        path = file or backups.default_path()
        try:
            backups.back_up(path)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Wrote {path} ({path.stat().st_size / 1e6:.1f} MB). Keep SECRET_KEY with it, but not beside it."
        )
