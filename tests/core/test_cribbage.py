"""Counting in Cribbage by bits and tables against a plain counter with card texts."""

from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.card_bits import BIT, cards, mask
from games.core.cards import RANKS, SUITS, Card, pack
from games.core.cribbage import (
    FITS,
    MOST,
    VALUE,
    Combination,
    Count,
    Pegged,
    after,
    combinations_of,
    line,
    nobs,
    pegged,
    said_together,
    show,
    spoken,
)

PACK = pack()

# The plain counter


def value(card: Card) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def is_run(hand: tuple[Card, ...] | list[Card]) -> bool:
    places = sorted(RANKS.index(card[0]) for card in hand)
    return len(hand) >= 3 and places == list(range(places[0], places[0] + len(places)))


def groups(hand: list[Card]) -> list[tuple[Card, ...]]:
    return [group for size in range(1, len(hand) + 1) for group in combinations(hand, size)]


def plain_line(hand: list[Card]) -> tuple[int, int, int]:
    runs = [set(group) for group in groups(hand) if is_run(group)]
    return (
        2 * sum(sum(map(value, group)) == 15 for group in groups(hand)),
        2 * sum(one[0] == other[0] for one, other in combinations(hand, 2)),
        sum(len(run) for run in runs if not any(run < longer for longer in runs)),
    )


def plain_flush(hand: list[Card], starter: Card, is_crib: bool) -> int:
    if len({card[1] for card in [*hand, starter]}) == 1:
        return 5
    return 4 if len({card[1] for card in hand}) == 1 and not is_crib else 0


def plain_peg(trail: list[Card]) -> Pegged:
    count = sum(map(value, trail))
    same = 1
    while same < len(trail) and trail[-same - 1][0] == trail[-1][0]:
        same += 1
    run = max((n for n in range(3, len(trail) + 1) if is_run(trail[-n:])), default=0)
    fifteen, pair, most = 2 * (count == 15), {1: 0, 2: 2, 3: 6, 4: 12}[same], 2 * (count == 31)
    return Pegged(count, fifteen + pair + run + most, fifteen, pair, run, most)


def trail_of(played: list[Card]) -> int:
    trail = 0
    for card in played:
        trail = after(trail, BIT[card])
    return trail


# Against it


five_cards = st.lists(st.sampled_from(PACK), min_size=5, max_size=5, unique=True)
of_few_ranks = st.lists(
    st.sampled_from([rank + suit for rank in "4567J" for suit in SUITS]), min_size=5, max_size=5, unique=True
)


@settings(max_examples=400, deadline=None)
@given(five_cards | of_few_ranks, st.booleans())
def test_hands_and_cribs_count_like_the_plain_counter(five, is_crib):
    *hand, starter = five
    flush = plain_flush(hand, starter, is_crib)
    expected = Count(*plain_line(five), flush, int("J" + starter[1] in hand))
    assert show(mask(hand), BIT[starter], is_crib=is_crib) == expected


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PACK), max_size=5, unique=True) | of_few_ranks)
def test_lines_of_any_length_count_like_the_plain_counter(hand):
    flush = 5 if len(hand) == 5 and len({card[1] for card in hand}) == 1 else 0
    assert line(mask(hand)) == Count(*plain_line(hand), flush)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PACK), min_size=1, max_size=8, unique=True)
    | st.lists(st.sampled_from([rank + suit for rank in "A2345" for suit in SUITS]), min_size=3, unique=True)
)
def test_cards_of_the_play_peg_like_the_plain_counter(played):
    while sum(map(value, played)) > MOST:
        played.pop()
    assert pegged(trail_of(played)) == plain_peg(played)


@settings(max_examples=300, deadline=None)
@given(five_cards | of_few_ranks, st.booleans())
def test_the_combinations_of_a_hand_make_up_its_count(five, is_crib):
    *hand, starter = five
    count = show(mask(hand), BIT[starter], is_crib=is_crib)
    found = list(combinations_of(count, mask(five), mask(hand), BIT[starter]))
    assert len({(kind, used) for kind, used, _points in found}) == len(found)
    points = {kind: sum(one.points for one in found if one.kind == kind) for kind in Count._fields}
    assert points == count._asdict()
    for kind, used, worth in found:
        group = list(cards(used))
        assert set(group) <= set(five)
        assert {
            "fifteens": sum(map(value, group)) == 15 and worth == 2,
            "pairs": len({card[0] for card in group}) == 1,
            "runs": is_run(group) and worth == len(group),
            "flush": len({card[1] for card in group}) == 1 and worth == len(group),
            "nobs": {"J" + starter[1], starter} == set(group),
        }[kind]


def combinations_in(hand: str, starter: Card) -> list[Combination]:
    held, turned = mask(hand.split()), BIT[starter]
    return list(combinations_of(show(held, turned), held | turned, held, turned))


@pytest.mark.parametrize(
    ("hand", "starter", "words"),
    [
        (
            "5C JD QD KD",
            "5D",
            "fifteen two; fifteen four; fifteen six; fifteen eight; fifteen ten; fifteen twelve;"
            " a pair makes fourteen; a run of three makes seventeen; one for his nob makes eighteen",
        ),
        ("2C 4C 8C JC", "KC", "a flush makes five; one for his nob makes six"),
        ("JC 2D 4H 8S", "KC", "one for his nob"),
        ("9C 9D 9H KC", "KD", "three of a rank makes six; a pair makes eight"),
        ("2C 4D 8H TS", "KC", ""),
    ],
)
def test_the_count_aloud_adds_up(hand, starter, words):
    assert "; ".join(spoken([one] for one in combinations_in(hand, starter))) == words


@pytest.mark.parametrize(
    ("hand", "starter", "words"),
    [
        ("5C 6D 6H 7S", "7C", "two pairs make four; four runs of three make sixteen"),
        ("9C 9D 9H KC", "KD", "three of a rank makes six; a pair makes eight"),
        ("7C 8D 8H 9S", "TC", "fifteen four; a pair makes six; two runs of four make fourteen"),
    ],
)
def test_equal_combinations_can_be_counted_together(hand, starter, words):
    assert "; ".join(spoken(said_together(combinations_in(hand, starter)))) == words


# Figures that everybody knows


@pytest.mark.parametrize(
    ("hand", "starter", "total"),
    [
        ("5C 5D 5H JS", "5S", 29),
        ("5C 5D 5H JD", "5S", 28),
        ("4C 5D 5H 6S", "4S", 24),
        ("3C 3D 3H 4S", "5S", 21),
        ("7H 8S 8D 9C", "6H", 16),
        ("QC KD AH 2S", "9S", 0),
    ],
)
def test_famous_hands_have_their_famous_values(hand, starter, total):
    assert show(mask(hand.split()), BIT[starter]).total == total


def test_a_flush_takes_four_in_the_hand_and_five_in_the_crib():
    hand = mask("2D 4D 8D KD".split())
    assert show(hand, BIT["TS"]).flush == 4
    assert show(hand, BIT["TD"]).flush == 5
    assert show(hand, BIT["TS"], is_crib=True).flush == 0
    assert show(hand, BIT["TD"], is_crib=True).flush == 5
    assert show(hand, BIT["TS"], four_flush=False).flush == 0
    assert show(hand, BIT["TD"], four_flush=False).flush == 5
    assert show(mask("2D 4D 8D KS".split()), BIT["TD"]).flush == 0


def test_a_hand_cut_down_has_no_flush():
    assert show(mask(["2D", "4D"]), BIT["TD"]).flush == 0
    assert show(0, BIT["TD"]).total == 0


def test_nobs_is_the_jack_of_the_starters_suit_in_the_hand():
    assert nobs(mask(["JD", "2S"]), BIT["5D"]) == 1
    assert nobs(mask(["JD", "2S"]), BIT["5C"]) == 0
    assert nobs(mask(["2S"]), BIT["JD"]) == 0


def test_no_five_ranks_are_worth_nineteen_or_more_than_twenty_eight():
    totals = set()
    for ranks in combinations_with_replacement(RANKS, 5):
        if max(map(ranks.count, ranks)) <= 4:
            hand = [rank + SUITS[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
            totals.add(line(mask(hand))._replace(flush=0).total)
    assert set(range(29)) - totals == {1, 19, 25, 26, 27}  # one point is for nobs alone
    assert max(totals) == 28


def test_cards_fit_until_they_would_pass_thirty_one():
    assert FITS[21] == mask(PACK)
    assert FITS[31] == 0
    for count in range(MOST + 1):
        assert set(cards(FITS[count])) == {card for card in PACK if count + value(card) <= MOST}


def test_values_are_those_of_the_plain_counter():
    assert {card: VALUE[BIT[card]] for card in PACK} == {card: value(card) for card in PACK}
