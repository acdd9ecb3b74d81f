"""The melds that a hand of any pack can hold, and the most points in them: two copies of cards and jokers included.

One pack without jokers, as in Gin, is answered faster by `games.core.rummy.deadwood`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations

from games.core.cards import RANK_INDEX, SUITS, Card, by_display, face, is_joker
from games.core.rummy.melds import SMALLEST_MELD, Meld, MeldRules, SequenceKind, windows

# Longer melds can be cut into these.
LONGEST_SET, LONGEST_DOUBLED_SET, LONGEST_RUN = 4, 5, 5
MOST_CARDS = 36


@lru_cache(maxsize=1024)
def most_matched(rules: MeldRules, hand: tuple[Card, ...], points: Callable[[Card], int]) -> int:
    """The most points of cards in disjoint melds; sets have cards of different suits.

    Each card in turn is left over or is in a meld with cards that are still there; what remains is solved once.
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


def one_each(_card: Card) -> int:
    """Points that make the most points the most cards."""
    return 1


@lru_cache(maxsize=1024)
def best_melds(rules: MeldRules, hand: tuple[Card, ...], points: Callable[[Card], int] = one_each) -> tuple[Meld, ...]:
    """Disjoint melds with as many points of the hand as possible; of several such choices one with few jokers.

    hand: in display order; no more than the first `MOST_CARDS` are looked at, since all choices are.
    """
    hand = hand[:MOST_CARDS]
    value = {face(card): points(card) for card in hand}
    joker_points = max((points(card) for card in hand if is_joker(card)), default=0)

    @cache
    def best(left: tuple[str, ...], jokers: int) -> tuple[int, tuple[tuple[str, ...], ...]]:
        """Points in which melds, these as natural faces and an X for each joker."""
        if not left:
            return 0, ()
        first, rest = left[0], left[1:]
        found = best(rest, jokers)
        melds = chain(_melds_with(rules.sequence, first, frozenset(rest), jokers), _doubled_sets(rules, first, rest))
        for others, wild in melds:
            matched, more = best(_without(rest, others), jokers - wild)
            matched += value[first] + sum(map(value.__getitem__, others)) + wild * joker_points
            if matched > found[0]:
                found = matched, ((first, *others, *"X" * wild), *more)
        return found

    cards: dict[str, list[Card]] = {}
    for card in by_display(hand)[::-1]:
        cards.setdefault("X" if is_joker(card) else face(card), []).append(card)
    naturals = sorted((face(card) for card in hand if not is_joker(card)), key=_by_rank)
    _, melds = best(tuple(naturals), len(hand) - len(naturals))
    return tuple(rules.likeliest([cards[shown].pop() for shown in meld]) for meld in melds)


def _doubled_sets(rules: MeldRules, first: str, rest: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The sets of this face, where a suit may occur twice, that have no joker."""
    if rules.set_suits == "any":
        same_rank = [shown for shown in rest if shown[0] == first[0]]
        for size in range(SMALLEST_MELD - 1, LONGEST_DOUBLED_SET):
            for others in combinations(same_rank, size):
                yield others, 0


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
