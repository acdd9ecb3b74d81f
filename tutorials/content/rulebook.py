"""Rule books: read from `seeds/<game>/rules.md`. The format is described in `seeds/README.md`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tutorials.content.seedfile import SeedError, check_keys, read_yaml, render_markdown

ORIGINS = {
    "source": "as the source document has it",
    "completed": "added where the source document is silent, from how the game is commonly played",
    "ruling": "decided here, where the sources are silent or disagree",
    "derived": "follows from the other rules",
}
OPTION_HEADING = "option"
MINUTE_HEADING, MINUTE_ANCHOR = "In one minute", "in-one-minute"

_TITLE = re.compile(r"# (?P<title>\S.*)")
_SECTION = re.compile(r"## (?P<title>\S.*)")
_ENTRY = re.compile(r"\[(?P<id>[^\]\s]+)\] (?P<origin>[a-z]+)(?:: (?P<detail>\S.*))?")
_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_RULING_ID = re.compile(r"\[(?P<id>[^\]\s]+)\]\s+")
_FENCE = re.compile(r"```(?P<kind>\w*)")
_REFERENCE = re.compile(r'href="#(?P<id>[^"]*)"')


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision about a rule, and why. `id` is "" if nothing links to it. decision, why: HTML."""

    id: str
    decision: str
    why: str


@dataclass(frozen=True, slots=True)
class Example:
    """Cards drawn beside a rule. `place` is file and line.

    rows: labels with cards, for a picture without a position.
    position: as `Game.load` reads it, seen by `seat` (None: a spectator).
    moves: what the seat to act may do there: "legal", or the short id of the rule that refuses it.
    """

    place: str
    caption: str
    rows: Mapping[str, str] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    seat: int | None = None
    moves: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered paragraph ("3.2"), or an option, whose name is its id. html: its text."""

    id: str
    number: str
    origin: str
    detail: str
    html: str
    rulings: tuple[Ruling, ...]
    examples: tuple[Example, ...]
    place: str

    @property
    def is_option(self) -> bool:
        return self.origin == OPTION_HEADING

    @property
    def anchor(self) -> str:
        return f"option-{self.id}" if self.is_option else self.id

    @property
    def origin_text(self) -> str:
        text = ORIGINS.get(self.origin, "")
        return f"{text} ({self.detail})" if self.detail else text


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A heading, introductory HTML, and the rules or options below it."""

    anchor: str
    number: int
    title: str
    html: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """A rule book. minute: the HTML of "In one minute", which sums up the game without a rule; "" without one."""

    title: str
    html: str
    sections: tuple[RuleSection, ...]
    minute: str = ""

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for section in self.sections for rule in section.rules if not rule.is_option)

    @property
    def options(self) -> tuple[Rule, ...]:
        return tuple(rule for section in self.sections for rule in section.rules if rule.is_option)

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(rule.id for rule in self.rules)


class _Line(NamedTuple):
    """A line of the file. place: file and line number."""

    text: str
    path: str
    number: int

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}"


@dataclass(slots=True)
class _Draft:
    """A heading or a rule while its lines are being collected. place: of its first line."""

    heading: str
    place: str
    text: list[str] = field(default_factory=list)
    entry: re.Match[str] | None = None
    rulings: list[Ruling] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    @property
    def html(self) -> str:
        return render_markdown("\n".join(self.text))


def parse_rule_book(text: str, *, path: str) -> RuleBook:
    """:raises SeedError: the file breaks the format; the message names path and line."""
    drafts = _drafts(text, path)
    title = next(drafts, None)
    if title is None or not _TITLE.fullmatch(title.heading):
        raise SeedError(f"{path}:1", "a rule book begins with its title, # Name.")
    sections: list[RuleSection] = []
    minute = ""
    for draft in drafts:
        if draft.heading == f"## {MINUTE_HEADING}":
            if minute or sections:
                raise SeedError(draft.place, f"{MINUTE_HEADING!r} is the first section, and there once.")
            minute = draft.html
        elif draft.entry is None:
            name = draft.heading.removeprefix("## ")
            sections.append(RuleSection(_slug(name), len(sections) + 1, name, draft.html, ()))
        elif not sections:
            raise SeedError(draft.place, f"a rule needs a section above it, ## Name; {MINUTE_HEADING!r} has no rules.")
        else:
            section = sections[-1]
            number = f"{section.number}.{len(section.rules) + 1}"
            sections[-1] = replace(section, rules=(*section.rules, _rule(draft, draft.entry, number)))
    book = RuleBook(title.heading.removeprefix("# "), title.html, tuple(sections), minute)
    _check_anchors(book, path)
    return book


def _drafts(text: str, path: str) -> Iterator[_Draft]:
    """Title, sections and rules in the order of the file, each with everything that belongs to it."""
    current: _Draft | None = None
    lines = (_Line(line, path, number) for number, line in enumerate(text.splitlines(), start=1))
    for line in lines:
        entry = _ENTRY.fullmatch(line.text)
        if entry or _TITLE.fullmatch(line.text) or _SECTION.fullmatch(line.text):
            if current:
                yield current
            current = _Draft(line.text, line.place, entry=entry)
        elif current:
            _add(current, line, lines)
        elif line.text.strip():
            return
    if current:
        yield current


def _add(draft: _Draft, line: _Line, following: Iterator[_Line]) -> None:
    """Adds a line to the draft that it belongs to. Examples and rulings are read to their end."""
    if line.text.startswith("```"):
        if draft.entry is None:
            raise SeedError(line.place, "an example belongs below a rule.")
        draft.examples.append(_example(line, following))
    elif line.text.startswith(">"):
        if draft.entry is None:
            raise SeedError(line.place, "a ruling belongs below a rule.")
        draft.rulings.append(_ruling(_quotation(line, following)))
    elif line.text.startswith(("#", "[")):
        raise SeedError(line.place, f"neither a heading (# or ##) nor a rule ([id] origin): {line.text}")
    else:
        draft.text.append(line.text)


def _quotation(first: _Line, following: Iterator[_Line]) -> list[_Line]:
    quoted = [first]
    for line in following:
        if line.text.startswith(">"):
            quoted.append(line)
        elif line.text.strip():
            raise SeedError(line.place, "a blank line ends a ruling.")
        else:
            break
    return quoted


def _rule(draft: _Draft, entry: re.Match[str], number: str) -> Rule:
    place = draft.place
    if not _ID.fullmatch(entry["id"]):
        raise SeedError(place, f"{entry['id']!r} is no id; use small letters, figures and hyphens.")
    if entry["origin"] not in (*ORIGINS, OPTION_HEADING):
        raise SeedError(
            place, f"{entry['origin']!r} is no origin; choose from {', '.join((*ORIGINS, OPTION_HEADING))}."
        )
    if entry["origin"] == "ruling" and not draft.rulings:
        raise SeedError(place, f"the ruling {entry['id']!r} does not say why (> Why: ...).")
    if not draft.html.strip():
        raise SeedError(place, f"the rule {entry['id']!r} has no text.")
    return Rule(
        entry["id"], number, entry["origin"], entry["detail"] or "",
        draft.html, tuple(draft.rulings), tuple(draft.examples), place,
    )  # fmt: skip


def _ruling(quoted: list[_Line]) -> Ruling:
    """From `> [id] Question? Decision.` and `> Why: reason.`; id and decision may be left out."""
    place = quoted[0].place
    text = " ".join(line.text.removeprefix(">").strip() for line in quoted)
    found = _RULING_ID.match(text)
    decision, divider, why = text[found.end() if found else 0 :].partition("Why: ")
    if not divider or not why.strip():
        raise SeedError(place, "a ruling says why (> Why: ...).")
    if found and not _ID.fullmatch(found["id"]):
        raise SeedError(place, f"{found['id']!r} is no id; use small letters, figures and hyphens.")
    return Ruling(found["id"] if found else "", render_markdown(decision), render_markdown(why))


def _example(opening: _Line, following: Iterator[_Line]) -> Example:
    place = opening.place
    fence = _FENCE.fullmatch(opening.text.strip())
    if fence is None or fence["kind"] not in ("cards", "position"):
        raise SeedError(place, "an example is a block of ```cards or of ```position.")
    body: list[str] = []
    for line in following:
        if line.text.strip() == "```":
            break
        body.append(line.text)
    else:
        raise SeedError(place, "the example has no end (```).")
    data = read_yaml("\n".join(body), path=opening.path, first_line=opening.number + 1)
    if fence["kind"] == "cards":
        data = check_keys(data, place, needed=("caption", "rows"))
        rows = check_keys(data["rows"], place, allowed=data["rows"])
        return Example(place, str(data["caption"]), rows={str(label): str(cards) for label, cards in rows.items()})
    data = check_keys(data, place, needed=("caption", "position"), allowed=("seat", "moves"))
    moves = data.get("moves") or {}
    moves = check_keys(moves, place, allowed=moves)
    return Example(
        place, str(data["caption"]), position=data["position"], seat=data.get("seat"),
        moves={str(move): str(verdict) for move, verdict in moves.items()},
    )  # fmt: skip


def _slug(title: str) -> str:
    return "section-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _check_anchors(book: RuleBook, path: str) -> None:
    """Checks that every anchor is there once, and every link and refusal leads to one. :raises SeedError:"""
    seen: dict[str, str] = {}
    for anchor, place in _anchors(book, path):
        if anchor in seen:
            raise SeedError(place, f"{anchor!r} is already the id of {seen[anchor]}.")
        seen[anchor] = place
    for html, place in _texts(book, path):
        for reference in _REFERENCE.finditer(html):
            if reference["id"] not in seen:
                raise SeedError(place, f"the link leads to {reference['id']!r}, which is not in this book.")
    for rule in (*book.rules, *book.options):
        for example in rule.examples:
            for move, verdict in example.moves.items():
                if verdict != "legal" and verdict not in book.rule_ids:
                    raise SeedError(example.place, f"{move} is refused by {verdict!r}, which is no rule of this book.")


def _anchors(book: RuleBook, path: str) -> Iterator[tuple[str, str]]:
    if book.minute:
        yield MINUTE_ANCHOR, f"{path} ({MINUTE_HEADING})"
    for section in book.sections:
        yield section.anchor, f"{path} ({section.title})"
        for rule in section.rules:
            yield rule.anchor, rule.place
            for ruling in rule.rulings:
                if ruling.id:
                    yield ruling.id, rule.place


def _texts(book: RuleBook, path: str) -> Iterator[tuple[str, str]]:
    yield book.html, f"{path}:1"
    yield book.minute, f"{path} ({MINUTE_HEADING})"
    for section in book.sections:
        yield section.html, f"{path} ({section.title})"
        for rule in section.rules:
            yield rule.html, rule.place
            for ruling in rule.rulings:
                yield ruling.decision + ruling.why, rule.place
