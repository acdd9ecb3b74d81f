"""Library: rule books and courses, loaded from `seeds/` once per process. `load_seeds` has checked them."""

from functools import cache
from pathlib import Path

from games import engines
from tutorials.content import lessons, rulebook
from tutorials.content.lessons import Course
from tutorials.content.rulebook import RuleBook

SEEDS = Path(__file__).resolve().parents[2] / "seeds"


@cache
def load_rule_book(slug: str) -> RuleBook:
    """:raises SeedError: it cannot be parsed."""
    return read_book(slug)


@cache
def load_course(slug: str) -> Course:
    """:raises SeedError: it cannot be parsed."""
    return read_course(slug)


def read_book(slug: str) -> RuleBook:
    """The rule book as it is on the disk now. :raises SeedError: it cannot be parsed."""
    return rulebook.parse_rule_book((SEEDS / slug / "rules.md").read_text("utf-8"), path=f"seeds/{slug}/rules.md")


def read_course(slug: str) -> Course:
    """The course as it is on the disk now. :raises SeedError: it cannot be parsed."""
    return lessons.parse_course((SEEDS / slug / "lessons.yaml").read_text("utf-8"), path=f"seeds/{slug}/lessons.yaml")


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
