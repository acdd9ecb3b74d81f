"""Rondas and fours of Cuarenta: what the five cards hold that are dealt to a seat."""

from collections.abc import Iterable

from games.core.cards import Card
from games.engines.cuarenta.moves import RONDA_CARDS


def four_in(hand: Iterable[Card]) -> tuple[Card, ...]:
    """The four cards of one rank that the hand holds; () without them."""
    return next((tuple(cards) for cards in groups_of(hand, "rank").values() if len(cards) == 4), ())


def ronda_in(hand: Iterable[Card], kind: str) -> tuple[Card, ...]:
    """All cards of the suit or rank, as `kind` says, of which the hand holds three or more; () without one."""
    return next((tuple(cards) for cards in groups_of(hand, kind).values() if len(cards) >= RONDA_CARDS), ())


def groups_of(cards: Iterable[Card], kind: str) -> dict[str, list[Card]]:
    """The cards by suit or by rank, as `kind` says."""
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(card[kind == "suit"], []).append(card)
    return groups
