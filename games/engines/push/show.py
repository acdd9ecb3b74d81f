"""Show at the end of a deal of Push: who has gone out, and what the sides pay for the cards in their hands."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.contract import HandEnd, Phrase, Show, Stage, Zone
from games.core.rummy.shows import hands_left, in_words, zones_laid_open
from games.core.shows import last_move, points_for, scores_before, side_phrase
from games.engines.push.moves import SIDES, Discard, End, PushMove
from games.engines.push.scoring import penalty
from games.engines.push.state import PushState


def show_deal(end: HandEnd[PushState, PushMove]) -> Show:
    stages = _dead_deal(end) if isinstance(end.move, End) else _gone_out(end)
    return Show(scores_before(end), tuple(_zones(end)), (last_move(end), *stages))


def _zones(end: HandEnd[PushState, PushMove]) -> Iterator[Zone]:
    """The table with the last discard; the result has the melds with the last cards laid."""
    final = end.before.copy()
    final.hands = hands_left(end)
    if isinstance(end.move, Discard):
        final.upcard = end.move.card
    yield from (zone for zone in zones_laid_open(final) if zone.kind != "meld")
    yield from (zone for zone in end.result.zones if zone.kind == "meld")


def _gone_out(end: HandEnd[PushState, PushMove]) -> Iterator[Stage]:
    yield Stage(Phrase("go", "out"), end.seat, rule="push:out-immediate")
    yield from _side(end, SIDES[1 - end.seat % 2], "push:score-losers-both-hands")
    partner = end.before.seat_after(end.seat, 2)
    cards = hands_left(end)[partner]
    phrase = Phrase("count", f"nothing for {in_words(cards)}, as @{end.seat}'s partner")
    yield Stage(phrase, partner, cards, rule="push:score-winner-side-zero")


def _dead_deal(end: HandEnd[PushState, PushMove]) -> Iterator[Stage]:
    reason = "The stock is too short for a push and no one has gone out, so both sides pay"
    yield Stage(Phrase("", reason), rule="push:score-dead-deal")
    for side in SIDES:
        yield from _side(end, side, "push:score-dead-deal")


def _side(end: HandEnd[PushState, PushMove], side: tuple[int, ...], rule: str) -> Iterator[Stage]:
    """The cards of both partners, and what they cost together."""
    hands = hands_left(end)
    for seat in side:
        if hands[seat]:
            phrase = Phrase("count", f"{penalty(hands[seat])} for {in_words(hands[seat])}")
            yield Stage(phrase, seat, hands[seat], rule="push:score-values")
    costs = end.result.points[side[0]]
    phrase, _ = side_phrase(side, "pay", str(costs))
    yield Stage(phrase, points=points_for(side, costs, end.before.seats), rule=rule)
