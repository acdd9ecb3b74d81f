"""Search in the rule books: the rules that have all words of a question, those that are named by them first."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape

from games import engines
from tutorials.content import library
from tutorials.content.rulebook import RuleBook
from tutorials.content.runner import AnyGame

MOST_LETTERS = 60
# Words of questions, such as "What happens if the stock runs out?", that are left out if there are others.
QUESTION_WORDS = frozenset(
    "a after an and are as at be before by can do does for from get gets happen happens has have how i if in is it its"
    " may me must my of on or should so than that the their then there they this to was we what when where which who"
    " why will with you your".split()
)
# What readers and rule books say in other words than each other.
SYNONYMS = (
    r"\b(?:runs?|ran|running) out\b|\bused up\b|\bempty\b|\bleft in\b",
    r"\bties?\b|\btied\b|\bequal|\bshared?\b|\bthe same\b",
)
# Left off at the end of a word if so many letters remain: "captured" finds whatever begins with "captur".
ENDINGS = {"ing": 3, "ies": 3, "ied": 3, "ed": 3, "es": 4, "s": 3, "e": 4, "y": 4}

_DOUBLED = re.compile(r"([bgmnprt])\1$")
_NAME = re.compile(r"<strong>([^<]*)</strong>")
_NO_TEXT = re.compile(r"(<code>[^<]*</code>|<[^>]*>|&#?\w+;)")


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule, an option, or what a section says above its rules. title, html: with marks where they were found."""

    game: AnyGame
    anchor: str
    number: str
    title: str
    html: str


@dataclass(frozen=True, slots=True)
class RuleMatches:
    """rules: the first of them. count: of all. has_all_words: False if each has only some of the words."""

    rules: Sequence[FoundRule]
    count: int
    has_all_words: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """What can be found. names: what it is called. text: everything that counts. Both folded."""

    rule: FoundRule
    names: str
    text: str


def find_rules(question: str, slugs: Sequence[str], *, most: int) -> RuleMatches:
    """Looks in the books of these games. If no rule has all words, those that have some are found, by the rarest."""
    patterns = _patterns(_folded(question[:MOST_LETTERS]))
    having = [(entry, _matching(patterns, entry.text)) for slug in slugs for entry in _entries(slug)]
    worth = {pattern: 1 / max(1, sum(pattern in matching for _, matching in having)) for pattern in patterns}
    found = [(entry, matching) for entry, matching in having if matching]
    complete = [(entry, matching) for entry, matching in found if len(matching) == len(patterns)]
    best = sorted(
        complete or found,
        key=lambda each: (-sum(worth[pattern] for pattern in each[1]), -len(_matching(patterns, each[0].names))),
    )
    return RuleMatches([_marked(entry.rule, patterns) for entry, _ in best[:most]], len(best), bool(complete))


def _matching(patterns: Sequence[str], text: str) -> list[str]:
    return [pattern for pattern in patterns if re.search(pattern, text)]


def _patterns(question: str) -> list[str]:
    """What has to be found: each word that counts, and synonyms in place of the words that are one of them."""
    patterns = [synonym for synonym in SYNONYMS if re.search(synonym, question)]
    words = re.findall(r"\w+", re.sub("|".join(SYNONYMS), " ", question))
    asked = [word for word in words if word not in QUESTION_WORDS] or ([] if patterns else words)
    return list(dict.fromkeys([*patterns, *map(_pattern, asked)]))


def _pattern(word: str) -> str:
    """A number or a short word as it is, with the usual endings; the beginning of a longer one."""
    if word.isdecimal():
        return rf"\b{word}\b"
    for ending, least in ENDINGS.items():
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= least:
            word = _DOUBLED.sub(r"\1", word.removesuffix(ending))
            break
    return rf"\b{word}" if len(word) > 3 else rf"\b{word}{word[-1]}?(?:s|es|d|ed|ers?|ing)?\b"


def _folded(text: str) -> str:
    """In small letters without accents, each in its place."""
    return "".join(unicodedata.normalize("NFD", letter.lower())[0] for letter in text)


@cache
def _entries(slug: str) -> tuple[_Entry, ...]:
    """:raises SeedError: the rule book cannot be parsed."""
    return tuple(_read_entries(engines.get(slug), library.load_rule_book(slug)))


def _read_entries(game: AnyGame, book: RuleBook) -> Iterator[_Entry]:
    labels = {option.name: option.label for option in game.options}
    for section in book.sections:
        if section.html:
            yield _entry(FoundRule(game, section.anchor, str(section.number), section.title, section.html))
        for rule in section.rules:
            title = labels[rule.id] if rule.is_option else section.title
            html = rule.html + "".join(ruling.decision for ruling in rule.rulings)
            yield _entry(FoundRule(game, rule.anchor, rule.number, title, html))


def _entry(rule: FoundRule) -> _Entry:
    """Its names are its title, its id and the words in bold."""
    names = _folded(" ".join([rule.title, re.sub("[-_]", " ", rule.anchor), *_NAME.findall(rule.html)]))
    return _Entry(rule, names, " ".join([names, *_NO_TEXT.split(_folded(rule.html))[::2]]))


def _marked(rule: FoundRule, patterns: Sequence[str]) -> FoundRule:
    return replace(rule, title=_mark(escape(rule.title), patterns), html=_mark(rule.html, patterns))


def _mark(html: str, patterns: Sequence[str]) -> str:
    """Marks whole words in the text of HTML, but nothing in cards."""
    parts = _NO_TEXT.split(html)
    parts[::2] = [_mark_text(part, "|".join(patterns)) for part in parts[::2]]
    return "".join(parts)


def _mark_text(text: str, pattern: str) -> str:
    marked, end = [], 0
    for match in re.finditer(rf"(?:{pattern})\w*", _folded(text)):
        marked += [text[end : match.start()], "<mark>", text[match.start() : match.end()], "</mark>"]
        end = match.end()
    return "".join([*marked, text[end:]])
