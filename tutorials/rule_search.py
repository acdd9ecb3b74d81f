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
LEAST_RULES = 3  # if fewer have all words, the nearest others follow
# Words of questions, such as "What happens if the stock runs out?", that are left out if there are others.
QUESTION_WORDS = frozenset(
    "a after an and any are as at be before by can could do does for from get gets happen happens has have how i if in"
    " into is it its many may me mean means much must my need of on one or should so than that the their then there"
    " they this to was we what when where which who whose why will with would you your".split()
)
# What readers and rule books say in other words than each other, and forms that no ending makes.
SYNONYMS = (
    r"\b(?:runs?|ran|running) out\b|\bused up\b|\bempty\b|\bleft in\b",
    r"\bties?\b|\btied\b|\bequal|\bis shared\b|\bshares? (?:it|the)\b|\bare the same\b"
    r"|\bthe same (?:number|points|or less)\b",
    r"\bpick(?:s|ed|ing)? up\b|\btak(?:e|es|en|ing)\b|\btook\b",
    r"\bbuil[dt]",
    r"\bdr[ae]w",
    r"\bla(?:id|ys?|ying)\b",
    r"\bled\b|\blead",
    r"\bwon\b|\bwin|\bbeat",
    r"\bopponents?\b|\bother player\b",
    r"\bsa(?:y|id)|\bclaim|\bdeclar|\bannounc",
)
# Whole questions, or terms, and what their answers say: not the other way round.
ANSWERS = {
    r"\bhow many cards(?:\W*$|.* (?:deal|dealt|each|gets?|starts?)\b)": (
        r"\b(?:gets?|holds?) [\w ]+ cards\b|\bcards each\b"
    ),
    r"\bdeals? next\b|\bnext (?:deal|dealer)\b|\bwhose deal\b": (
        r"\bnext deal(?:er)?\b|\bdeals (?:the )?next\b|\b(?:another|next|other) player[\w ]* deals\b|\bturns to deal\b"
        r"|\bdeal (?:alternates|passes|rotates)\b"
    ),
    r"\bwho (?:(?:goes|leads|moves|plays) first|begins|starts)\b": (
        r"\b(?:goes|leads|moves|plays) first\b|\bfirst (?:player|turn)\b|\bleads to the first\b"
        r"|\b(?:left|who) starts\b|\bturns to start\b"
    ),
    r"\bhow many (?:players|people)\b": (
        r"\b(?:two|three|four|five)(?:(?:,| to| or) \w+)*(?: people| players)?(?: can)? play\b"
    ),
    r"\bgame (?:ends?|over|finish(?:es)?)\b|\bend of the game\b": (
        r"\bgame (?:ends|is over)\b|\bends the game\b|\b(?:points|total) wins?\b|\bwins the (?:game|match)\b"
        r"|\bfirst (?:player|side) to reach [\w ]+ wins\b"
    ),
    r"\bmust\b|\bha(?:ve|s) to\b": r"\bmust\b|\bha(?:ve|s) to\b|\bneedn",
    r"\bdiscard pile\b": r"\bdiscard pile\b|\bdiscards\b|\bupcard\b",
    r"\bworth\b|\bhow many points\b": r"\bworth\b|\bcounts?\b|\bscores?\b|\bpoints?\b",
    **{rf"\b{face}s?\b": rf"\b{face}s?\b|\bface cards?\b" for face in ("jack", "queen", "king")},
}
_MEANT = frozenset([*SYNONYMS, *ANSWERS.values()])
# Left off at the end of a word if so many letters remain: "captured" finds whatever begins with "captur".
ENDINGS = {"ing": 3, "ies": 3, "ied": 3, "ed": 3, "es": 4, "s": 3, "e": 4, "y": 4}

_SHORTENED = re.compile(r"\b\w+n['\u2019]t\b|['\u2019]\w+")  # what's, can't, opponent's
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
    """rules: the first of them. count: of all that have all words, or if none has them (has_all_words) some."""

    rules: Sequence[FoundRule]
    count: int
    has_all_words: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """What can be found. terms: what it explains. names: these and its title. shown: what readers see. Folded."""

    rule: FoundRule
    terms: str
    names: str
    shown: str

    def matching(self, patterns: Sequence[str]) -> list[str]:
        """An id counts as words of the book, but not for what these may mean: nothing would be marked."""
        text = f"{self.names} {self.shown}"
        return [pattern for pattern in patterns if re.search(pattern, self.shown if pattern in _MEANT else text)]


def find_rules(question: str, slugs: Sequence[str], *, most: int) -> RuleMatches:
    """Looks in the books of these games. If no rule, or hardly one, has all words, others have some, by the rarest."""
    entries = [entry for slug in slugs for entry in _entries(slug)]
    patterns = _patterns(_folded(question[:MOST_LETTERS]), entries)
    having = [(entry, entry.matching(patterns)) for entry in entries]
    worth = {pattern: 1 / max(1, sum(pattern in matching for _, matching in having)) for pattern in patterns}
    found = [(entry, matching) for entry, matching in having if matching]
    count = sum(len(matching) == len(patterns) for _, matching in found)

    def rank(each: tuple[_Entry, list[str]]) -> tuple[float, float]:
        """By the words it has, then by those that it is about: a title is that of a section, a term its own."""
        entry, matching = each
        about = _matching(patterns, entry.terms) + _matching(patterns, entry.names)
        return -sum(worth[pattern] for pattern in matching), -sum(worth[pattern] for pattern in about)

    best = sorted(found, key=rank)[: max(count or len(found), LEAST_RULES)]
    return RuleMatches([_marked(entry.rule, patterns) for entry, _ in best[:most]], count or len(found), count > 0)


def _matching(patterns: Sequence[str], text: str) -> list[str]:
    return [pattern for pattern in patterns if re.search(pattern, text)]


def _patterns(question: str, entries: Sequence[_Entry]) -> list[str]:
    """What has to be found: each word that counts, and synonyms in place of the words that are one of them."""
    patterns: list[str] = []
    question = _SHORTENED.sub(" ", question)
    for asked, answer in [*ANSWERS.items(), *zip(SYNONYMS, SYNONYMS, strict=True)]:
        if re.search(asked, question):
            patterns.append(answer)
            question = re.sub(rf"(?:{asked})\w*", " ", question)
    words = re.findall(r"\w+", question)
    others = [word for word in words if word not in QUESTION_WORDS] or ([] if patterns else words)
    return list(dict.fromkeys([*patterns, *(_pattern(word, entries) for word in others)]))


def _pattern(word: str, entries: Sequence[_Entry]) -> str:
    """A number or a letter as it is, the beginning of a word, a short one with the usual endings if that is found."""
    if word.isdecimal() or len(word) == 1:
        return rf"\b{word}\b"
    if len(word) == 4 and word.endswith("e"):
        return rf"\b{word[:-1]}(?:e|ing)"
    for ending, least in ENDINGS.items():
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= least:
            word = _DOUBLED.sub(r"\1", word.removesuffix(ending))
            break
    whole = rf"\b{word}{word[-1]}?(?:s|es|d|ed|ers?|est|ing)?\b"
    is_whole = len(word) <= 3 and any(entry.matching([whole]) for entry in entries)
    return whole if is_whole else rf"\b{word}"


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
    """Its terms are its id and the words in bold."""
    terms = _folded(" ".join([re.sub("[-_]", " ", rule.anchor), *_NAME.findall(rule.html)]))
    names = f"{terms} {_folded(rule.title)}"
    return _Entry(rule, terms, names, " ".join([_folded(rule.title), *_NO_TEXT.split(_folded(rule.html))[::2]]))


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
