"""`manage.py coverage`: which rules, tests and lessons keep each statement of the sources."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engines import GAMES
from tutorials.content import coverage


class Command(BaseCommand):
    help = "Prints every statement of the sources with its rules, their tests and their lessons; fails if one has none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")

    def handle(self, *, game: str | None, **options: object) -> None:
        shown = [found for found in coverage.coverage_of_all_games() if game in (None, found.game.slug)]
        for found in shown:
            self.print_game(found)
        gaps = [f"{found.game.slug}, {gap}" for found in shown for gap in found.gaps]
        if gaps:
            raise CommandError("\n".join(gaps))

    def print_game(self, found: coverage.Coverage) -> None:
        self.stdout.write(f"\n{found.game.name}: {len(found.rows)} statements, {found.rules} of them rules")
        for statement, rules in found.rows:
            self.stdout.write(f"  {statement.id} {statement.kind}: {statement.text}")
            for rule in rules:
                steps = ", ".join(f"{chapter.id}/{step.id}" for chapter, step in rule.lessons)
                self.stdout.write(f"      {rule.id}: {len(rule.tests)} tests; lessons {steps or 'none'}")
