from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tournaments.formats.matching import least_cost_pairs


def costs(size: int, cost) -> list[list[int]]:
    """The symmetric table of a function of two indices, called once for each pair."""
    table = [[0] * size for _ in range(size)]
    for j in range(size):
        for i in range(j):
            table[i][j] = table[j][i] = cost(i, j)
    return table


def least(table: list[list[int]]) -> int:
    """By trying all pairings."""

    @cache
    def best(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        return min(table[first][other] + best(tuple(e for e in rest if e != other)) for other in rest)

    return best(tuple(range(len(table))))


def total(table: list[list[int]], mates: list[int]) -> int:
    assert all(mates[mate] == i != mate for i, mate in enumerate(mates))
    return sum(table[i][mate] for i, mate in enumerate(mates)) // 2


KINDS = {
    "few different costs, so that many are equal": lambda rng, _: lambda i, j: rng.randint(0, 2),
    "any costs": lambda rng, _: lambda i, j: rng.randint(-1000, 1000),
    "costs of hundreds of bits": lambda rng, _: lambda i, j: rng.getrandbits(300),
    "groups that must be left, and pairs that must not be": lambda rng, group: (
        lambda i, j: 10 * (group[i] - group[j]) ** 2 + rng.choice((0, 0, 100, 1000))
    ),
    "neighbours on a line, where blossoms open again": lambda rng, group: (
        lambda i, j: 10 * abs(11 * group[i] + i - 11 * group[j] - j) + rng.randint(0, 9)
    ),
    "odd groups, out of which one pair has to lead": lambda rng, group: (
        lambda i, j: (i // 3 != j // 3) * 100 + rng.randint(0, 9)
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_pairing_costs_less(kind):
    for number in range(400):
        rng = Random(f"{kind}{number}")
        size = 2 * rng.randint(1, 7)
        table = costs(size, KINDS[kind](rng, [rng.randint(0, 4) for _ in range(size)]))
        assert total(table, least_cost_pairs(table)) == least(table)


def test_nobody_is_paired_with_nobody():
    assert least_cost_pairs([]) == []
