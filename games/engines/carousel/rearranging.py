"""Free manipulation in Carousel: one play a turn, as in Vatican."""

from __future__ import annotations

from games.core.cards import Card
from games.core.contract import Options
from games.core.rummy.melds import MeldRules
from games.core.rummy.rearranging import Play, Situation, suggestions
from games.engines.carousel.steps import Table
from games.engines.vatican import VATICAN

FREE_OPTIONS = VATICAN.read_options({"opening_run": False, "sequence": "low"}, min(VATICAN.seats))


def free_options(rules: MeldRules) -> Options:
    """The options with which Vatican's plays are those of this table."""
    return {**FREE_OPTIONS, "sequence": rules.sequence}


def rearrangements(rules: MeldRules, table: Table, hand: tuple[Card, ...]) -> tuple[Play, ...]:
    house = VATICAN.house_rules(free_options(rules))
    return suggestions(Situation(house, tuple(table.items()), hand, has_opened=True)).plays
