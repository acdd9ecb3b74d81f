"""The most points that a hand holds in melds, against Gin's count and by hand for copies and jokers."""

from random import Random

import pytest

from games.core.cards import pack
from games.core.deadwood import best_deadwood, mask
from games.core.hand_melds import most_matched
from games.core.melds import MeldRules

LOW, HIGH_OR_LOW = MeldRules("low"), MeldRules("high_or_low")


def points(card: str) -> int:
    return {"X": 25, "A": 1}.get(card[0]) or (int(card[0]) if card[0].isdigit() else 10)


@pytest.mark.parametrize("seed", range(25))
def test_it_agrees_with_the_deadwood_of_gin(seed):
    hand = tuple(Random(seed).sample(pack(), 14))
    assert sum(map(points, hand)) - most_matched(LOW, hand, points) == best_deadwood(mask(hand))


@pytest.mark.parametrize(
    ("hand", "matched"),
    [
        ("7C1 7C2 7D1", 0),
        ("7C1 7D1 7H2", 21),
        ("7C1 7D1 XB", 14 + 25),
        ("7C1 9C1 XB", 16 + 25),
        ("7C1 XB XR", 7 + 50),
        ("7C1 8C1 XB XR KD1", 15 + 50),
        ("5H1 6H1 7H1 7C1 7D1 XB", 5 + 6 + 7 + 7 + 7 + 25),
        ("5H1 6H1 7H1 5H2 6H2 7H2", 36),
        ("7C1 8D1 9H1", 0),
        ("3C1 4C1 5C1 6C1 7C1 8C1", 33),
        ("KC1 KD1 QC1 QD1 JC1 JD1", 60),
    ],
)
def test_copies_lie_in_different_melds_and_jokers_fill_places(hand, matched):
    assert most_matched(LOW, tuple(hand.split()), points) == matched


def test_the_ace_is_high_only_where_the_rules_say_so():
    hand = ("QC1", "KC1", "AC1")
    assert most_matched(LOW, hand, points) == 0
    assert most_matched(HIGH_OR_LOW, hand, points) == 21
