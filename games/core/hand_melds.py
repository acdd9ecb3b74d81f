"""The most points that a hand of any pack can hold in melds: two copies of cards and jokers included.

One pack without jokers, as in Gin, is answered faster by `games.core.deadwood`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from games.core.cards import RANK_INDEX, SUITS, Card, face, is_joker
from games.core.melds import SMALLEST_MELD, MeldRules, SequenceKind, windows

# Longer melds can be cut into these.
LONGEST_SET, LONGEST_RUN = 4, 5


@lru_cache(maxsize=1024)
def most_matched(rules: MeldRules, hand: tuple[Card, ...], points: Callable[[Card], int]) -> int:
    """The most points of cards in disjoint melds; sets have cards of different suits.

    Each card in turn is left over or lies in a meld with cards that are still there; what remains is solved once.
    """
    value = {face(card): points(card) for card in hand}
    joker_points = max((points(card) for card in hand if is_joker(card)), default=0)

    @cache
    def most(left: tuple[str, ...], jokers: int) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        best = most(rest, jokers)
        for others, wild in _melds_with(rules.sequence, first, frozenset(rest), jokers):
            matched = value[first] + sum(map(value.__getitem__, others)) + wild * joker_points
            best = max(best, matched + most(_without(rest, others), jokers - wild))
        return best

    naturals = sorted((face(card) for card in hand if not is_joker(card)), key=_by_rank)
    return most(tuple(naturals), len(hand) - len(naturals))


def _by_rank(shown: str) -> tuple[int, str]:
    return RANK_INDEX[shown[0]], shown[1]


def _without(left: tuple[str, ...], used: Sequence[str]) -> tuple[str, ...]:
    rest = list(left)
    for shown in used:
        rest.remove(shown)
    return tuple(rest)


def _melds_with(
    sequence: SequenceKind, first: str, there: frozenset[str], jokers: int
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every meld of this face: the natural cards beside it, all out of `there`, and the number of jokers."""
    for pattern in _patterns_with(sequence, first):
        naturals = [shown for shown in pattern if shown in there]
        for wild in range(len(pattern) - len(naturals), min(jokers, len(pattern)) + 1):
            for beside in combinations(naturals, len(pattern) - wild):
                yield beside, wild


@cache
def _patterns_with(sequence: SequenceKind, first: str) -> tuple[tuple[str, ...], ...]:
    """The other faces of every set and every short run with this one."""
    same_rank = [first[0] + suit for suit in SUITS if suit != first[1]]
    sets = [others for size in range(SMALLEST_MELD - 1, LONGEST_SET) for others in combinations(same_rank, size)]
    orders = [ranks for length in range(SMALLEST_MELD, LONGEST_RUN + 1) for ranks in windows(sequence, length)]
    runs = [tuple(rank + first[1] for rank in ranks if rank != first[0]) for ranks in orders if first[0] in ranks]
    return (*sets, *runs)
