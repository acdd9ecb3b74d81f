"""`manage.py load_seeds`: checks every rule book and course against the engines."""

from django.core.management.base import BaseCommand, CommandError

from games import engines
from tutorials.content import library
from tutorials.content.checks import book_problems, course_problems
from tutorials.content.seedfile import SeedError


class Command(BaseCommand):
    help = "Reads all rule books and lessons, plays every example and step, and refuses those that lie."

    def handle(self, *, verbosity: int, **options: object) -> None:
        problems: list[SeedError] = []
        for slug in library.games_with("rules.md"):
            problems += self.load(slug, verbosity)
        if problems:
            raise CommandError("\n".join(map(str, problems)))

    def load(self, slug: str, verbosity: int) -> list[SeedError]:
        """Prints what a game has, and returns its problems."""
        game, steps = engines.get(slug), 0
        try:
            book = library.read_book(slug)
            problems = book_problems(book, game, path=f"seeds/{slug}/rules.md")
            if slug in library.games_with("lessons.yaml"):
                course = library.read_course(slug)
                problems += course_problems(course, game, book, path=f"seeds/{slug}/lessons.yaml")
                steps = len(course.steps)
        except SeedError as error:
            return [error]
        if verbosity:
            self.stdout.write(f"{slug}: {len(book.rules)} rules, {steps} lesson steps")
        return problems
