"""Melds, deadwood and lay-offs by bits against a plain implementation with card texts."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.card_bits import ALL_CARDS, bits, cards, mask, union
from games.core.cards import RANKS, Card, pack
from games.core.rummy.deadwood import (
    MELDS,
    additions,
    all_layoffs,
    best_deadwood,
    best_defence,
    best_grouping,
    completing,
    groupings,
    may_fit,
    melds_in,
    points,
)

TRIPLES = [meld for meld in MELDS if meld.bit_count() == 3]

# The plain implementation


def plain_points(hand: Iterable[Card]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in hand)


def is_plain_meld(hand: tuple[Card, ...]) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in hand)
    suits = {card[1] for card in hand}
    if len(hand) < 3:
        return False
    is_set = len(set(ranks)) == 1 and len(suits) == len(hand)
    return is_set or (len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks))))


def plain_melds(hand: frozenset[Card]) -> list[frozenset[Card]]:
    return [
        frozenset(part)
        for size in range(3, len(hand) + 1)
        for part in combinations(sorted(hand), size)
        if is_plain_meld(part)
    ]


def plain_groupings(hand: frozenset[Card]) -> Iterator[list[frozenset[Card]]]:
    def extend(melds: list[frozenset[Card]], used: frozenset[Card]) -> Iterator[list[frozenset[Card]]]:
        yield []
        for index, meld in enumerate(melds):
            if not meld & used:
                for rest in extend(melds[index + 1 :], used | meld):
                    yield [meld, *rest]

    return extend(plain_melds(hand), frozenset())


def plain_least_left(loose: frozenset[Card], melds: list[frozenset[Card]]) -> int:
    """The least points left of `loose` over all orders of laying its cards off one by one."""
    best = plain_points(loose)
    for card in loose:
        for index, meld in enumerate(melds):
            if is_plain_meld(tuple(meld | {card})):
                grown = [*melds[:index], meld | {card}, *melds[index + 1 :]]
                best = min(best, plain_least_left(loose - {card}, grown))
    return best


# Hands that meld more often than random ones: cards close together

CARDS = st.sampled_from(pack())
NEAR = st.sampled_from([card for card in pack() if card[0] in "A23456"])


def hands(size: int, source: st.SearchStrategy[Card] = CARDS) -> st.SearchStrategy[frozenset[Card]]:
    return st.frozensets(source, min_size=size, max_size=size)


ANY_HANDS = hands(10) | hands(10, NEAR) | hands(11, NEAR)


def test_the_melds_of_the_pack_are_13_times_5_sets_and_4_times_66_runs():
    assert len(MELDS) == 13 * 5 + 4 * 66
    assert all(is_plain_meld(cards(meld)) for meld in MELDS)


@given(hands(7) | hands(7, NEAR))
@settings(max_examples=150, deadline=None)
def test_melds_in_a_hand_are_all_its_subsets_that_are_melds(hand):
    assert sorted(map(cards, melds_in(mask(hand)))) == sorted(cards(mask(meld)) for meld in plain_melds(hand))


@settings(deadline=None)
@given(hands(5) | hands(1))
def test_points_are_the_sum_of_the_card_points(hand):
    assert points(mask(hand)) == plain_points(hand)


@given(ANY_HANDS)
@settings(max_examples=150, deadline=None)
def test_best_deadwood_is_the_least_over_all_plain_groupings(hand):
    plain = [plain_points(hand.difference(*melds)) for melds in plain_groupings(hand)]
    assert best_deadwood(mask(hand)) == min(plain)
    assert points(mask(hand) & ~union(best_grouping(mask(hand)))) == min(plain)


@given(ANY_HANDS)
@settings(max_examples=100, deadline=None)
def test_groupings_are_the_plain_ones_each_once(hand):
    found = [frozenset(melds) for melds in groupings(mask(hand))]
    assert len(found) == len(set(found))
    assert set(found) == {frozenset(map(mask, melds)) for melds in plain_groupings(hand)}


def test_ten_cards_in_sequence_have_114_groupings():
    assert len(groupings(mask(f"{rank}S" for rank in RANKS[:10]))) == 114


@given(ANY_HANDS)
@settings(max_examples=200, deadline=None)
def test_the_cards_that_complete_a_meld_of_three_are_found(hand):
    held = mask(hand)
    found = [bit for bit in bits(ALL_CARDS & ~held) if any(meld & ~held == bit for meld in TRIPLES)]
    assert completing(held) == union(found)


@given(hands(11) | hands(11, NEAR), st.integers(0, 10))
@settings(max_examples=400, deadline=None)
def test_no_hand_that_can_come_down_to_the_limit_fails_the_cheap_test(hand, limit):
    held = mask(hand)
    if min(best_deadwood(held ^ bit) for bit in bits(held)) <= limit:
        assert may_fit(held, limit)


def test_the_cheap_test_sorts_out_a_hand_without_melds():
    assert not may_fit(mask("AC 3D 5H 7S 9C JD KH 2S 4C 6D 8H".split()), 10)


def test_the_cheap_test_sorts_out_two_melds_with_too_much_beside():
    assert not may_fit(mask("AC AD AH 3C 3D 3H KC QD JS 9C 8D".split()), 10)


@st.composite
def defences(draw) -> tuple[frozenset[Card], list[frozenset[Card]]]:
    """A defender's cards and the disjoint melds of a knocker."""
    names = sorted(draw(hands(9, NEAR) | hands(11, NEAR)))
    melds = draw(st.sampled_from(groupings(mask(names))))
    rest = [card for card in pack() if card[0] in "A2345678" and card not in names]
    hand = draw(st.frozensets(st.sampled_from(rest), min_size=3, max_size=6))
    return hand, [frozenset(cards(meld)) for meld in melds]


@given(defences())
@settings(max_examples=150, deadline=None)
def test_the_best_defence_leaves_as_little_as_trying_everything(case):
    hand, melds = case
    plain = min(plain_least_left(hand.difference(*own), melds) for own in plain_groupings(hand))
    found = best_defence(mask(hand), map(mask, melds))
    assert found.deadwood == plain
    laid = union(found.layoffs)
    assert points(mask(hand) & ~union(found.melds) & ~laid) == plain
    assert all(mask(meld) | more in MELDS for meld, more in zip(melds, found.layoffs, strict=True))


@given(defences())
@settings(max_examples=100, deadline=None)
def test_all_layoffs_are_the_ways_that_leave_every_meld_a_meld(case):
    hand, melds = case
    loose = mask(sorted(hand)[:4])
    ways = all_layoffs(loose, map(mask, melds))
    assert len(ways) == len(set(ways))
    assert set(ways) == set(plain_ways(loose, [mask(meld) for meld in melds]))


def plain_ways(loose: int, melds: list[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of a meld, or none, for each loose card that leaves all melds melds."""
    places = [(bit, index) for bit in bits(loose) for index in range(len(melds))]
    for size in range(loose.bit_count() + 1):
        for chosen in combinations(places, size):
            if len({bit for bit, _ in chosen}) == size:
                added = [union(bit for bit, place in chosen if place == index) for index in range(len(melds))]
                if all(meld | more in MELDS for meld, more in zip(melds, added, strict=True)):
                    yield tuple(added)


def test_a_run_takes_cards_one_after_another_at_both_ends_but_not_beyond_king_or_ace():
    assert cards(additions(mask(["TS", "JS", "QS"]), mask(["KS", "AS", "9S", "8S", "6S"]))) == (
        "8S",
        "9S",
        "KS",
    )
    assert cards(additions(mask(["2S", "3S", "4S"]), mask(["KS", "AS", "6S"]))) == ("AS",)


def test_a_card_that_fits_a_run_and_a_set_goes_to_the_run_where_it_makes_room():
    melds = [mask(["8C", "8D", "8S"]), mask(["5H", "6H", "7H"])]
    assert best_defence(mask(["8H", "9H", "KC"]), melds).deadwood == 10
    assert best_defence(mask(["8H", "9H", "KC"]), melds).layoffs == (0, mask(["8H", "9H"]))


def test_among_equal_defences_own_melds_come_before_lay_offs():
    found = best_defence(mask(["8H", "9H", "TH"]), [mask(["5H", "6H", "7H"])])
    assert (found.melds, found.layoffs) == ((mask(["8H", "9H", "TH"]),), (0,))
