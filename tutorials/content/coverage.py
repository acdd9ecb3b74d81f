"""What the source documents say, and where each statement is kept: rules, tests, lessons.

`seeds/coverage.yaml` lists the statements. Lessons are found through the courses, tests by the marks that they carry:
`@pytest.mark.rule("casino:build-hold")`, or `rule` for short. The tests may be missing where only the site was
installed.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from games import engines
from tutorials.content import library
from tutorials.content.lessons import Chapter, Step
from tutorials.content.runner import AnyGame
from tutorials.content.seedfile import SeedError, check_keys, read_yaml

Kind = Literal["rule", "example", "strategy", "note", "aside"]
PATH = "seeds/coverage.yaml"
MARKS = ("rule", "pytest.mark.rule")
TESTS = Path(__file__).resolve().parents[2] / "tests" / "engines"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a source. rules: short ids in the book of its game, () unless `kind` is "rule"."""

    id: str
    kind: Kind
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Carried:
    """A rule that carries a statement. tests: names of tests that pin it. lessons: the steps that teach it."""

    id: str
    number: str
    tests: tuple[str, ...]
    lessons: tuple[tuple[Chapter, Step], ...]


@cache
def statements() -> dict[str, tuple[Statement, ...]]:
    """By slug of the game, in the order of the file. :raises SeedError:"""
    data = read_yaml((library.SEEDS / "coverage.yaml").read_text("utf-8"), path=PATH)
    return {slug: tuple(_statements(slug, found)) for slug, found in data.items()}


def _statements(slug: str, found: dict[str, dict[str, object]]) -> Iterator[Statement]:
    for id, entry in found.items():
        place = f"{PATH}, {slug}, {id}"
        check_keys(entry, place, allowed=(*get_args(Kind), "by"))
        kinds = [kind for kind in get_args(Kind) if kind in entry]
        if len(kinds) != 1:
            raise SeedError(place, f"one of {', '.join(get_args(Kind))} is needed.")
        rules = entry.get("by", [])
        if not isinstance(rules, list) or bool(rules) != (kinds == ["rule"]):
            raise SeedError(place, "a rule, and only a rule, is carried by a list of rules.")
        yield Statement(id, kinds[0], str(entry[kinds[0]]), tuple(map(str, rules)))


def problems(games: Mapping[str, Sequence[Statement]]) -> list[SeedError]:
    """Rules that no book has. games: statements by slug."""
    found = []
    books = library.slugs("rules.md")
    for slug, listed in games.items():
        for statement in listed:
            missing = set(statement.rules) - library.rule_ids(slug) if slug in books else set()
            if missing:
                place = f"{PATH}, {slug}, {statement.id}"
                found.append(SeedError(place, f"the book has no rule {', '.join(sorted(missing))}."))
    return found


@cache
def carried(slug: str) -> dict[str, Carried]:
    """Every rule of a game's book by its short id, with the tests and lessons that depend on it."""
    lessons = defaultdict(list)
    if slug in library.slugs("lessons.yaml"):
        for chapter in library.course(slug).chapters:
            for step in chapter.steps:
                for rule in step.rules:
                    lessons[rule].append((chapter, step))
    tests = pinning_tests()
    return {
        rule.id: Carried(rule.id, rule.number, tests.get(f"{slug}:{rule.id}", ()), tuple(lessons[rule.id]))
        for rule in library.book(slug).rules
    }


@cache
def pinning_tests() -> dict[str, tuple[str, ...]]:
    """Names of the tests that pin a rule, by its full id; {} without the tests."""
    found = defaultdict(list)
    for path in sorted(TESTS.glob("test_*.py")):
        for function in ast.parse(path.read_text("utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                for rule in _marked(function):
                    found[rule].append(function.name)
    return {rule: tuple(names) for rule, names in found.items()}


def _marked(function: ast.FunctionDef) -> Iterator[str]:
    """The rules in a mark, also where it marks a single parameter set."""
    for decorator in function.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in MARKS:
                yield from (
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                )


@dataclass(frozen=True, slots=True)
class Coverage:
    """A game's statements, each with the rules that carry it."""

    game: AnyGame
    rows: tuple[tuple[Statement, tuple[Carried, ...]], ...]

    @property
    def rules(self) -> int:
        return sum(statement.kind == "rule" for statement, _ in self.rows)

    @property
    def gaps(self) -> list[str]:
        """What is not kept everywhere: the statement, the rule, and where it is missing."""
        return [
            f"{statement.id}: {rule.id} has no {where}"
            for statement, rules in self.rows
            for rule in rules
            for where, found in (("test", rule.tests), ("lesson", rule.lessons))
            if not found
        ]


@cache
def all_games() -> tuple[Coverage, ...]:
    """In the order of the games. :raises SeedError: a statement names a rule that no book has."""
    for problem in problems(statements()):
        raise problem
    found = []
    for slug in library.slugs("rules.md"):
        rules = carried(slug)
        rows = tuple((statement, tuple(rules[rule] for rule in statement.rules)) for statement in statements()[slug])
        found.append(Coverage(engines.get(slug), rows))
    return tuple(found)
