from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.seating import (
    LAST,
    TableArrangement,
    fill_in_order,
    neighbours,
    seat_order,
    seats_and_last,
    serpentine,
    table_sizes,
)

choices_of_sizes = st.lists(st.integers(2, 6), min_size=1, max_size=4, unique=True)


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, ()),
        (3, (3,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (5, 4)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (5, 4, 4)),
    ],
)
def test_tables_of_four_then_three_then_five_seat_everybody_from_three_on(players, sizes):
    assert table_sizes(players, (4, 3, 5)) == sizes


def test_sizes_near_each_other_are_preferred():
    assert table_sizes(10, (4, 5, 6)) == (5, 5)


@settings(deadline=None)
@given(st.integers(0, 16), choices_of_sizes)
def test_no_other_tables_seat_more_or_cost_less(players, allowed):
    def cost(sizes):
        return (
            players - sum(sizes),
            sum(map(allowed.index, sizes)),
            sum((size - allowed[0]) ** 2 for size in sizes),
        )

    every = [
        sizes
        for count in range(players // 2 + 1)
        for sizes in combinations_with_replacement(allowed, count)
        if sum(sizes) <= players
    ]
    assert cost(table_sizes(players, allowed)) == min(map(cost, every))


def test_seeds_are_dealt_there_and_back_again():
    assert serpentine((4, 4, 3)) == [[0, 5, 6, 10], [1, 4, 7, 9], [2, 3, 8]]


@settings(deadline=None)
@given(st.lists(st.integers(2, 6), max_size=6))
def test_everybody_is_dealt_to_one_table_of_the_right_size(sizes):
    for tables in (serpentine(sizes), fill_in_order(range(sum(sizes)), sizes)):
        assert [len(table) for table in tables] == sizes
        assert sorted(person for table in tables for person in table) == list(range(sum(sizes)))


@settings(deadline=None)
@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_the_seat_order_is_the_most_even_one(size, rng):
    people = rng.sample(range(100), size)
    sat = {(person, seat): rng.randrange(4) for person in people for seat in (*range(size - 1), LAST)}
    before = {pair: rng.randrange(4) for pair in permutations(people, 2)}

    def unevenness(order):
        by_seat = [sat[order[seat], seat] for seat in range(size - 1)]
        following = sum(before[order[seat - 1], order[seat]] for seat in range(size))
        return by_seat[0], sum(by_seat) + sat[order[-1], LAST], following

    chosen = seat_order(people, sat, before)
    assert unevenness(chosen) == min(map(unevenness, permutations(people)))


def test_where_all_is_even_people_sit_as_they_are_given():
    assert seat_order([7, 3, 5], {}, {}) == (7, 3, 5)


def test_the_last_seat_is_the_same_seat_at_a_table_of_any_size():
    assert seats_and_last((7, 3, 5)) == [(7, 0), (3, 1), (5, LAST)]
    assert neighbours((7, 3, 5)) == [(7, 3), (3, 5), (5, 7)]


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(2, 4), st.randoms(use_true_random=False))
def test_an_arrangement_is_improved_and_keeps_its_sizes(tables, size, rng):
    people = tables * size
    pairs = [[0] * people for _ in range(people)]
    for one in range(people):
        for other in range(one):
            pairs[one][other] = pairs[other][one] = rng.randrange(9)
    seats = [[rng.randrange(9) for _ in range(tables)] for _ in range(people)]
    start = fill_in_order(range(people), [size] * tables)

    def cost(at):
        sharing = sum(pairs[i][j] for i in range(people) for j in range(i) if at[i] == at[j])
        return sharing + sum(seats[person][table] for person, table in enumerate(at))

    arrangement = TableArrangement(start, pairs, seats)
    before = arrangement.cost
    assert before == cost(arrangement.at)
    arrangement.improve(Random(1), good=0)
    assert arrangement.cost == cost(arrangement.at) <= before
    assert Counter(map(len, arrangement.tables)) == {size: tables}
    for one in range(people):
        for other in range(one):
            swapped = list(arrangement.at)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert cost(swapped) >= arrangement.cost, "no exchange of two is better"
