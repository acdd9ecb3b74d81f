from argparse import ArgumentParser

from django.core.management import BaseCommand, call_command

STEPS = (
    ("Bringing the database up to date", "migrate"),
    ("Loading rule books and lessons", "load_seeds"),
    ("Seating the house bots", "make_house_bots"),
)
DEMO_STEPS = (("Putting the demo tournaments on the calendar", "make_demo_schedule"),)


class Command(BaseCommand):
    help = "Make the database ready for this version of the site. Run it at every deployment."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also schedule recurring demo tournaments")

    def handle(self, *, demo: bool, **options: object) -> None:
        for text, command in STEPS + DEMO_STEPS * demo:
            self.stdout.write(f"{text}.")
            call_command(command, verbosity=0)
