"""Scoring of Krambambuli: what cards left in a hand count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core.cards import Card
from games.core.contract import ScoreLine

COURT_POINTS = 10


def card_points(card: Card) -> int:
    """What a card left in hand counts against its holder."""
    return int(card[0]) if card[0].isdigit() else COURT_POINTS


def hand_points(hand: Sequence[Card]) -> int:
    return sum(map(card_points, hand))


def score_lines(hands: Sequence[Sequence[Card]]) -> Iterator[ScoreLine]:
    """What the cards left in each hand count, which in a hand without cards is nothing."""
    for seat, hand in enumerate(hands):
        if hand:
            text = f"Left in hand: {' '.join(hand)}"
            yield ScoreLine((seat,), "krambambuli:card-count", text, hand_points(hand))


def summary(out: int | None) -> str:
    """A hand in a sentence. out: the seat that has no cards left, None if the stock is used up."""
    return "The stock is empty and all hands count." if out is None else f"@{out} [go] out."
