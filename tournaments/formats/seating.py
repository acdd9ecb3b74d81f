"""Seating: the arithmetic of pods, who sits at which table and where, without any records.

People are numbers 0 ... n - 1, best first; a table is a list of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from random import Random

EFFORT = 2_000  # exchanges looked at for each person, at most: a quarter of a second for 200 people
KICK = 2  # exchanges made blindly to get out of a dead end
LAST = -1  # the seat that deals, at a table of any size


def table_sizes(players: int, allowed: Sequence[int]) -> tuple[int, ...]:
    """Sizes of the tables for that many players, largest first.

    allowed: the favourite first. As few as possible are left over; then every table costs its rank among the
    favourites; then sizes near the first one are chosen. () where no table can be filled.
    """
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}
    for seated in range(1, players + 1):
        ways = []
        for rank, size in enumerate(allowed):
            if seated - size in best:
                ranks, squares, sizes = best[seated - size]
                ways.append((ranks + rank, squares + (size - allowed[0]) ** 2, (size, *sizes)))
        if ways:
            best[seated] = min(ways)
    return tuple(sorted(best[max(best)][2], reverse=True))


def serpentine(sizes: Sequence[int]) -> list[list[int]]:
    """Deals people out to the tables there and back again, so that the tables are equally strong."""
    tables: list[list[int]] = [[] for _ in sizes]
    person, order = 0, list(range(len(sizes)))
    while person < sum(sizes):
        for table in order:
            if len(tables[table]) < sizes[table]:
                tables[table].append(person)
                person += 1
        order.reverse()
    return tables


def fill_in_order(people: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The first to the first table, and so on."""
    tables, start = [], 0
    for size in sizes:
        tables.append(list(people[start : start + size]))
        start += size
    return tables


class TableArrangement:
    """People at tables, improved by exchanging two of them as long as that lowers the cost.

    pairs: what it costs that two people share a table, symmetric and 0 for one with themselves.
    seats: what it costs that a person sits at a table, by person and table.
    """

    def __init__(
        self, tables: Sequence[Sequence[int]], pairs: Sequence[Sequence[int]], seats: Sequence[Sequence[int]]
    ) -> None:
        self.pairs, self.seats = pairs, seats
        self.size = len(pairs)
        self.tries = EFFORT * self.size
        self._place(sorted((person, table) for table, people in enumerate(tables) for person in people))

    def _place(self, places: Sequence[tuple[int, int]]) -> None:
        """costs: what each person pays at each table, if the others stay where they are."""
        self.at = [table for _, table in places]
        self.costs = [list(row) for row in self.seats]
        for other, table in enumerate(self.at):
            for person, cost in enumerate(self.pairs[other]):
                self.costs[person][table] += cost

    @property
    def tables(self) -> list[list[int]]:
        """The best first, people best first."""
        found: dict[int, list[int]] = {}
        for person, table in enumerate(self.at):
            found.setdefault(table, []).append(person)
        return list(found.values())

    @property
    def cost(self) -> int:
        paid = sum(self.costs[person][table] for person, table in enumerate(self.at))
        alone = sum(self.seats[person][table] for person, table in enumerate(self.at))
        return (paid + alone) // 2

    def improve(self, rng: Random, good: int) -> None:
        """Leaves the cheapest arrangement found within EFFORT; stops at once when one costs less than `good`.

        From a dead end it goes on from the best one with a few blind exchanges (iterated local search).
        """
        self._descend()
        best, lowest = self.at[:], self.cost
        while lowest >= good and self.tries > 0 and len(set(self.at)) > 1:
            self._kick(rng, good)
            self._descend()
            if self.cost <= lowest:
                best, lowest = self.at[:], self.cost
            else:
                self._place(list(enumerate(best)))

    def _descend(self) -> None:
        at, costs, pairs = self.at, self.costs, self.pairs
        is_better = True
        while is_better and self.tries > 0:
            is_better = False
            for one, other in combinations(range(self.size), 2):
                here, there = at[one], at[other]
                if here != there and (
                    costs[one][there] + costs[other][here] - 2 * pairs[one][other]
                    < costs[one][here] + costs[other][there]
                ):
                    self._exchange(one, other)
                    is_better = True
            self.tries -= self.size * (self.size - 1) // 2

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.at[one], self.at[other] = there, here
        for row, left, came in zip(self.costs, self.pairs[one], self.pairs[other], strict=True):
            row[here] += came - left
            row[there] += left - came

    def _kick(self, rng: Random, good: int) -> None:
        """Exchanges people who pay much for their table (anyone, if nobody does) with any others."""
        for _ in range(KICK):
            unhappy = [person for person, table in enumerate(self.at) if self.costs[person][table] >= good]
            one = rng.choice(unhappy or range(self.size))
            self._exchange(one, rng.choice([p for p in range(self.size) if self.at[p] != self.at[one]]))


def seat_order(
    people: Sequence[int], sat: Mapping[tuple[int, int], int], before: Mapping[tuple[int, int], int]
) -> tuple[int, ...]:
    """The fairest order of seats over the rounds: first who starts, then seats, then neighbours.

    people: at most six; among equally good orders the one that comes first in their permutations is taken.
    sat: how often (person, seat) was; the last seat is LAST. before: how often someone sat just before another, as
    (person, next person).
    """

    def cost(order: tuple[int, ...]) -> tuple[int, int, int]:
        seats = sum(sat.get(place, 0) for place in seats_and_last(order))
        return sat.get((order[0], 0), 0), seats, sum(before.get(pair, 0) for pair in neighbours(order))

    return min(permutations(people), key=cost)


def seats_and_last(order: Sequence[int]) -> list[tuple[int, int]]:
    """Everyone with their seat: 0, 1, ... and LAST."""
    return [*((person, seat) for seat, person in enumerate(order[:-1])), (order[-1], LAST)]


def neighbours(order: Sequence[int]) -> list[tuple[int, int]]:
    """Everyone with the next player round the table."""
    return list(zip(order, [*order[1:], order[0]], strict=True))
