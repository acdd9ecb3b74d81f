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
        ("Who deals next?", "cuarenta", "deal-alternates"),
        ("Who deals next?", "sixty-six", "first-dealer"),
        ("Who goes first?", "vatican", "first-player"),
        ("Who starts?", "russian-bank", "first-player"),
        ("Can I take the discard pile?", "gin-rummy", "turn-draw"),
        ("Can jacks be built?", "casino", "build-numbers-only"),
        ("How many cards?", "gin-rummy", "deal-ten"),
        ("How many cards are dealt?", "push", "deal-size"),
        ("How many cards do I exchange?", "piquet", "elder-exchange"),
        ("How many points to win?", "casino", "game-target"),
        ("How much is a marriage worth?", "sixty-six", "marriage"),
        ("How much is the ten worth?", "sixty-six", "card-points"),
        ("What's trump?", "sixty-six", "turn-up"),
        ("What beats a sequence?", "piquet", "sequence-compare"),
        ("What is a sequence?", "piquet", "sequence-def"),
        ("How many points for a sequence?", "piquet", "sequence-score"),
        ("Who wins a trick?", "piquet", "trick-winner"),
        ("How many points for cards?", "cuarenta", "count-twenty"),
        ("How many points for a ronda?", "cuarenta", "ronda"),
        ("How much is a limpia?", "cuarenta", "limpia"),
        ("When do I say 66?", "sixty-six", "claim"),
        ("When can I claim?", "sixty-six", "claim-when"),
        ("Must I follow suit?", "sixty-six", "strict-follow"),
        ("How many points for gin?", "gin-rummy", "score-gin"),
        ("When can I knock?", "gin-rummy", "knock-limit"),
        ("How many points for spades?", "casino", "score-spades"),
        ("How many points for a flush?", "partnership-cribbage", "show-flush"),
        ("What if it's a tie?", "casino", "score-tie-many"),
        ("tie", "four-hand-cuarenta", "count-neither"),
        ("tie", "russian-bank", "score-blocked"),
        ("tie", "advantage", "tie-date"),
        ("tie", "partnership-cribbage", "no-tie"),
        ("How many players?", "shanghai", "seats"),
        ("Do I have to play?", "shanghai", "must-meld"),
        ("Can I take cards from the table into my hand?", "shanghai", "table-stays"),
        ("When does the game end?", "royal-casino", "game-target"),
        ("When does the game end?", "tabletop-cribbage", "game-121"),
        ("How many cards do we get?", "royal-casino", "deal-first"),
        ("Can I pass?", "royal-casino", "always-a-move"),
        ("What is a quart?", "rubicon-piquet", "sequence-score"),
        ("four of a kind", "four-hand-cuarenta", "four-wins"),
        ("Who can take overlooked cards?", "four-hand-cuarenta", "four-oversight"),
        ("Can I move a card?", "tabletop-cribbage", "no-moving"),
        ("Do diagonals count?", "tabletop-cribbage", "touching"),
        ("my opponent's piles", "russian-bank", "tableau-own"),
        ("Which cards must I play?", "russian-bank", "foundation-forced"),
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


def test_a_number_a_letter_and_a_short_word_are_found_whole():
    """12 doesn't find 121, nor "b" the best, nor "set" what settles; but "set" finds sets."""
    assert found("121", "partnership-cribbage") == ["game-121"]
    assert "game-121" not in found("12", "partnership-cribbage")
    assert found("b", "piquet") == []
    assert "set-score" in found("set", "piquet")
    assert "zero-double" in found("sett", "carousel") and "zero-double" not in found("set", "carousel")


@pytest.mark.parametrize(
    ("begun", "word", "slug"),
    [("kno", "knock", "gin-rummy"), ("kn", "knock", "gin-rummy"), ("mar", "marriage", "sixty-six")],
)
def test_a_short_word_that_is_no_whole_one_is_the_beginning_of_one(begun, word, slug):
    assert found(begun, slug) == found(word, slug) != []


def test_nothing_is_found_by_what_the_id_of_a_rule_may_mean():
    """ "Tie" found capture-equal, in which nothing was marked."""
    found_by_tie = find_rules("tie", ALL, most=1000).rules
    assert found_by_tie
    assert [rule.anchor for rule in found_by_tie if "<mark>" not in rule.title + rule.html] == []


def test_nothing_is_found_or_marked_in_tags_entities_and_cards():
    assert found("strong", "gin-rummy") == found("quot", *ALL) == found("8h", "gin-rummy") == []


def test_only_the_first_rules_are_returned_and_all_are_counted():
    matches = find_rules("card", ALL, most=3)
    assert len(matches.rules) == 3 < matches.count


def test_the_nearest_rules_follow_one_that_alone_has_all_words():
    matches = find_rules("catch a ronda", ["four-hand-cuarenta"], most=1000)
    assert (matches.count, matches.has_all_words) == (1, True)
    assert [rule.anchor for rule in matches.rules][0] == "four-ronda-caida"
    assert len(matches.rules) == 3
    assert {rule.anchor for rule in matches.rules[1:]} <= set(found("ronda", "four-hand-cuarenta"))
