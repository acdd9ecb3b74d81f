"""Scoring of Push: what cards left in a hand cost."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.cards import Card
from games.engines.push.moves import WILD

PENALTIES = dict.fromkeys(WILD, 20) | {"A": 15} | dict.fromkeys("KQJT", 10) | dict.fromkeys("3456789", 5)


def penalty(cards: Iterable[Card]) -> int:
    """What cards left in a hand cost."""
    return sum([PENALTIES[card[0]] for card in cards])
