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
    """12 doesn't find 121, nor "kno" a knock; but "set" finds sets."""
    assert found("121", "partnership-cribbage") == ["game-121"]
    assert "game-121" not in found("12", "partnership-cribbage")
    assert found("kno", "gin-rummy") == []
    assert "set-score" in found("set", "piquet")


def test_nothing_is_found_or_marked_in_tags_entities_and_cards():
    assert found("strong", "gin-rummy") == found("quot", *ALL) == found("8h", "gin-rummy") == []


def test_only_the_first_rules_are_returned_and_all_are_counted():
    matches = find_rules("card", ALL, most=3)
    assert len(matches.rules) == 3 < matches.count
