"""Counting: the items of a score sheet, and the tricks that were won."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from games.core.cards import Card
from games.core.contract import Zone, open_zone
from games.core.tricks import beats
from games.engines.piquet.moves import POINT, RANKS, SEQUENCE, SET

CARTE_BLANCHE_POINTS = 10
BONUS_FROM = 30
REPIQUE_POINTS, PIQUE_POINTS = 60, 30
CARDS_POINTS, CAPOT_POINTS = 10, 40
EXTRA_DEALS = 4


class Item(IntEnum):
    """What a score sheet counts, in the order of counting; the bonuses stand where they are won."""

    CARTE_BLANCHE = 0
    POINT = 1
    SEQUENCE = 2
    SET = 3
    REPIQUE = 4
    LEADS = 5
    WINS = 6
    LAST = 7
    PIQUE = 8
    CARDS = 9


ITEM_OF = {POINT: Item.POINT, SEQUENCE: Item.SEQUENCE, SET: Item.SET}
RULE_OF = {
    Item.CARTE_BLANCHE: "carte-blanche",
    Item.POINT: "point-score",
    Item.SEQUENCE: "sequence-score",
    Item.SET: "set-score",
    Item.REPIQUE: "repique",
    Item.LEADS: "play-lead-1",
    Item.WINS: "play-win-1",
    Item.LAST: "play-last",
    Item.PIQUE: "pique",
    Item.CARDS: "cards-10",
}
PLAY_ITEMS = (Item.LEADS, Item.WINS, Item.LAST)

ITEM_TEXTS = {
    Item.CARTE_BLANCHE: "Carte blanche",
    Item.POINT: "Point",
    Item.SEQUENCE: "Sequences",
    Item.SET: "Sets",
    Item.REPIQUE: "Repique: 30 in hand against nothing",
    Item.PIQUE: "Pique: 30 in hand and play against nothing",
    Item.LEADS: "Leads",
    Item.WINS: "Tricks won as second player",
    Item.LAST: "Last trick",
}


def counted_points(points: Sequence[int]) -> dict[str, int]:
    return {item.name.lower(): points[item] for item in Item if points[item]}


def won_cards(played: Sequence[tuple[int, Card]], seat: int) -> tuple[Card, ...]:
    """The cards of the tricks that a seat has won, in order."""
    found: list[Card] = []
    for (leader, led), (answerer, answer) in zip(played[::2], played[1::2], strict=False):
        if (answerer if beats(answer, led, RANKS) else leader) == seat:
            found += (led, answer)
    return tuple(found)


def won_zone(seat: int, cards: Sequence[Card], tricks: int) -> Zone:
    note = "1 trick" if tricks == 1 else f"{tricks} tricks"
    return open_zone(f"tricks:{seat}", "pile", f"Tricks of @{seat}", cards, owner=seat, note=note)
