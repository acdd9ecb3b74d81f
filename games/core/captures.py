"""Subset sums for fishing games: groups of open cards with a sum, unions of groups, exact divisions.

A group is a bit mask over the positions of the cards it was made from; groups are disjoint when `a & b == 0`.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.core.cards import Card

# Up to this many cards every union is listed (about 4,500 on the worst tables), beyond it only a selection.
COMPLETE = 16
# How many groups a selection starts from.
SELECTION = 25


class Sums:
    """Cards and the groups of them that are worth each total.

    cards: no doubles; `pick` returns them in this order. values: at least 1 for each of the cards.
    limit: the highest total that will be asked for. alone: what a card counts as a group of its own, where that is
    something else. complete: up to so many cards every union is listed.
    """

    __slots__ = ("_alone", "_by_total", "_complete", "_unions", "cards")

    def __init__(
        self,
        cards: Sequence[Card],
        values: Mapping[Card, int],
        limit: int,
        *,
        alone: Mapping[Card, int] | None = None,
        complete: int = COMPLETE,
    ) -> None:
        self.cards = cards
        self._complete = complete
        own = alone or values
        self._alone = {1 << place: own[card] for place, card in enumerate(cards) if own[card] != values[card]}
        self._by_total: list[list[int]] = [[0]] + [[] for _ in range(limit)]
        self._unions: dict[int, list[int]] = {}
        for position, card in enumerate(cards):
            value, bit = values[card], 1 << position
            for total in range(limit, value - 1, -1):
                self._by_total[total] += [group | bit for group in self._by_total[total - value]]

    def groups(self, total: int) -> list[int]:
        """Every group with the sum `total`; [0], the empty group, for 0 and [] below it."""
        return self._by_total[total] if total >= 0 else []

    def sets(self, total: int) -> list[int]:
        """Every group that is worth `total` by itself: a single card counts what it is worth alone."""
        groups = self.groups(total)
        if not self._alone:
            return groups
        single = [card for card, value in self._alone.items() if value == total]
        return [group for group in groups if group not in self._alone] + single

    def offers(self, total: int) -> list[int]:
        """The groups to propose: all of them, on a crowded table those with the fewest cards."""
        return self._selected(self.groups(total))

    def _selected(self, groups: list[int]) -> list[int]:
        if self.is_complete:
            return groups
        return sorted(groups, key=lambda group: (group.bit_count(), group))[:SELECTION]

    @property
    def is_complete(self) -> bool:
        return len(self.cards) <= self._complete

    def unions(self, total: int) -> list[int]:
        """Unions of disjoint sets worth `total` each, the empty one first, ascending.

        All of them; on a crowded table only the offered groups and one maximal union around each of them.
        """
        if total not in self._unions:
            combine = all_unions if self.is_complete else maximal_unions
            self._unions[total] = sorted({0} | combine(self._selected(self.sets(total))))
        return self._unions[total]

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


def division(cards: Sequence[Card], values: Mapping[Card, int], total: int) -> list[tuple[Card, ...]] | None:
    """All cards in sets worth `total` each, [] for no cards; None when they cannot be divided like that."""
    if sum(values[card] for card in cards) % total:
        return None
    sets = _divided(tuple(sorted((values[card] for card in cards), reverse=True)), total, set())
    if sets is None:
        return None
    rest = list(cards)
    return [tuple(_take(rest, values, value) for value in reversed(chosen)) for chosen in sets]


def _take(cards: list[Card], values: Mapping[Card, int], value: int) -> Card:
    """Removes the first card worth `value`."""
    return cards.pop(next(place for place, card in enumerate(cards) if values[card] == value))


def _divided(falling: tuple[int, ...], total: int, dead_ends: set[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
    """Falling numbers in sets with the sum `total`; equal numbers are never tried twice in the same place."""
    if not falling:
        return []
    if falling in dead_ends:
        return None
    for partners in _choices(falling[1:], total - falling[0]):
        rest = list(falling[1:])
        for number in partners:
            rest.remove(number)
        further = _divided(tuple(rest), total, dead_ends)
        if further is not None:
            return [(falling[0], *partners), *further]
    dead_ends.add(falling)
    return None


def _choices(falling: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    """The different choices of falling numbers with the sum `total`."""
    if total == 0:
        yield ()
    for place, number in enumerate(falling):
        if number <= total and number not in falling[:place]:
            for more in _choices(falling[place + 1 :], total - number):
                yield (number, *more)
