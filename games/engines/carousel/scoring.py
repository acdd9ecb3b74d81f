"""Scoring of Carousel: what cards and hands count."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card, is_joker
from games.core.contract import Options
from games.core.rummy.hand_melds import most_matched
from games.core.rummy.melds import MeldRules

JOKER_POINTS = 25
COURT_POINTS = 10
FORFEIT_FACTOR = 2


def card_points(card: Card) -> int:
    """What a card in hand counts at a showdown."""
    if is_joker(card):
        return JOKER_POINTS
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0].isdigit() else COURT_POINTS


def deadwood(options: Options, rules: MeldRules, hand: Sequence[Card]) -> int:
    """What a hand counts at a showdown; with `hand_melds` free its best melds count nothing."""
    left = sum(map(card_points, hand))
    return left - most_matched(rules, hand, card_points) if options["hand_melds"] == "free" else left
