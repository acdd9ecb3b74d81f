"""Groups, unions and divisions against plain counting."""

from itertools import combinations
from random import Random

import pytest

from games.core.captures import COMPLETE, Sums, all_unions, division, maximal_unions
from games.core.cards import RANKS, pack

VALUES = {card: RANKS.index(card[0]) + 1 for card in pack() if card[0] not in "JQK"}


def drawn(seed: int, count: int) -> list[str]:
    return Random(seed).sample(sorted(VALUES), count)


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_all_choices_with_the_sum(seed):
    cards = drawn(seed, 8)
    sums = Sums(cards, VALUES, 10)
    for total in range(11):
        expected = {
            chosen
            for size in range(9)
            for chosen in combinations(cards, size)
            if sum(VALUES[card] for card in chosen) == total
        }
        groups = [sums.pick(group) for group in sums.groups(total)]
        assert set(groups) == expected
        assert len(groups) == len(expected)
    assert sums.groups(-1) == []


@pytest.mark.parametrize("seed", range(20))
def test_unions_are_all_choices_that_can_be_divided(seed):
    cards = drawn(seed, 7)
    sums = Sums(cards, VALUES, 10)
    for total in range(1, 11):
        expected = {
            chosen
            for size in range(8)
            for chosen in combinations(cards, size)
            if division(chosen, VALUES, total) is not None
        }
        assert {sums.pick(union) for union in sums.unions(total)} == expected


def test_a_division_uses_every_card_once_in_sets_of_the_total():
    cards = ["3C", "5H", "8D", "6D", "2H", "4S", "4C"]
    sets = division(cards, VALUES, 8)
    assert sets is not None
    assert sorted(card for cards in sets for card in cards) == sorted(cards)
    assert [sum(VALUES[card] for card in cards) for cards in sets] == [8] * len(sets)
    assert division([], VALUES, 8) == []


@pytest.mark.parametrize("cards", [["3C"], ["3C", "3H", "5D"], ["6C", "6D", "4C"], ["9C"], ["7C", "7D", "2C"]])
def test_what_cannot_be_divided_is_none(cards):
    assert division(cards, VALUES, 8) is None


def test_many_equal_cards_are_divided_quickly():
    """Without care for equal numbers this search would not end: no set of 10 can hold a seven."""
    cards = [rank + suit for rank in "2468T" for suit in "CDHS"] + ["7C", "7D", "7H", "9C"]
    assert sum(VALUES[card] for card in cards) % 10 == 0
    assert division(cards, VALUES, 10) is None


def test_a_crowded_table_offers_the_groups_and_maximal_unions():
    cards = drawn(1, COMPLETE + 4)
    sums = Sums(cards, VALUES, 10)
    unions = sums.unions(10)
    offered = sums.offers(10)
    assert set(offered) < set(unions)
    assert all(division(sums.pick(union), VALUES, 10) is not None for union in unions)
    for union in set(unions) - set(offered) - {0}:
        assert all(union & group for group in offered)


def test_maximal_unions_are_among_all_unions():
    groups = [0b0011, 0b0110, 0b1100, 0b1001]
    assert maximal_unions(groups) == {*groups, 0b1111}
    assert maximal_unions(groups) <= all_unions(groups)
