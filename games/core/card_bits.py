"""Bit sets: cards of one 52-card pack as bits of an integer, fast to copy, compare and search.

A card is an int with one bit set, a hand or a meld the union of its cards. Its bit is 4 * rank + suit, so the lowest
bit is the card that is shown first.
"""

from collections.abc import Iterable, Iterator

from games.core.cards import RANKS, SUITS, Card

BIT: dict[Card, int] = {rank + suit: 1 << (4 * r + s) for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
CARD: dict[int, Card] = {bit: card for card, bit in BIT.items()}
ALL_CARDS = (1 << 52) - 1


def mask(cards: Iterable[Card]) -> int:
    """The bits of these cards. :raises KeyError: a card that is not in the pack."""
    hand = 0
    for card in cards:
        hand |= BIT[card]
    return hand


def bits(hand: int) -> Iterator[int]:
    """The cards of a hand, lowest first."""
    while hand:
        bit = hand & -hand
        yield bit
        hand ^= bit


def cards(hand: int) -> tuple[Card, ...]:
    """The cards of a hand as text, in display order."""
    return tuple(CARD[bit] for bit in bits(hand))


def union(hands: Iterable[int]) -> int:
    """The cards of all these hands or melds."""
    cards = 0
    for hand in hands:
        cards |= hand
    return cards
