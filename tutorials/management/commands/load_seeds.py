"""`manage.py load_seeds`: checks every rule book and course against the engines."""

from django.core.management.base import BaseCommand, CommandError

from tutorials.content import library
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
        try:
            book, problems = library.read_book(slug)
            steps = 0
            if slug in library.games_with("lessons.yaml"):
                course, more = library.read_course(slug, book)
                problems, steps = [*problems, *more], len(course.steps)
        except SeedError as error:
            return [error]
        if verbosity:
            self.stdout.write(f"{slug}: {len(book.rules)} rules, {steps} lesson steps")
        return problems
