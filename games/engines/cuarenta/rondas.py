"""Rondas and fours of Cuarenta: what a hand holds when it is dealt."""

from collections.abc import Iterable

from games.core.cards import Card
from games.engines.cuarenta.moves import HAND_SIZE, PACK, RONDA_CARDS


def deals_of_a_hand(seats: int) -> int:
    return len(PACK) // (HAND_SIZE * seats)


def has_four(hand: Iterable[Card]) -> bool:
    return any(len(cards) == 4 for cards in groups_of(hand, "rank").values())


def ronda_in(hand: Iterable[Card], kind: str) -> tuple[Card, ...]:
    """All cards of the suit or rank, as `kind` says, of which the hand holds three or more; () without one."""
    return next((tuple(cards) for cards in groups_of(hand, kind).values() if len(cards) >= RONDA_CARDS), ())


def groups_of(cards: Iterable[Card], kind: str) -> dict[str, list[Card]]:
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(card[kind == "suit"], []).append(card)
    return groups
