"""Coverage of the source documents: each statement, with the rules, tests and lessons that keep it.

`seeds/coverage.yaml` lists the statements. Lessons are found through the courses, tests by their marks:
`@pytest.mark.rule("casino:build-hold")`, or `rule` for short. Tests may be missing on an installed site.
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
from tutorials.content.lessons import Chapter, LessonStep
from tutorials.content.rulebook import Rule
from tutorials.content.runner import AnyGame
from tutorials.content.seedfile import SeedError, check_keys, read_yaml

StatementKind = Literal["rule", "example", "strategy", "note", "aside"]
COVERAGE_FILE = "seeds/coverage.yaml"
RULE_MARKS = ("rule", "pytest.mark.rule")
TESTS_FOLDER = Path(__file__).resolve().parents[2] / "tests" / "engines"


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """A statement of a source. rules: short ids in the book of its game, () unless `kind` is "rule"."""

    id: str
    kind: StatementKind
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CarriedRule:
    """A rule that keeps a statement. tests: names of tests that pin it. lessons: the steps that teach it."""

    id: str
    number: str
    tests: tuple[str, ...]
    lessons: tuple[tuple[Chapter, LessonStep], ...]


@cache
def source_statements() -> dict[str, tuple[SourceStatement, ...]]:
    """By slug of the game, in the order of the file. :raises SeedError:"""
    data = read_yaml((library.SEEDS / "coverage.yaml").read_text("utf-8"), path=COVERAGE_FILE)
    return {slug: tuple(_statements(slug, found)) for slug, found in data.items()}


def _statements(slug: str, found: dict[str, dict[str, object]]) -> Iterator[SourceStatement]:
    for id, entry in found.items():
        place = f"{COVERAGE_FILE}, {slug}, {id}"
        check_keys(entry, place, allowed=(*get_args(StatementKind), "by"))
        kinds = [kind for kind in get_args(StatementKind) if kind in entry]
        if len(kinds) != 1:
            raise SeedError(place, f"one of {', '.join(get_args(StatementKind))} is needed.")
        rules = entry.get("by", [])
        if not isinstance(rules, list) or bool(rules) != (kinds == ["rule"]):
            raise SeedError(place, "a rule, and only a rule, is carried by a list of rules.")
        yield SourceStatement(id, kinds[0], str(entry[kinds[0]]), tuple(map(str, rules)))


def coverage_problems(games: Mapping[str, Sequence[SourceStatement]]) -> list[SeedError]:
    """Statements with rules that no book has. games: statements by slug."""
    found = []
    books = library.games_with("rules.md")
    for slug, listed in games.items():
        for statement in listed:
            missing = set(statement.rules) - library.rule_ids(slug) if slug in books else set()
            if missing:
                place = f"{COVERAGE_FILE}, {slug}, {statement.id}"
                found.append(SeedError(place, f"the book has no rule {', '.join(sorted(missing))}."))
    return found


@cache
def carried_rules(slug: str) -> dict[str, CarriedRule]:
    """Every rule of a game's book by its short id, with the tests and lessons that depend on it."""
    lessons = defaultdict(list)
    if slug in library.games_with("lessons.yaml"):
        for chapter in library.load_course(slug).chapters:
            for step in chapter.steps:
                for rule in step.rules:
                    lessons[rule].append((chapter, step))
    tests = pinning_tests()
    return {
        rule.id: CarriedRule(rule.id, rule.number, tests.get(f"{slug}:{rule.id}", ()), tuple(lessons[rule.id]))
        for rule in library.load_rule_book(slug).rules
    }


@cache
def pinning_tests() -> dict[str, tuple[str, ...]]:
    """Names of the tests that pin a rule, by its full id; {} without the tests."""
    found = defaultdict(list)
    for path in sorted(TESTS_FOLDER.glob("test_*.py")):
        for function in ast.parse(path.read_text("utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                for rule in _marked(function):
                    found[rule].append(function.name)
    return {rule: tuple(names) for rule, names in found.items()}


def _marked(function: ast.FunctionDef) -> Iterator[str]:
    """The rule ids in the marks of a test, also in those of single parameter sets."""
    for decorator in function.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in RULE_MARKS:
                yield from (
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                )


@dataclass(frozen=True, slots=True)
class Coverage:
    """The statements of a game, each with its rules."""

    game: AnyGame
    rows: tuple[tuple[SourceStatement, tuple[CarriedRule, ...]], ...]

    @property
    def rules(self) -> int:
        return sum(statement.kind == "rule" for statement, _ in self.rows)

    @property
    def book(self) -> tuple[Rule, ...]:
        """Every rule and option of the rule book, each of which has an origin and perhaps rulings."""
        book = library.load_rule_book(self.game.slug)
        return (*book.rules, *book.options)

    @property
    def gaps(self) -> list[str]:
        """What is not covered: the statement, the rule, and where it is missing."""
        return [
            f"{statement.id}: {rule.id} has no {where}"
            for statement, rules in self.rows
            for rule in rules
            for where, found in (("test", rule.tests), ("lesson", rule.lessons))
            if not found
        ]


@cache
def coverage_of_all_games() -> tuple[Coverage, ...]:
    """In the order of the games. :raises SeedError: a statement names a rule that no book has."""
    for problem in coverage_problems(source_statements()):
        raise problem
    found = []
    for slug in library.games_with("rules.md"):
        rules = carried_rules(slug)
        rows = tuple(
            (statement, tuple(rules[rule] for rule in statement.rules)) for statement in source_statements()[slug]
        )
        found.append(Coverage(engines.get(slug), rows))
    return tuple(found)
