"""Library: rule books and courses, loaded from `seeds/` once per process and checked against the engines."""

from functools import cache
from pathlib import Path

from games import engines
from tutorials.content import lessons, rulebook
from tutorials.content.checks import book_problems, course_problems
from tutorials.content.lessons import Course
from tutorials.content.rulebook import RuleBook
from tutorials.content.seedfile import SeedError

SEEDS = Path(__file__).resolve().parents[2] / "seeds"


@cache
def load_rule_book(slug: str) -> RuleBook:
    """:raises KeyError: there is no such game. :raises SeedError: its rule book is wrong."""
    found, problems = read_book(slug)
    for problem in problems:
        raise problem
    return found


@cache
def load_course(slug: str) -> Course:
    """:raises KeyError: there is no such game. :raises SeedError: its course or its rule book is wrong."""
    found, problems = read_course(slug, load_rule_book(slug))
    for problem in problems:
        raise problem
    return found


def read_book(slug: str) -> tuple[RuleBook, list[SeedError]]:
    """The rule book and its problems. :raises SeedError: it cannot be parsed."""
    path = f"seeds/{slug}/rules.md"
    found = rulebook.parse_rule_book((SEEDS / slug / "rules.md").read_text("utf-8"), path=path)
    return found, book_problems(found, engines.get(slug), path=path)


def read_course(slug: str, book: RuleBook) -> tuple[Course, list[SeedError]]:
    """The course and its problems. :raises SeedError: it cannot be parsed."""
    path = f"seeds/{slug}/lessons.yaml"
    found = lessons.parse_course((SEEDS / slug / "lessons.yaml").read_text("utf-8"), path=path)
    return found, course_problems(found, engines.get(slug), book, path=path)


def games_with(name: str) -> list[str]:
    """The games that have this seed file, in the order of the games."""
    return [game.slug for game in engines.GAMES if (SEEDS / game.slug / name).exists()]


def load_rule_books() -> dict[str, RuleBook]:
    """By slug, in the order of the games."""
    return {slug: load_rule_book(slug) for slug in games_with("rules.md")}


def load_courses() -> dict[str, Course]:
    """By slug, in the order of the games."""
    return {slug: load_course(slug) for slug in games_with("lessons.yaml")}


def rule_ids(slug: str) -> frozenset[str]:
    """The short ids of all rules of a game's book."""
    return load_rule_book(slug).rule_ids
