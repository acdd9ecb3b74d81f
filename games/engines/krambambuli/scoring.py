"""Scoring of Krambambuli: what cards left in a hand count."""

from __future__ import annotations

from games.core.cards import Card

COURT_POINTS = 10


def card_points(card: Card) -> int:
    """What a card left in hand counts against its holder."""
    return int(card[0]) if card[0].isdigit() else COURT_POINTS
