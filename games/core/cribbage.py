"""Cribbage counting: hands, cribs, lines of a board, the count aloud, and the cards of a count in the play.

Cards are the bits of `games.core.card_bits`. What depends on ranks alone is counted once for every set of ranks
and remembered: five cards have 6,188 of them. Ace 1, court cards and tens 10, others their index; the ace is low only.
Source: the common rules of Cribbage, which Partnership and Tabletop Cribbage share.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, groupby, pairwise, product
from typing import NamedTuple

from games.core.card_bits import BIT, bits, mask, union
from games.core.cards import RANKS, SUITS

SIDES = 2  # two players, or two partnerships with partners opposite
MOST = 31
FIFTEEN = 15

VALUES = tuple(min(rank + 1, 10) for rank in range(len(RANKS)))
VALUE = {bit: VALUES[RANKS.index(card[0])] for card, bit in BIT.items()}

# The cards that may still be played at each count from 0 to 31.
FITS = tuple(sum(bit for bit, value in VALUE.items() if count + value <= MOST) for count in range(MOST + 1))

# All cards of each suit; that of a card is number `card.bit_length() - 1 & 3`.
_SUITS = tuple(mask(rank + suit for rank in RANKS) for suit in SUITS)
_JACKS = mask("J" + suit for suit in SUITS)
_ONES = sum(1 << 4 * rank for rank in range(len(RANKS)))
_EVERY_OTHER, _LOWER_TWO = 0b0101 * _ONES, 0b0011 * _ONES  # bits of the four of each rank


# Hands and lines


class Count(NamedTuple):
    """Points of cards, by kind."""

    fifteens: int
    pairs: int
    runs: int
    flush: int = 0
    nobs: int = 0

    @property
    def total(self) -> int:
        return self.fifteens + self.pairs + self.runs + self.flush + self.nobs


def show(hand: int, starter: int, *, is_crib: bool = False, four_flush: bool = True) -> Count:
    """A hand or crib of up to four cards with the starter; `four_flush` is whether four of a suit in a hand count."""
    cards = hand | starter
    flush = 0
    if hand.bit_count() == 4 and _is_of_one_suit(hand):
        flush = 5 if _is_of_one_suit(cards) else 4 if four_flush and not is_crib else 0
    fifteens, pairs, runs = _by_ranks(rank_counts(cards))
    return Count(fifteens, pairs, runs, flush, nobs(hand, starter))


def line(cards: int) -> Count:
    """Up to five cards that are only counted, such as a line of a board: a flush needs five, nobs do not count."""
    flush = 5 if cards.bit_count() == 5 and _is_of_one_suit(cards) else 0
    return Count(*_by_ranks(rank_counts(cards)), flush)


def rank_points(counts: int) -> int:
    """Points for fifteens, pairs and runs of cards of which only the ranks are known (`rank_counts`)."""
    return sum(_by_ranks(counts))


def nobs(cards: int, starter: int) -> int:
    """1 if the jack of the starter's suit is among the cards."""
    return 1 if cards & _JACKS & _SUITS[starter.bit_length() - 1 & 3] else 0


def _is_of_one_suit(cards: int) -> bool:
    return not cards & ~_SUITS[cards.bit_length() - 1 & 3]


def rank_counts(cards: int) -> int:
    """Count of each rank, four bits a rank, the aces lowest."""
    twos = (cards & _EVERY_OTHER) + (cards >> 1 & _EVERY_OTHER)
    return (twos & _LOWER_TWO) + (twos >> 2 & _LOWER_TWO)


@cache
def _by_ranks(counts: int) -> tuple[int, int, int]:
    """Points for fifteens, pairs and runs."""
    ranks = [counts >> 4 * rank & 15 for rank in range(len(RANKS))]
    pairs = sum(number * (number - 1) for number in ranks)
    return 2 * _fifteens(ranks), pairs, sum(_runs(ranks))


def _fifteens(ranks: list[int]) -> int:
    """Number of sets of cards that make fifteen."""
    ways = [1] + [0] * FIFTEEN
    for value, number in zip(VALUES, ranks, strict=True):
        for _card in range(number):
            for total in range(FIFTEEN, value - 1, -1):
                ways[total] += ways[total - value]
    return ways[FIFTEEN]


def _runs(ranks: list[int]) -> Iterator[int]:
    """The points of each stretch of three or more ranks: its length for every way to pick one card a rank."""
    length, ways = 0, 1
    for number in (*ranks, 0):
        if number:
            length, ways = length + 1, ways * number
        else:
            if length >= 3:
                yield length * ways
            length, ways = 0, 1


# The count aloud

OF_A_RANK = {2: "a pair", 6: "three of a rank", 12: "four of a rank"}
"""Cards of one rank in words, by their points."""
NUMBERS = (
    "nothing one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven"
    " twenty-eight twenty-nine"
).split()


class Combination(NamedTuple):
    """Cards that score together. kind: the field of `Count` to which their points belong."""

    kind: str
    cards: int
    points: int


def combinations_of(count: Count, cards: int, hand: int, starter: int) -> Iterator[Combination]:
    """The combinations that a count is made of, in the order in which they are counted aloud.

    cards: all that are counted together. hand: those without the starter.
    """
    by_rank = [cards & 0b1111 << 4 * rank for rank in range(len(RANKS))]
    yield from (Combination("fifteens", found, 2) for found in _fifteen_cards(cards))
    for same in by_rank:
        if (number := same.bit_count()) > 1:
            yield Combination("pairs", same, number * (number - 1))
    for stretch in _stretches(by_rank):
        yield from (Combination("runs", union(run), len(run)) for run in product(*map(bits, stretch)))
    if count.flush:
        yield Combination("flush", cards if count.flush == cards.bit_count() else hand, count.flush)
    if count.nobs:
        jack = next(card for card in bits(hand) if nobs(card, starter))
        yield Combination("nobs", jack | starter, count.nobs)


def _fifteen_cards(cards: int) -> Iterator[int]:
    for number in range(2, cards.bit_count() + 1):
        for chosen in combinations(bits(cards), number):
            if sum(VALUE[card] for card in chosen) == FIFTEEN:
                yield union(chosen)


def _stretches(by_rank: list[int]) -> Iterator[list[int]]:
    """The cards of three or more ranks that follow one another, rank by rank."""
    gaps = [-1, *(rank for rank, same in enumerate(by_rank) if not same), len(by_rank)]
    return (by_rank[low + 1 : high] for low, high in pairwise(gaps) if high - low > 3)


def spoken(steps: Iterable[Sequence[Combination]]) -> Iterator[str]:
    """The count aloud, step by step: "fifteen two", "a run of three makes five", "two pairs make nine".

    steps: combinations of the same kind and worth, which are said together.
    """
    total = 0
    for step in steps:
        kind, _cards, points = step[0]
        total += points * len(step)
        if kind == "fifteens":
            yield f"fifteen {NUMBERS[total]}"
        elif kind == "nobs" and total == points:
            yield "one for his nob"
        else:
            yield f"{_spoken_kind(kind, points, len(step))} {NUMBERS[total]}"


def _spoken_kind(kind: str, points: int, number: int) -> str:
    one = {"flush": "a flush", "nobs": "one for his nob", "runs": f"a run of {NUMBERS[points]}"}
    if number == 1:
        return f"{OF_A_RANK[points] if kind == 'pairs' else one[kind]} makes"
    return f"{NUMBERS[number]} {'pairs' if kind == 'pairs' else f'runs of {NUMBERS[points]}'} make"


def said_together(found: Iterable[Combination]) -> Iterator[list[Combination]]:
    """Steps of the count in which all combinations of the same kind and worth are joined."""
    return (list(step) for _key, step in groupby(found, key=lambda one: (one.kind, one.points)))


# The cards of a count


class Pegged(NamedTuple):
    """The count reached by a card of the play, and what this card pegs."""

    reached: int
    points: int
    fifteen: int = 0
    pair: int = 0
    run: int = 0
    thirty_one: int = 0


def after(trail: int, card: int) -> int:
    """A trail with one more card: the ranks played in this count, four bits each from 1, the last one lowest."""
    return trail << 4 | card.bit_length() + 3 >> 2


@lru_cache(maxsize=1 << 16)
def pegged(trail: int) -> Pegged:
    """The count of a trail and what its last card pegs."""
    before, rank = trail >> 4, trail & 15
    reached = VALUES[rank - 1] + (pegged(before).reached if before else 0)
    same = 1
    while before >> 4 * (same - 1) & 15 == rank:
        same += 1
    fifteen, thirty_one = 2 * (reached == FIFTEEN), 2 * (reached == MOST)
    pair, run = same * (same - 1), 0 if same > 1 else _last_run(trail)
    return Pegged(reached, fifteen + pair + run + thirty_one, fifteen, pair, run, thirty_one)


def _last_run(trail: int) -> int:
    """The length of the longest run that ends with the last card, 0 if there is none."""
    longest, length, ranks = 0, 0, 0
    while trail and not ranks >> (trail & 15) & 1:
        ranks |= 1 << (trail & 15)
        length, trail = length + 1, trail >> 4
        if not ranks & ranks + (ranks & -ranks):  # adding the lowest bit clears bits that have no gap
            longest = length
    return longest if longest >= 3 else 0
