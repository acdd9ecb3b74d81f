"""What the open cards of a fishing game add up to: groups with a sum, unions of groups, exact divisions.

A group is a bit mask over the positions of the cards it was made from, so groups are disjoint when `a & b == 0`.
"""

from collections.abc import Mapping, Sequence

from games.core.cards import Card

# Up to this many cards every union is listed (the worst table of 16 has about 4,500); beyond it only a selection.
COMPLETE = 16
# How many groups a selection starts from.
SELECTION = 50


class Sums:
    """Cards and the groups of them that are worth each total.

    cards: no doubles; `pick` returns them in this order. values: at least 1 for each of the cards.
    limit: the highest total that will be asked for.
    """

    __slots__ = ("_by_total", "_unions", "cards")

    def __init__(self, cards: Sequence[Card], values: Mapping[Card, int], limit: int) -> None:
        self.cards = cards
        self._by_total: list[list[int]] = [[0]] + [[] for _ in range(limit)]
        self._unions: dict[int, list[int]] = {}
        for position, card in enumerate(cards):
            value, bit = values[card], 1 << position
            for total in range(limit, value - 1, -1):
                self._by_total[total] += [group | bit for group in self._by_total[total - value]]

    def groups(self, total: int) -> list[int]:
        """Every group worth `total`; [0], the empty group, for 0 and [] below it."""
        return self._by_total[total] if total >= 0 else []

    def offers(self, total: int) -> list[int]:
        """The groups to propose: all of them, on a crowded table those with the fewest cards."""
        groups = self.groups(total)
        if len(self.cards) <= COMPLETE:
            return groups
        return sorted(groups, key=lambda group: (group.bit_count(), group))[:SELECTION]

    def unions(self, total: int) -> list[int]:
        """Unions of disjoint groups worth `total` each, the empty one first, ascending.

        All of them; on a crowded table only the offered groups and one maximal union around each of them.
        """
        if total not in self._unions:
            combine = all_unions if len(self.cards) <= COMPLETE else maximal_unions
            self._unions[total] = sorted({0} | combine(self.offers(total)))
        return self._unions[total]

    def division(self, total: int) -> list[tuple[Card, ...]] | None:
        """All cards in sets worth `total` each, [] for no cards; None when they cannot be divided."""
        cover = exact_cover(self.groups(total), (1 << len(self.cards)) - 1)
        return None if cover is None else [self.pick(group) for group in cover]

    def pick(self, group: int) -> tuple[Card, ...]:
        return tuple([card for position, card in enumerate(self.cards) if group >> position & 1])


def all_unions(groups: Sequence[int]) -> set[int]:
    """Every union of one or more disjoint groups."""
    unions = {0}
    for group in groups:
        unions |= {union | group for union in unions if not union & group}
    return unions - {0}


def maximal_unions(groups: Sequence[int]) -> set[int]:
    """The groups, and around each of them one union that no further group fits into."""
    unions = set(groups)
    for union in groups:
        for other in groups:
            if not union & other:
                union |= other
        unions.add(union)
    return unions


def exact_cover(groups: Sequence[int], whole: int) -> list[int] | None:
    """Disjoint groups whose union is `whole`; None when there are none."""
    dead_ends: set[int] = set()

    def cover(rest: int) -> list[int] | None:
        if not rest:
            return []
        if rest in dead_ends:
            return None
        lowest = rest & -rest
        for group in groups:
            if group & lowest and group & ~rest == 0:
                further = cover(rest ^ group)
                if further is not None:
                    return [group, *further]
        dead_ends.add(rest)
        return None

    return cover(whole)
