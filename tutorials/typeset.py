"""A rule book ready to print: paragraphs with pictures, options with choices, links to lessons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games import engines
from games.board import with_names
from games.core.cards import Card
from games.core.contract import Option, State, View, Zone
from tutorials import library, runner
from tutorials.rulebook import Example, Rule, RuleBook, Section
from tutorials.runner import AnyGame
from tutorials.ways import step_url

MOST_ROWS = 6  # as many as the stylesheet knows


@dataclass(frozen=True, slots=True)
class Line:
    """A move in an example: in words, and the short id of the rule that refuses it, "" if it is legal."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An example ready to be printed. rows: labels with cards."""

    caption: str
    rows: Sequence[tuple[str, Sequence[Card]]]
    lines: Sequence[Line] = ()


def picture(example: Example, game: AnyGame) -> Picture:
    """The open cards of a position, or the rows of a plain picture."""
    if example.position is None:
        return Picture(example.caption, [(label, cards.split()) for label, cards in example.rows.items()])
    state: State = game.load(example.position)
    view = state.view(state.to_act[0] if example.seat is None and example.moves else example.seat)
    names = runner.names(state.seats, state.to_act[0] if view.seat is None else view.seat)
    rows = [(with_names(_label(zone, view), names), zone.cards) for zone in view.zones if zone.cards]
    lines = [_line(text, verdict, view, game) for text, verdict in example.moves.items()]
    return Picture(example.caption, rows, lines)


def _label(zone: Zone, view: View) -> str:
    if zone.kind == "hand" and zone.owner == view.seat:
        return "Your hand"
    return zone.label


def _line(text: str, verdict: str, view: View, game: AnyGame) -> Line:
    words = view.choice(game.parse(text)).phrase.imperative()
    return Line(words, "" if verdict == "legal" else verdict)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A rule with its pictures and the address of a step that teaches it, "" if none does; or an option.

    rows: how many paragraphs and headings the pictures may stand beside, until the next pictures.
    """

    rule: Rule
    pictures: Sequence[Picture]
    rows: int
    lesson_url: str
    option: Option | None


@cache
def sections(slug: str) -> list[tuple[Section, list[Paragraph]]]:
    """:raises KeyError: there is no such game. :raises SeedError: its seed files are wrong."""
    book, urls, rows = library.book(slug), _lesson_urls(slug), _rows(library.book(slug))
    return [
        (section, [_paragraph(rule, slug, rows[rule.anchor], urls) for rule in section.rules])
        for section in book.sections
    ]


def _paragraph(rule: Rule, slug: str, rows: int, urls: Mapping[str, str]) -> Paragraph:
    game = engines.get(slug)
    pictures = [picture(example, game) for example in rule.examples]
    if rule.is_option:
        option = next(option for option in game.options if option.name == rule.id)
        return Paragraph(rule, pictures, rows, "", option)
    return Paragraph(rule, pictures, rows, urls.get(rule.id, ""), None)


def _rows(book: RuleBook) -> dict[str, int]:
    """By anchor: the rows from a rule to the one before the next rule with pictures."""
    rows, free = {}, 1
    for section in reversed(book.sections):
        for rule in reversed(section.rules):
            rows[rule.anchor] = min(free, MOST_ROWS)
            free = 1 if rule.examples else free + 1
        free += 1 + bool(section.html)
    return rows


def _lesson_urls(slug: str) -> dict[str, str]:
    """The first step that teaches each rule."""
    urls: dict[str, str] = {}
    if slug in library.slugs("lessons.yaml"):
        for chapter in library.course(slug).chapters:
            for step in chapter.steps:
                for rule in step.rules:
                    urls.setdefault(rule, step_url(slug, chapter, step))
    return urls
