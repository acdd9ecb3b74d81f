"""Who takes a trick, and how a hand is held."""

import pytest

from games.core.tricks import beats, by_suit, of_suit

PIQUET, TEN_HIGH = "789TJQKA", "9JQKTA"


@pytest.mark.parametrize(
    ("led", "answer", "taken"),
    [("KS", "AS", True), ("KS", "QS", False), ("KS", "AD", False), ("KS", "9H", True), ("9H", "AS", False)],
)
def test_a_trick_goes_to_a_higher_card_of_the_suit_led_or_to_a_trump(led, answer, taken):
    assert beats(answer, led, PIQUET, trump="H") is taken


def test_trumps_beat_each_other_by_rank():
    assert beats("TH", "KH", TEN_HIGH, trump="H")
    assert not beats("KH", "TH", TEN_HIGH, trump="H")


def test_without_trumps_only_the_suit_led_can_win():
    assert not beats("AH", "7S", PIQUET)


def test_the_order_of_the_ranks_decides():
    assert beats("TS", "KS", TEN_HIGH)
    assert not beats("TS", "KS", PIQUET)


def test_the_cards_of_a_suit_keep_their_order():
    assert of_suit(["KS", "9D", "AS"], "S") == ("KS", "AS")


def test_a_hand_lies_by_suits_with_the_highest_card_first():
    assert by_suit(["9S", "KD", "TS", "AD", "KS"], TEN_HIGH) == ["AD", "KD", "TS", "KS", "9S"]
