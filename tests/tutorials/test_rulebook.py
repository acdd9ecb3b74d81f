"""The format of rule books: what the parser reads, and what it refuses with file and line."""

from textwrap import dedent

import pytest

from tutorials.content import library
from tutorials.content.rulebook import parse_rule_book
from tutorials.content.seedfile import SeedError, render_markdown

BOOK = """\
# Snap

A game of `8S` and speed.

## Playing

How it goes.

| What | Points |
|---|---|
| snap | 1 |

[call] source
Say it. See [the pile](#pile-won).

- loudly
- first

[pile-won] completed: a neighbour
The pile is yours.

> [rul-tie] What if two call together? No one wins it.
> Why: there is no judge.

```cards
caption: A pair.
rows:
  pair: 8S 8H
```

## Options

[target] option
Piles to win.
"""


def book(text: str = BOOK):
    return parse_rule_book(dedent(text), path="snap.md")


def refused(text: str) -> str:
    with pytest.raises(SeedError) as error:
        book(text)
    return str(error.value)


def line_of(text: str) -> int:
    return BOOK[: BOOK.index(text)].count("\n") + 1


def rule(id: str):
    return next(rule for rule in book().rules if rule.id == id)


def test_rules_are_numbered_by_section_and_place():
    assert [(rule.number, rule.id, rule.origin) for rule in book().rules] == [
        ("1.1", "call", "source"),
        ("1.2", "pile-won", "completed"),
    ]


def test_a_section_keeps_its_words_and_tables():
    html = book().sections[0].html
    assert "How it goes." in html
    assert "<td>snap</td>" in html


def test_a_rule_keeps_all_its_paragraphs():
    assert "Say it." in rule("call").html
    assert "<li>loudly</li>" in rule("call").html


def test_a_ruling_has_a_decision_and_a_reason():
    (ruling,) = rule("pile-won").rulings
    assert ruling.id == "rul-tie"
    assert "No one wins it" in ruling.decision
    assert "no judge" in ruling.why


def test_an_origin_says_whose_words_it_follows():
    assert "a neighbour" in rule("pile-won").origin_text


def test_an_example_belongs_to_the_rule_above_it():
    (example,) = rule("pile-won").examples
    assert example.rows == {"pair": "8S 8H"}
    assert example.place == f"snap.md:{line_of('```cards')}"


def test_options_are_not_rules():
    assert book().rule_ids == {"call", "pile-won"}
    assert [option.anchor for option in book().options] == ["option-target"]


def test_tables_say_which_cells_are_heads_of_columns():
    html = render_markdown("| What counts | Points |\n| --- | ---: |\n| Big casino | 2 |")
    assert '<th scope="col">Points</th>' in html


def test_html_in_the_text_is_shown_and_not_obeyed():
    html = render_markdown("Look <script>alert(1)</script> [here](javascript:alert(1))")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "javascript:" not in html.replace("(javascript:", "")


def test_a_doubled_id_is_refused_with_its_line():
    text = BOOK.replace("[pile-won]", "[call]").replace("#pile-won", "#call")
    here, there = line_of("[pile-won]"), line_of("[call]")
    assert refused(text) == f"snap.md:{here}: 'call' is already the id of snap.md:{there}."


def test_a_ruling_may_not_take_the_id_of_a_rule():
    assert "'call' is already the id" in refused(BOOK.replace("[rul-tie]", "[call]"))


def test_a_link_to_an_unknown_rule_is_refused_with_its_line():
    message = refused(BOOK.replace("(#pile-won)", "(#pile)"))
    assert message.startswith(f"snap.md:{line_of('[call]')}: the link leads to 'pile'")


def test_an_example_may_not_name_an_unknown_rule():
    block = "```position\ncaption: No.\nposition: {}\nmoves:\n  8S: no-such-rule\n```"
    text = BOOK.replace("```cards\ncaption: A pair.\nrows:\n  pair: 8S 8H\n```", block)
    assert "no-such-rule" in refused(text)


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("# Snap", "Snap", "# Snap", "begins with its title"),
        ("[call] source", "[call] rumour", "[call]", "'rumour' is no origin"),
        ("[call] source", "[Call!] source", "[call]", "is no id"),
        ("[call] source", "[call]", "[call]", "neither a heading"),
        ("## Playing", "### Playing", "## Playing", "neither a heading"),
        ("How it goes.", "> Why: no rule above.", "How it", "belongs below a rule"),
        ("How it goes.", "```cards\n```", "How it", "belongs below a rule"),
        ("> Why: there is no judge.", "> Because.", "> [rul-tie]", "says why"),
        ("> [rul-tie]", "> [Rul!]", "> [rul-tie]", "is no id"),
        ("The pile is yours.\n", "", "[pile-won]", "has no text"),
        ("```cards", "```python", "```cards", "an example is a block"),
        ("  pair: 8S 8H\n```", "  pair: 8S 8H", "```cards", "has no end"),
        ("> Why: there is no judge.\n\n", "> Why: there is no judge.\n", "\n```cards", "a blank line ends a ruling"),
        ("rows:", "row:", "```cards", "there is no 'row'"),
        ("caption: A pair.\n", "", "```cards", "'caption' is missing"),
        ("caption: A pair.", "caption: A pair: no", "caption", "unreadable YAML"),
        ("caption: A pair.", "caption: A\ncaption: B", "rows:", "is there twice"),
    ],
)
def test_a_broken_format_is_refused_with_its_line(old, new, at, reason):
    assert BOOK.count(old) == 1
    message = refused(BOOK.replace(old, new))
    assert message.startswith(f"snap.md:{line_of(at)}:")
    assert reason in message


def test_a_rule_of_our_own_says_why():
    assert "does not say why" in refused(BOOK.replace("[call] source", "[call] ruling"))


MINUTE = """\
## In one minute

Say snap first. See [the call](#call).

| What counts | Points |
|---|---|
| snap | 1 |

"""
WITH_MINUTE = BOOK.replace("## Playing", f"{MINUTE}## Playing")


def test_the_minute_stands_before_the_sections_and_has_no_number():
    found = book(WITH_MINUTE)
    assert "Say snap first" in found.minute and "<td>snap</td>" in found.minute
    assert [(rule.number, rule.id) for rule in found.rules] == [("1.1", "call"), ("1.2", "pile-won")]
    assert [section.title for section in found.sections] == ["Playing", "Options"]


def test_a_book_may_be_without_a_minute():
    assert book().minute == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOOK.replace("## Options", f"{MINUTE}## Options"), "is the first section"),
        (BOOK.replace("## Playing", f"{MINUTE}{MINUTE}## Playing"), "is the first section"),
        (WITH_MINUTE.replace("## Playing\n", ""), "has no rules"),
        (WITH_MINUTE.replace("(#call)", "(#shout)"), "leads to 'shout'"),
        (
            WITH_MINUTE.replace("[call] source", "[in-one-minute] source").replace("#call", "#pile-won"),
            "already the id",
        ),
    ],
)
def test_a_minute_out_of_its_place_is_refused(text, reason):
    assert reason in refused(text)


def test_every_book_sums_its_game_up_in_a_minute():
    games = library.games_with("rules.md")
    assert [slug for slug in games if not library.load_rule_book(slug).minute] == []
