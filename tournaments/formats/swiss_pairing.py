"""Swiss pairing: one round, with its bye, as a minimum-cost matching.

What speaks against a pair is one number made of the criteria below, the weightiest first, and the round is the
pairing with the least sum. So fewer rematches are better whatever they cost in floats, and so on down the list.
Up to `EXACT` players the least sum is found. In a larger field, all start where the criteria lead when nobody has
met: every score group is paired top half against bottom half, a player left over meets the best of the next
group. Then every pair with something against it is paired again together with its neighbours, with the least sum
again, and with more and more neighbours as long as that leaves a rematch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournaments.formats.matching import least_cost_pairs

EXACT = 100
NEIGHBOURS = (6, 24)  # on each side of each of the two

BITS = 48  # for the sum of one criterion: enough for 50,000 players
ORDER, SEATS, FLOATS, GAP, BYE_SCORE, MET, FORBIDDEN, BYES, NOT_COME = (1 << BITS * place for place in range(9))
"""The criteria, the last one weighs most.

NOT_COME: the bye is for a player who isn't here yet. BYES: byes that its player had before. FORBIDDEN: pairs that a
director does not want. MET: earlier meetings. BYE_SCORE: the score of the player with the bye. GAP: differences of
score, squared, so that two small ones are better than one large one. FLOATS: players who float the same way twice in a
row. SEATS: pairs of whom both ought to sit on the same side. ORDER: how far a pair is from top half against bottom
half, in places, squared.
"""

FAULTS = sum(criterion * ((1 << BITS) - 1) for criterion in (SEATS, FLOATS, MET, FORBIDDEN))

DOWN, LEVEL, UP = -1, 0, 1


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """What counts about someone who is to be paired.

    score: in half points, of which some are virtual in accelerated rounds.
    met: the rounds of earlier meetings, by opponent. byes: full-point ones, and wins by forfeit.
    floated: in the last round, DOWN to an opponent with fewer points or a bye, UP, or LEVEL.
    sides: where they sat, match by match. has_come: see `contract.Entrant`.
    """

    id: int
    seed: int
    score: int = 0
    virtual: int = 0
    met: Mapping[int, Sequence[int]] = field(default_factory=dict)
    forbidden: frozenset[int] = frozenset()
    byes: int = 0
    floated: int = LEVEL
    sides: tuple[int, ...] = ()
    has_come: bool = True

    @property
    def balance(self) -> int:
        """Matches on side 0 less those on side 1."""
        return len(self.sides) - 2 * sum(self.sides)

    @property
    def due_side(self) -> int | None:
        """Where they ought to sit: not for a third time in a row, nor where they were twice more often."""
        if abs(self.balance) >= 2:
            return int(self.balance > 0)
        if len(self.sides) >= 2 and self.sides[-1] == self.sides[-2]:
            return 1 - self.sides[-1]
        return None


def pair_swiss_round(players: Iterable[SwissPlayer]) -> list[tuple[SwissPlayer, SwissPlayer | None]]:
    """Pairs from the top table to the last, the better player first; then, with None, the bye."""
    ranked = sorted(players, key=lambda player: (-player.score, player.seed))
    mates = _Field(ranked).mates()
    pairs = [(i, j) for i, j in enumerate(mates[: len(ranked)]) if i < j]
    pairs.sort(key=lambda pair: (pair[1] == len(ranked), pair))
    return [(ranked[i], ranked[j] if j < len(ranked) else None) for i, j in pairs]


def seat_pair(first: SwissPlayer, second: SwissPlayer, *, even_table: bool) -> tuple[SwissPlayer, SwissPlayer]:
    """Who sits on side 0 and on side 1: the player who was more often on one side gets the other.

    Among equals, each gets the other side than in the last round in which they sat on different ones; where
    there is none, the first player sits on side 0 at even tables.
    """
    if first.balance != second.balance:
        return (first, second) if first.balance < second.balance else (second, first)
    for mine, other in zip(reversed(first.sides), reversed(second.sides), strict=False):
        if mine != other:
            return (first, second) if mine == 1 else (second, first)
    return (first, second) if even_table else (second, first)


class _Field:
    """Players by their index in the ranking; the index after the last one is the bye, where their number is odd."""

    def __init__(self, ranked: Sequence[SwissPlayer]) -> None:
        self.ranked = ranked
        self.size = len(ranked) + len(ranked) % 2
        self.groups = [list(group) for _, group in groupby(range(len(ranked)), key=lambda i: ranked[i].score)]
        self.group_of = [number for number, group in enumerate(self.groups) for _ in group]
        self.due = [player.due_side for player in ranked]
        self.mate = [-1] * self.size

    def mates(self) -> list[int]:
        """The mate of each index."""
        if self.size <= EXACT:
            self._pair_again(list(range(self.size)))
            return self.mate
        self._start()
        for reach in NEIGHBOURS:
            self._improve(self._doubtful(), reach)
        while (bad := self._rematches()) and reach < self.size:
            reach *= 2
            self._improve(bad, reach)
        return self.mate

    def cost(self, i: int, j: int) -> int:
        """What speaks against a pair, i < j."""
        if j == len(self.ranked):
            return self._bye_cost(i)
        better, other = self.ranked[i], self.ranked[j]
        gap = better.score - other.score
        if gap:
            group, lower = self.groups[self.group_of[i]], self.groups[self.group_of[j]]
            cost = (group[-1] - i) ** 2 + (j - lower[0]) ** 2 + GAP * gap * gap
            cost += FLOATS * ((better.floated == DOWN) + (other.floated == UP))
        else:
            cost = (j - i - len(self.groups[self.group_of[i]]) // 2) ** 2
        if self.due[i] is not None and self.due[i] == self.due[j]:
            cost += SEATS
        if other.id in better.met:
            cost += MET * len(better.met[other.id])
        return cost + FORBIDDEN if other.id in better.forbidden else cost

    def _bye_cost(self, i: int) -> int:
        player, last = self.ranked[i], self.groups[self.group_of[i]][-1]
        floats = int(player.floated == DOWN)
        cost = (last - i) ** 2 + FLOATS * floats + BYE_SCORE * player.score + BYES * player.byes
        return cost if player.has_come else cost + NOT_COME

    def _match(self, i: int, j: int) -> None:
        self.mate[i], self.mate[j] = j, i

    def _pair_again(self, some: Sequence[int]) -> None:
        """The pairing of some, in ascending order, with the least sum."""
        costs = [[0] * len(some) for _ in some]
        for b, j in enumerate(some):
            for a, i in enumerate(some[:b]):
                costs[a][b] = costs[b][a] = self.cost(i, j)
        for a, b in enumerate(least_cost_pairs(costs)):
            self.mate[some[a]] = some[b]

    def _start(self) -> None:
        """Top half against bottom half in every group, as if nothing spoke against any pair."""
        bye = min(range(len(self.ranked)), key=self._bye_cost) if self.size > len(self.ranked) else None
        if bye is not None:
            self._match(bye, len(self.ranked))
        floater: int | None = None
        for group in self.groups:
            left = [i for i in group if i != bye]
            if floater is not None and left:
                self._match(floater, left.pop(0))
                floater = None
            if len(left) % 2:
                floater = left.pop()
            for i, j in zip(left, left[len(left) // 2 :], strict=False):
                self._match(i, j)

    def _improve(self, indices: Iterable[int], reach: int) -> None:
        """Pairs each again, with its mate and the neighbours of both, unless all is well by now."""
        for i in indices:
            if self._faults(i) or self._is_crossing(i):
                near = [k for middle in (i, self.mate[i]) for k in range(middle - reach, middle + reach + 1)]
                some = {k for k in near if 0 <= k < self.size}
                self._pair_again(sorted(some | {self.mate[k] for k in some}))

    def _doubtful(self) -> list[int]:
        """The better of each pair that might be spared: with faults, or across groups where no parity demands it.

        One pair at most has to cross from a group to the next one.
        """
        crossing = [i for i in self._better() if self._is_crossing(i)]
        spans = {i: range(self.group_of[i], self.group_of[self.mate[i]]) for i in crossing}
        crossings = Counter(border for span in spans.values() for border in span)
        doubtful = {i for i, span in spans.items() if len(span) > 1 or crossings[span[0]] > 1}
        return [i for i in self._better() if i in doubtful or self._faults(i)]

    def _rematches(self) -> list[int]:
        """The better of each pair that has met or is forbidden."""
        return [i for i in self._better() if self._faults(i) >= MET]

    def _better(self) -> list[int]:
        return [i for i in range(len(self.ranked)) if i < self.mate[i]]

    def _faults(self, i: int) -> int:
        """What speaks against the pair of an index besides parity and order."""
        return self.cost(*sorted((i, self.mate[i]))) & FAULTS

    def _is_crossing(self, i: int) -> bool:
        mate = self.mate[i]
        return mate < len(self.ranked) and self.group_of[i] != self.group_of[mate]
