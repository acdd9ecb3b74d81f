"""Typeset rule book: paragraphs with pictures, options with choices, links to lessons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games import engines
from games.core.cards import Card
from games.core.contract import Option, State, View
from games.core.words import render_text
from tutorials.content import library, runner
from tutorials.content.rulebook import Example, Rule, RuleSection
from tutorials.content.runner import AnyGame
from tutorials.navigation import step_url


@dataclass(frozen=True, slots=True)
class ExampleMove:
    """A move in an example: in words, and the short id of the rule that refuses it, "" if it is legal."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class ExamplePicture:
    """An example, ready to print. rows: labels with cards."""

    caption: str
    rows: Sequence[tuple[str, Sequence[Card]]]
    lines: Sequence[ExampleMove] = ()


def example_picture(example: Example, game: AnyGame) -> ExamplePicture:
    """The open cards of a position, or the rows of a plain picture."""
    if example.position is None:
        return ExamplePicture(example.caption, [(label, cards.split()) for label, cards in example.rows.items()])
    state: State = game.load(example.position)
    view = state.view(state.to_act[0] if example.seat is None and example.moves else example.seat)
    reader = state.to_act[0] if view.seat is None else view.seat
    names = runner.seat_names(state.seats, reader)
    rows = [(render_text(zone.label, names, reader), zone.cards) for zone in view.zones if zone.cards]
    lines = [_line(text, verdict, view, game, names) for text, verdict in example.moves.items()]
    return ExamplePicture(example.caption, rows, lines)


def _line(text: str, verdict: str, view: View, game: AnyGame, names: Sequence[str]) -> ExampleMove:
    words = render_text(view.choice(game.parse(text)).phrase.text, names, view.seat)
    return ExampleMove(words, "" if verdict == "legal" else verdict)


@dataclass(frozen=True, slots=True)
class RuleParagraph:
    """A rule with its pictures and the address of a step that teaches it, "" if none does; or an option."""

    rule: Rule
    pictures: Sequence[ExamplePicture]
    lesson_url: str
    option: Option | None


@cache
def typeset_sections(slug: str) -> list[tuple[RuleSection, list[RuleParagraph]]]:
    """:raises SeedError: its rule book or its course cannot be parsed."""
    urls = _lesson_urls(slug)
    return [
        (section, [_paragraph(rule, slug, urls) for rule in section.rules])
        for section in library.load_rule_book(slug).sections
    ]


def _paragraph(rule: Rule, slug: str, urls: Mapping[str, str]) -> RuleParagraph:
    game = engines.get(slug)
    pictures = [example_picture(example, game) for example in rule.examples]
    if rule.is_option:
        option = next(option for option in game.options if option.name == rule.id)
        return RuleParagraph(rule, pictures, "", option)
    return RuleParagraph(rule, pictures, urls.get(rule.id, ""), None)


def lesson_url(slug: str, rule: str) -> str:
    """The address of the first step that teaches a rule, "" if none does."""
    return _lesson_urls(slug).get(rule, "")


@cache
def _lesson_urls(slug: str) -> dict[str, str]:
    """The first step that teaches each rule."""
    urls: dict[str, str] = {}
    if slug in library.games_with("lessons.yaml"):
        for chapter in library.load_course(slug).chapters:
            for step in chapter.steps:
                for rule in step.rules:
                    urls.setdefault(rule, step_url(slug, chapter, step))
    return urls
