"""Show at the end of a hand of rummy: the parts that the games of the family share."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.core.cards import Card
from games.core.contract import HandEnd, Phrase, Stage, Zone
from games.core.rummy.state import RummyState
from games.core.shows import line_points, with_cards
from games.core.words import counted

MOST_NAMED = 12
"""Cards that a sentence names; more are only counted, as the stage lifts them."""


def hands_left(end: HandEnd[Any, Any]) -> list[tuple[Card, ...]]:
    """The cards left in the hands, by seat."""
    left = {zone.id: zone.cards for zone in end.result.zones}
    return [left.get(f"hand:{seat}", ()) for seat in range(end.before.seats)]


def in_words(cards: Sequence[Card]) -> str:
    """Cards of a hand in a sentence: "KC1 4D2", "12 cards"."""
    return " ".join(cards) if len(cards) <= MOST_NAMED else counted(len(cards), "card")


def zones_laid_open(position: RummyState) -> tuple[Zone, ...]:
    """The spectators' zones of a position, with all hands turned up."""
    hands = {f"hand:{seat}": hand for seat, hand in enumerate(position.hands)}
    zones = position.view(None).zones
    return tuple(with_cards(zone, hands[zone.id]) if zone.id in hands else zone for zone in zones)


def out_or_blocked(end: HandEnd[Any, Any], blocked: str) -> Stage:
    """The stage that says why the hand is over. blocked: the sentence for a hand in which nobody goes out."""
    slug = end.before.game.slug
    if hands_left(end)[end.seat]:
        return Stage(Phrase("", blocked), rule=f"{slug}:blocked")
    return Stage(Phrase("go", "out"), end.seat, rule=f"{slug}:going-out")


def hands_counted(end: HandEnd[Any, Any]) -> Iterator[Stage]:
    """What the cards left to each player count, from the left of the player who made the last move."""
    hands = hands_left(end)
    lines = {seat: line for line in end.result.lines for seat in line.seats}
    for seat in end.before.seats_after(end.seat):
        cards = in_words(hands[seat])
        if hands[seat] and seat in lines:
            line = lines[seat]
            points = line_points(line, end.before.seats)
            yield Stage(Phrase("count", f"{line.points} for {cards}"), seat, hands[seat], points=points, rule=line.rule)
        elif hands[seat]:
            yield Stage(Phrase("count", f"nothing for {cards}"), seat, hands[seat])
