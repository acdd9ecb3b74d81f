"""`manage.py prepare`: migrations and seed data, in order, before the site starts."""

from argparse import ArgumentParser

from django.core.management import BaseCommand, CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from cardsite import checks

PREPARE_STEPS = (
    ("Collecting static files", "collect_static"),
    ("Bringing the database up to date", "migrate"),
    ("Loading rule books and lessons", "load_seeds"),
    ("Seating the house bots", "make_house_bots"),
    ("Ending games whose rules have changed", "end_outdated_games"),
)
DEMO_STEPS = (("Putting the demo tournaments on the calendar", "make_demo_schedule"),)


class Command(BaseCommand):
    help = "Make the database ready for this version of the site. Run it at every deployment."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also schedule recurring demo tournaments")

    def handle(self, *, demo: bool, **options: object) -> None:
        """Prints what it does if the database is new or of an earlier version.

        :raises CommandError: the database is out of reach or its disk is full, in one sentence.
        """
        for warning in checks.check_trusted_proxies(None):
            self.stdout.write(f"Warning: {warning.msg} {warning.hint}")
        step = "Reading the database"
        try:
            is_news = has_open_migrations()
            for step, command in PREPARE_STEPS + DEMO_STEPS * demo:
                if is_news:
                    self.stdout.write(f"{step}.")
                call_command(command, verbosity=0)
        except OperationalError as error:
            raise CommandError(f"{step} failed: {str(error).strip().splitlines()[0]}.") from error


def has_open_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
