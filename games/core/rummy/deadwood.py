"""Melds, deadwood and lay-offs of one 52-card pack, with cards as the bits of `games.core.card_bits`.

Sets are three or four cards of a rank, runs three or more of a suit in sequence, the ace low. Deadwood is the points
of the cards outside the chosen melds: ace 1, court cards and tens 10, others their index.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from games.core.card_bits import ALL_CARDS, bits, union
from games.core.cards import RANKS, SUITS

_LOWEST_OF_RANK = sum(1 << (4 * rank) for rank in range(len(RANKS)))

# The binary digits of the card points: the cards whose points have a 1, a 2, a 4 and an 8 in them.
_ONES, _TWOS, _FOURS, _EIGHTS = (
    sum(0b1111 << (4 * rank) for rank in range(len(RANKS)) if min(rank + 1, 10) & digit) for digit in (1, 2, 4, 8)
)


def points(hand: int) -> int:
    """The card points of all cards of a hand."""
    return (
        (hand & _ONES).bit_count()
        + 2 * (hand & _TWOS).bit_count()
        + 4 * (hand & _FOURS).bit_count()
        + 8 * (hand & _EIGHTS).bit_count()
    )


SETS = frozenset(
    sum(1 << (4 * rank + suit) for suit in suits)
    for rank in range(len(RANKS))
    for size in (3, 4)
    for suits in combinations(range(len(SUITS)), size)
)
RUNS = frozenset(
    sum(1 << (4 * rank + suit) for rank in range(low, high))
    for suit in range(len(SUITS))
    for low in range(len(RANKS))
    for high in range(low + 3, len(RANKS) + 1)
)
MELDS = SETS | RUNS


def _run_starts(hand: int) -> int:
    """The cards of a hand whose next two in suit are there too."""
    return hand & hand >> 4 & hand >> 8


def _set_marks(hand: int) -> int:
    """One bit for each rank of which a hand holds three or four."""
    next_suit = hand >> 1
    both, either = hand & next_suit, hand | next_suit
    return (both & either >> 2 | both >> 2 & either) & _LOWEST_OF_RANK


def completing(hand: int) -> int:
    """The cards that a hand lacks and that would be in a meld with two of its cards."""
    up, down = hand << 4, hand >> 4
    by_suit = [hand >> suit & _LOWEST_OF_RANK for suit in range(len(SUITS))]
    low, high = by_suit[0] | by_suit[1], by_suit[2] | by_suit[3]
    pairs = by_suit[0] & by_suit[1] | by_suit[2] & by_suit[3] | low & high
    return (up & down | up & hand << 8 | down & hand >> 8 | pairs * 0b1111) & ALL_CARDS & ~hand


def may_fit(hand: int, limit: int) -> bool:
    """Whether a hand may come down to `limit` (10 or less) by a discard; only False is certain. Fast.

    Fewer than five of eleven cards in melds are never enough: six cards without a meld count 12 at least, as in
    A A 2 2 3 3. Five need two triples, counted as sets and as places where a run of three begins.
    """
    # `_run_starts` and `_set_marks` written out, because every discard of every playout asks this.
    starts = hand & hand >> 4 & hand >> 8
    next_suit = hand >> 1
    both, either = hand & next_suit, hand | next_suit
    marks = (both & either >> 2 | both >> 2 & either) & _LOWEST_OF_RANK
    if starts.bit_count() + marks.bit_count() < 2 and hand.bit_count() > 10:
        return False
    loose = hand & ~(starts | starts << 4 | starts << 8 | marks * 0b1111)
    return points(loose) - 10 <= limit


@lru_cache(maxsize=1 << 16)
def melds_in(hand: int) -> tuple[int, ...]:
    """Every meld that a hand holds, shorter parts of a long one included."""
    found = []
    for mark in bits(_set_marks(hand)):
        held = hand & mark * 0b1111
        found.append(held)
        if held.bit_count() == 4:
            found.extend(held ^ bit for bit in bits(held))
    for start in bits(_run_starts(hand)):
        run = start | start << 4
        end = start << 8
        while hand & end:
            run |= end
            found.append(run)
            end <<= 4
    return tuple(found)


def _most_melded(melds: tuple[int, ...]) -> int:
    """The cards of the disjoint melds out of these that hold the most points."""
    best = most = 0
    for index, meld in enumerate(melds):
        rest = tuple([other for other in melds[index + 1 :] if not other & meld])
        cards_melded = meld | _most_melded(rest) if rest else meld
        if points(cards_melded) > most:
            best, most = cards_melded, points(cards_melded)
    return best


@lru_cache(maxsize=1 << 17)
def loose_cards(hand: int) -> int:
    """The cards that a grouping with the least deadwood leaves outside its melds."""
    starts, marks = _run_starts(hand), _set_marks(hand)
    in_runs, in_sets = starts | starts << 4 | starts << 8, hand & marks * 0b1111
    if not in_runs & in_sets:  # every run and every set in full
        return hand ^ in_runs ^ in_sets
    return hand ^ _most_melded(melds_in(hand))


@lru_cache(maxsize=1 << 17)
def best_deadwood(hand: int) -> int:
    """The smallest deadwood of a hand over all choices of disjoint melds."""
    return points(loose_cards(hand))


def groupings(hand: int) -> list[tuple[int, ...]]:
    """Every choice of disjoint melds in a hand, () among them; the melds of each by their lowest card."""

    def extend(chosen: tuple[int, ...], melds: list[int]) -> None:
        found.append(chosen)
        for index, meld in enumerate(melds):
            extend((*chosen, meld), [other for other in melds[index + 1 :] if not other & meld])

    found: list[tuple[int, ...]] = []
    extend((), sorted(melds_in(hand), key=by_lowest))
    return found


def by_lowest(meld: int) -> tuple[int, int]:
    """Sorts disjoint melds as they lie on the table, by their lowest cards."""
    return meld & -meld, meld


def best_grouping(hand: int) -> tuple[int, ...]:
    """The choice of melds with the least deadwood; of equal ones the one with the fewest cards in melds."""
    return min(groupings(hand), key=lambda melds: (points(hand & ~union(melds)), union(melds).bit_count(), melds))


def additions(meld: int, loose: int) -> int:
    """The cards out of `loose` that can be laid off on a meld, one after another."""
    if meld in SETS:
        return loose & (_set_marks(meld) * 0b1111) & ~meld
    added = 0
    lower, upper = (meld & -meld) >> 4, 1 << (meld.bit_length() - 1 + 4)
    while lower & loose:
        added |= lower
        lower >>= 4
    while upper & loose:
        added |= upper
        upper <<= 4
    return added


class Defence(NamedTuple):
    """A hand laid open against a knock. layoffs: for each meld of the knocker, the cards added to it."""

    melds: tuple[int, ...]
    layoffs: tuple[int, ...]
    deadwood: int


def lay_off(loose: int, melds: Iterable[int]) -> tuple[int, ...]:
    """Cards for each meld so that as many points as possible go: every card that fits, to runs before sets.

    A card that fits both goes to the run, where it may make room for another; a set takes one card at most.
    """
    melds = tuple(melds)
    layoffs = {}
    for meld in sorted(melds, key=SETS.__contains__):
        layoffs[meld] = additions(meld, loose)
        loose &= ~layoffs[meld]
    return tuple(layoffs[meld] for meld in melds)


def best_defence(hand: int, melds: Iterable[int]) -> Defence:
    """The grouping and lay-offs that leave a defender the least deadwood.

    melds: the knocker's melds that take lay-offs, () after gin. Of equal defences the first with the most
    cards in melds of its own.
    """
    melds = tuple(melds)
    best = Defence((), (), points(hand) + 1)
    for own in sorted(groupings(hand), key=lambda own: -union(own).bit_count()):
        loose = hand & ~union(own)
        layoffs = lay_off(loose, melds)
        deadwood = points(loose & ~union(layoffs))
        if deadwood < best.deadwood:
            best = Defence(own, layoffs, deadwood)
    return best


def all_layoffs(loose: int, melds: Iterable[int]) -> list[tuple[int, ...]]:
    """Every way to lay off cards out of `loose`: for each meld the cards added to it, also none at all."""
    ways: list[tuple[int, ...]] = [()]
    for meld in melds:
        ways = [(*way, added) for way in ways for added in _additions_to(meld, loose & ~union(way))]
    return ways


def _additions_to(meld: int, loose: int) -> list[int]:
    """Every set of cards that can be added to one meld, 0 among them."""
    return [part for part in _subsets(additions(meld, loose)) if meld | part in MELDS]


def _subsets(hand: int) -> Iterator[int]:
    part = hand
    while part:
        yield part
        part = (part - 1) & hand
    yield 0
