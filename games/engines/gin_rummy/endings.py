"""Knocks, big gins and showdowns of Gin Rummy: every legal one of a hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from games.core.card_bits import CARD, bits, cards, union
from games.core.rummy.deadwood import all_layoffs, groupings, points
from games.engines.gin_rummy.moves import MOST_CARD_POINTS, BigGin, GinRummyMove, Knock, Meld, Showdown


@cache
def _meld_cards(meld: int) -> Meld:
    return cards(meld)


@lru_cache(maxsize=4096)
def knocks(hand: int, kept: int, limit: int) -> tuple[GinRummyMove, ...]:
    """Every knock of eleven cards within the limit: the least deadwood first, then by discard.

    kept: the upcard just taken, which cannot be the discard; 0 if there is none.
    """
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for melds in groupings(hand):
        loose = hand & ~union(melds)
        total = points(loose)
        if total - MOST_CARD_POINTS <= limit:
            lefts = [(total - points(bit), bit) for bit in bits(loose & ~kept)]
            found.extend((left, bit, melds) for left, bit in lefts if left <= limit)
    return tuple(Knock(CARD[bit], tuple(map(_meld_cards, melds))) for _left, bit, melds in sorted(found))


@lru_cache(maxsize=1024)
def big_gins(hand: int) -> tuple[GinRummyMove, ...]:
    return tuple(BigGin(tuple(map(_meld_cards, melds))) for melds in groupings(hand) if union(melds) == hand)


@lru_cache(maxsize=256)
def showdowns(hand: int, open_melds: tuple[int, ...]) -> tuple[GinRummyMove, ...]:
    """Every grouping of the defender with every way to lay off, the least deadwood first."""
    found = []
    for melds in groupings(hand):
        loose = hand & ~union(melds)
        for layoffs in all_layoffs(loose, open_melds):
            found.append((points(loose & ~union(layoffs)), -union(melds).bit_count(), melds, layoffs))
    return tuple(_showdown(melds, layoffs) for _left, _count, melds, layoffs in sorted(found))


def _showdown(melds: Iterable[int], layoffs: Iterable[int]) -> Showdown:
    added = {bit: meld for meld, layoff in enumerate(layoffs, start=1) for bit in bits(layoff)}
    return Showdown(tuple(map(_meld_cards, melds)), tuple((CARD[bit], added[bit]) for bit in sorted(added)))
