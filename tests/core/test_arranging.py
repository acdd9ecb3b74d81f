"""The arrangement solver against a plain search, and on positions that people found hard."""

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.cards import RANKS, SUITS
from games.core.rummy.arranging import FACE_INDEX, arrange, counts
from games.core.rummy.melds import SEQUENCES, MeldRules, meld_run

KINDS = ("low", "high", "high_or_low", "round")
FACES = [rank + suit for rank in RANKS for suit in SUITS]


def packed(cards):
    """Numbers by face as the arranger counts cards."""
    return counts(face for face in FACES for _ in range(cards[FACE_INDEX[face]]))


def arranged(kind, table, hand=(0,) * 52, **rest):
    return arrange(kind, packed(table), packed(hand), **rest)


@cache
def patterns(kind):
    """Every set, and every run of three, four or five; longer runs are made of these."""
    ranks = SEQUENCES[kind]
    sets = [[rank + suit for suit in suits] for rank in RANKS for size in (3, 4) for suits in combinations(SUITS, size)]
    windows = {ranks[start : start + size] for size in (3, 4, 5) for start in range(len(ranks) - size + 1)}
    runs = [[rank + suit for rank in window] for window in sorted(windows) for suit in SUITS]
    return [tuple(map(FACE_INDEX.__getitem__, pattern)) for pattern in sets + runs]


def plain_search(kind, table, hand, wild, spare):
    """The most hand cards that can be played, None if the table cannot be laid: tries everything."""

    @cache
    def most(table, hand, wild, spare):
        card = next((index for index, number in enumerate(table) if number), None)
        best = 0 if card is None and not wild else None
        for pattern in patterns(kind):
            if card is not None and card not in pattern:
                continue
            for after, gain in ways(pattern, table, hand, wild, spare):
                if card is None or after[0][card] < table[card]:
                    rest = most(*after)
                    if rest is not None:
                        best = max(best or 0, rest + gain)
        return best

    return most(table, hand, wild, spare)


def ways(pattern, table, hand, wild, spare):
    """What is left when a meld is laid with cards from anywhere, one of them natural, and its hand cards."""
    found = {((table, hand, wild, spare), 0, False)}
    for index in pattern:
        grown = set()
        for (on_table, in_hand, free, extra), gain, natural in found:
            if on_table[index]:
                grown.add(((less(on_table, index), in_hand, free, extra), gain, True))
            if in_hand[index]:
                grown.add(((on_table, less(in_hand, index), free, extra), gain + 1, True))
            if free:
                grown.add(((on_table, in_hand, free - 1, extra), gain, natural))
            if extra:
                grown.add(((on_table, in_hand, free, extra - 1), gain + 1, natural))
        found = grown
    return [(after, gain) for after, gain, natural in found if natural]


def less(cards, index):
    return cards[:index] + (cards[index] - 1,) + cards[index + 1 :]


def check_melds(kind, arrangement, table, hand, wild, spare):
    """The melds are valid and use exactly the cards that they should."""
    laid = Counter()
    for meld_kind, faces in arrangement.melds:
        laid.update(faces)
        if meld_kind == "set":
            assert len(faces) in (3, 4) and len({face[0] for face in faces}) == 1 and len(set(faces)) == len(faces)
        else:
            assert MeldRules(kind).fault(meld_run(faces)) is None
    on_table = [face for face in FACES for _ in range(table[FACE_INDEX[face]])]
    assert laid == Counter([*on_table, *arrangement.hand, *arrangement.wild])
    assert all(hand[FACE_INDEX[face]] >= times for face, times in Counter(arrangement.hand).items())
    assert len(arrangement.wild) == wild + arrangement.spare and arrangement.spare <= spare


@st.composite
def questions(draw):
    """A few ranks and suits, so that melds are likely, around any place of the circle."""
    kind = draw(st.sampled_from(KINDS))
    first, width = draw(st.integers(0, 12)), draw(st.sampled_from((2, 3, 5, 13)))
    suits = draw(st.sampled_from((1, 2, 3, 4)))
    near = [(first + step) % 13 * 4 + suit for step in range(width) for suit in range(suits)]
    table, hand = [0] * 52, [0] * 52
    fitting = [pattern for pattern in patterns(kind) if set(pattern) <= set(near)]
    for _ in range(draw(st.integers(0, 2)) if fitting else 0):
        for index in draw(st.sampled_from(fitting)):
            table[index] = min(2, table[index] + 1)
    for index in draw(st.lists(st.sampled_from(near), max_size=6)):
        hand[index] = min(2 - table[index], hand[index] + 1)
    wild = draw(st.integers(0, 2))
    return kind, tuple(table), tuple(hand), wild, draw(st.integers(0, 2 - wild))


@given(questions())
@settings(max_examples=300, deadline=None)
def test_the_solver_finds_as_much_as_a_plain_search(question):
    kind, table, hand, wild, spare = question
    arrangement = arranged(kind, table, hand, wild=wild, spare=spare)
    assert (arrangement and arrangement.played) == plain_search(kind, table, hand, wild, spare)
    if arrangement is not None:
        check_melds(kind, arrangement, table, hand, wild, spare)


@given(questions())
@settings(max_examples=100, deadline=None)
def test_as_many_cards_as_can_be_played_may_be_asked_for_and_no_more(question):
    kind, table, hand, wild, spare = question
    arrangement = arranged(kind, table, hand, wild=wild, spare=spare)
    if arrangement is not None:
        most = arrangement.played
        assert arranged(kind, table, hand, wild=wild, spare=spare, least=most).played == most
        assert arranged(kind, table, hand, wild=wild, spare=spare, least=most + 1) is None


@given(questions(), st.lists(st.integers(0, 2), min_size=52, max_size=52).map(tuple))
@settings(max_examples=100, deadline=None)
def test_what_lies_in_runs_decides_only_between_equally_good_arrangements(question, runs):
    kind, table, hand, wild, spare = question
    arrangement = arranged(kind, table, hand, wild=wild, spare=spare)
    other = arranged(kind, table, hand, wild=wild, spare=spare, runs=packed(runs))
    assert (arrangement and arrangement.played) == (other and other.played)
    if other is not None:
        check_melds(kind, other, table, hand, wild, spare)


def random_table(cards, rng):
    """Random melds with so many cards in all, and thirteen other cards."""
    table = [0] * 52
    while sum(table) < cards:
        fitting = [pattern for pattern in patterns("round") if all(table[index] < 2 for index in pattern)]
        for index in rng.choice(fitting):
            table[index] += 1
    rest = [index for index in range(52) for _ in range(2 - table[index])]
    hand = Counter(rng.sample(rest, 13))
    return tuple(table), tuple(hand[index] for index in range(52))


@pytest.mark.parametrize("cards", [20, 50, 80])
def test_full_tables_are_arranged_and_more_cards_in_hand_never_hurt(cards):
    rng = Random(cards)
    for _ in range(5):
        table, hand = random_table(cards, rng)
        alone = arranged("round", table)
        with_hand = arranged("round", table, hand)
        check_melds("round", alone, table, (0,) * 52, 0, 0)
        check_melds("round", with_hand, table, hand, 0, 0)
        fewer = [less(hand, index) for index in range(52) if hand[index]]
        assert with_hand.played >= max(arranged("round", table, part).played for part in fewer[:4])


def faces(text):
    return counts(text.split())


def test_two_cards_may_fit_together_that_do_not_fit_alone():
    table = faces("7C 7H 7S 5C 5D 5S 4C 5C 6C 7C 8S 9S TS 8C 9C TC")
    assert arrange("round", table, faces("9H 8H")).played == 2
    assert arrange("round", table, faces("9H")).played == 0
    assert arrange("round", table, faces("8H")).played == 0


def test_a_run_goes_round_the_corner_only_in_the_circle():
    assert [arrange(kind, faces("KS AS 2S")) is not None for kind in KINDS] == [False, False, False, True]
    assert [arrange(kind, faces("QS KS AS")) is not None for kind in KINDS] == [False, True, True, True]


def test_both_full_circles_of_a_suit_are_laid_as_runs_of_thirteen_at_most():
    table = tuple(2 * (index % 4 == 1) for index in range(52))
    arrangement = arranged("round", table)
    check_melds("round", arrangement, table, (0,) * 52, 0, 0)


def test_the_middle_of_a_long_run_takes_a_second_copy():
    assert arrange("round", faces("5S 6S 7S 8S 9S"), faces("7S")).played == 1
    assert arrange("round", faces("5S 6S 7S 8S"), faces("7S")).played == 0


def test_jokers_that_must_be_used_make_melds_and_may_be_one_too_many():
    assert arrange("round", faces("5S 6S"), wild=1).wild in (("4S",), ("7S",))
    assert arrange("round", faces("5C 5D 5H 5S"), wild=1) is None
    assert arrange("round", faces("5C 5D 5H"), wild=1, spare=1).played == 0
