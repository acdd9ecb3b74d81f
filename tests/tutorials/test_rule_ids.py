"""Rule ids both ways: engines cite rules that exist, tests pin every rule, lessons teach every rule."""

import ast
import re
import sys
from enum import EnumType, StrEnum
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from games.core.contract import Game, State
from games.core.deals import numbered_decks
from games.engines import GAMES
from tests.rule_marks import pinned_rules
from tutorials.content import library

WITH_BOOK = [game for game in GAMES if game.slug in library.games_with("rules.md")]
WITH_COURSE = [game for game in GAMES if game.slug in library.games_with("lessons.yaml")]
ID_IN_CODE = re.compile(r":?[a-z]+(-[a-z]+)+")


def slug_of(game: Game) -> str:
    return game.slug


def started(game: Game) -> State:
    return game.start(numbered_decks(game.deck(game.read_options({}, game.seats[0]))))


def strings_in_code(path: Path) -> set[str]:
    """Every string constant that is not a docstring."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return {node.value for node in constants if isinstance(node.value, str)}


def names_of_choices(game: Game) -> set[str]:
    """Words that look like rule ids but name the game, an option, a choice, a preset or a phase."""
    choices = {str(choice) for option in game.options for choice in option.choices}
    return choices | {option.name for option in game.options} | {game.slug, *game.presets} | names_of_phases(game)


def modules_of(game: Game) -> list[str]:
    """The modules of an engine: one, or all of its package."""
    name = type(game).__module__
    package, _, file = name.rpartition(".")
    return [name] if file != "game" else sorted(module for module in sys.modules if module.startswith(f"{package}."))


def names_of_phases(game: Game) -> set[str]:
    values = chain(*(vars(sys.modules[name]).values() for name in modules_of(game)))
    kinds = (kind for kind in values if isinstance(kind, EnumType))
    return {str(phase) for kind in kinds if issubclass(kind, StrEnum) for phase in kind}


@pytest.mark.parametrize("game", WITH_BOOK, ids=slug_of)
def test_every_rule_that_an_engine_names_is_in_the_book(game):
    """Every hyphenated word among the strings of an engine, and of what its state has from the core, is a rule.

    Unless it names a choice.
    """
    state = started(game)
    shared = {kind.__module__ for kind in type(state).__mro__ if kind.__module__.startswith("games.core.")}
    strings = chain(*(strings_in_code(Path(sys.modules[name].__file__)) for name in {*modules_of(game), *shared}))
    named = {text.removeprefix(":") for text in strings if ID_IN_CODE.fullmatch(text)}
    assert named, "the engine cites no rule at all"
    assert named - names_of_choices(game) <= library.rule_ids(game.slug)


@pytest.mark.parametrize("game", WITH_BOOK, ids=slug_of)
def test_every_rule_on_a_score_sheet_is_in_the_book(game):
    rng, state = Random(1), started(game)
    while state.to_act and not state.results:
        seat = state.to_act[0]
        state.play(seat, rng.choice(list(state.legal_moves(seat))))
    cited = {line.rule for result in state.results for line in result.lines}
    assert {rule.removeprefix(f"{game.slug}:") for rule in cited} <= library.rule_ids(game.slug)


@pytest.mark.parametrize("game", WITH_BOOK, ids=slug_of)
def test_every_rule_of_the_book_is_pinned_by_a_test(game):
    pinned = {rule.removeprefix(f"{game.slug}:") for rule in pinned_rules() if rule.startswith(f"{game.slug}:")}
    assert sorted(library.rule_ids(game.slug) - pinned) == []


@pytest.mark.parametrize("game", WITH_BOOK, ids=slug_of)
def test_every_rule_that_a_test_pins_is_in_the_book(game):
    pinned = {rule.removeprefix(f"{game.slug}:") for rule in pinned_rules() if rule.startswith(f"{game.slug}:")}
    assert sorted(pinned - library.rule_ids(game.slug)) == []


@pytest.mark.parametrize("game", WITH_COURSE, ids=slug_of)
def test_every_rule_is_taught_by_some_step(game):
    assert sorted(library.rule_ids(game.slug) - library.load_course(game.slug).rule_ids) == []
