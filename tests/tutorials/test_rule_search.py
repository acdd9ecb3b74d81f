"""Search in the rule books: which rules a question finds, in which order, and what is marked."""

import re

import pytest

from tutorials.content import library
from tutorials.rule_search import find_rules

ALL = library.games_with("rules.md")


def found(question: str, *slugs: str) -> list[str]:
    return [rule.anchor for rule in find_rules(question, slugs, most=1000).rules]


def marked(question: str, slug: str) -> list[str]:
    """The words that are marked in the first rule found."""
    rule = find_rules(question, [slug], most=1).rules[0]
    return re.findall("<mark>(.*?)</mark>", rule.title + rule.html)


@pytest.mark.parametrize(
    ("slug", "rule", "words"),
    [
        ("vatican", "stock-empty", ["stock", "stock", "empty"]),
        ("push", "score-dead-deal", ["stock", "run out"]),
        ("gin-rummy", "dead-hand", ["left in", "stock"]),
        ("sixty-six", "stock-out", ["stock", "used up"]),
    ],
)
def test_a_question_in_other_words_than_the_book_finds_its_rule(slug, rule, words):
    assert found("What happens if the stock runs out?", slug)[0] == rule
    assert marked("What happens if the stock runs out?", slug) == words


@pytest.mark.parametrize(
    ("question", "slug", "rule"),
    [
        ("Who deals next?", "piquet", "deal-alternates"),
        ("Who deals next?", "partnership-cribbage", "deal-rotates"),
        ("Who goes first?", "vatican", "first-player"),
        ("Can I take the discard pile?", "gin-rummy", "turn-draw"),
        ("Can jacks be built?", "casino", "build-numbers-only"),
        ("How many cards?", "gin-rummy", "deal-ten"),
        ("How many cards are dealt?", "push", "deal-size"),
        ("How many cards do I exchange?", "piquet", "elder-exchange"),
        ("How many points to win?", "casino", "game-target"),
        ("How much is a marriage worth?", "sixty-six", "marriage"),
        ("How much is the ten worth?", "sixty-six", "card-points"),
        ("What's trump?", "sixty-six", "turn-up"),
    ],
)
def test_the_answer_to_a_question_is_among_the_first(question, slug, rule):
    assert rule in found(question, slug)[:3]


def test_what_apostrophes_leave_over_is_no_word_of_a_question():
    assert found("What's my opponent's discard?", "gin-rummy") == found("opponent discard", "gin-rummy")
    assert found("I can't follow suit", "piquet") == found("follow suit", "piquet")
    assert found("Who leads to a trick?", "piquet") == found("lead trick", "piquet")


def test_a_rule_has_all_words_and_those_named_by_them_come_first():
    both = found("gin knock", "gin-rummy")
    assert both[0] == "gin"
    assert set(both) == set(found("gin", "gin-rummy")) & set(found("knock", "gin-rummy"))
    assert found("repique", "piquet")[0] == "repique"


def test_rules_with_some_of_the_words_are_found_if_none_has_all():
    matches = find_rules("repique in the stock", ["piquet"], most=1000)
    assert not matches.has_all_words
    assert [rule.anchor for rule in matches.rules] == found("repique", "piquet")


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("capture", "Capturing"),
        ("capture", "captures"),
        ("run", "running"),
        ("penalty", "penalties"),
        ("SIXIEME", "sixième"),
    ],
)
def test_forms_of_a_word_find_the_same(word, other):
    assert found(word, *ALL) == found(other, *ALL) != []


def test_a_number_and_a_short_word_are_found_whole():
    """12 doesn't find 121, nor "kno" a knock, nor "b" the best; but "set" finds sets."""
    assert found("121", "partnership-cribbage") == ["game-121"]
    assert "game-121" not in found("12", "partnership-cribbage")
    assert found("kno", "gin-rummy") == found("b", "piquet") == []
    assert "set-score" in found("set", "piquet")


def test_nothing_is_found_or_marked_in_tags_entities_and_cards():
    assert found("strong", "gin-rummy") == found("quot", *ALL) == found("8h", "gin-rummy") == []


def test_only_the_first_rules_are_returned_and_all_are_counted():
    matches = find_rules("card", ALL, most=3)
    assert len(matches.rules) == 3 < matches.count
