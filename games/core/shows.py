"""Show at the end of a hand: the table as it lay, and the count step by step. Parts that games share.

A show is made of the move that ended the hand, so neither a state nor a record stores it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from games.core.cards import Card
from games.core.contract import HandEnd, Move, Phrase, ScoreLine, Show, Stage, State, Zone, open_zone
from games.core.words import players_in_words, within_sentence


def end_of_hand(before: State, seat: int, move: Move) -> HandEnd[Any, Any]:
    """The end of the hand that this move ends. before: the position, which does not change."""
    after = before.copy()
    after.play(seat, move)
    return HandEnd(before, seat, move, after)


def plain_show(end: HandEnd[Any, Any]) -> Show:
    """A show without knowledge of the game: the last move, then each line of the score sheet."""
    return Show(scores_before(end), zones_before(end), (last_move(end), *line_stages(end)))


def scores_before(end: HandEnd[Any, Any]) -> tuple[int, ...]:
    """The scores before the hand, by seat."""
    scores = end.after.view(None).scores
    return tuple(score - points for score, points in zip(scores, end.result.points, strict=True))


def zones_before(end: HandEnd[Any, Any]) -> tuple[Zone, ...]:
    """The spectators' zones before the last move, with its cards face up in the hand that they come from."""
    zones = end.before.view(None).zones
    seen = {card for zone in zones for card in zone.cards}
    played = [card for card in moved_cards(end) if card not in seen]
    return tuple(turned_up(zone, played) if zone.id == f"hand:{end.seat}" else zone for zone in zones)


def without_cards(zone: Zone, cards: Collection[Card]) -> Zone:
    """The zone without these cards, as far as their faces are seen in it."""
    kept = tuple(card for card in zone.cards if card not in cards)
    return replace(zone, cards=kept, count=zone.count - len(zone.cards) + len(kept))


def with_cards(zone: Zone, cards: Iterable[Card], *, note: str = "") -> Zone:
    """The zone with these cards in place of its own, all face up."""
    return open_zone(zone.id, zone.kind, zone.label, cards, owner=zone.owner, note=note)


def piles_spread(zones: Iterable[Zone], opened: Iterable[Zone]) -> tuple[Zone, ...]:
    """The zones with the piles that are laid open after the hand spread in rows, so that all cards are seen.

    opened: these piles. A card of them that still lies in another zone stays there.
    """
    zones, faces = tuple(zones), {zone.id: zone.cards for zone in opened}
    lying = {card for zone in zones if zone.id not in faces for card in zone.cards}
    rows = {id: tuple(card for card in cards if card not in lying) for id, cards in faces.items()}
    return tuple(
        replace(zone, kind="row", cards=rows[zone.id], count=len(rows[zone.id])) if zone.id in rows else zone
        for zone in zones
    )


def zones_after(show: Show) -> tuple[Zone, ...]:
    """The zones of a show once its stages have moved their cards."""
    zones = show.zones
    for stage in show.stages:
        if stage.to:
            zones = tuple(_after_move(zone, stage) for zone in zones)
    return zones


def _after_move(zone: Zone, stage: Stage) -> Zone:
    left = without_cards(zone, stage.cards)
    if zone.id != stage.to:
        return left
    return replace(left, cards=(*left.cards, *stage.cards), count=left.count + len(stage.cards))


def turned_up(zone: Zone, cards: Sequence[Card]) -> Zone:
    """The zone with some of its hidden cards turned up."""
    return replace(zone, cards=(*zone.cards, *cards))


def moved_cards(end: HandEnd[Any, Any]) -> tuple[Card, ...]:
    """The cards that the last move touches."""
    touches = end.before.view(end.seat).choice(end.move).touches
    pack = set(end.before.cards())
    return tuple(touch for touch in touches if touch in pack)


def last_move(end: HandEnd[Any, Any]) -> Stage:
    """The stage of the move that ended the hand."""
    return Stage(end.before.view(end.seat).choice(end.move).phrase, end.seat, moved_cards(end))


def line_stages(end: HandEnd[Any, Any]) -> Iterator[Stage]:
    """A stage for each line of the score sheet of the hand."""
    seats = end.before.seats
    return (Stage(Phrase("", line.text), points=line_points(line, seats), rule=line.rule) for line in end.result.lines)


def scoring_stage(line: ScoreLine, seats: int, cards: Sequence[Card], *, what: str = "") -> Stage:
    """The stage of a line that scores: "Ada scores 2 for TD". what: for what, the text of the line if not given."""
    phrase, seat = side_phrase(line.seats, "score", f"{line.points} for {what or within_sentence(line.text)}")
    return Stage(phrase, seat, tuple(cards), points=line_points(line, seats), rule=line.rule)


def side_phrase(side: Sequence[int], verb: str, rest: str) -> tuple[Phrase, int | None]:
    """What the seats of a side do, with the seat: "Ada scores 2"; None for partners: "Ada and Cleo score 2"."""
    if len(side) == 1:
        return Phrase(verb, rest), side[0]
    return Phrase("", f"{players_in_words(side)} [{verb}] {rest}"), None


def short_rule(line: ScoreLine) -> str:
    """The id of the line's rule without the game."""
    return line.rule.partition(":")[2]


def line_points(line: ScoreLine, seats: int) -> tuple[int, ...]:
    """The points of a line, by seat."""
    return points_for(line.seats, line.points, seats)


def points_for(scorers: Collection[int], points: int, seats: int) -> tuple[int, ...]:
    """Points by seat, where only these seats score."""
    return tuple(points if seat in scorers else 0 for seat in range(seats))


def total_points(stages: Iterable[Stage], scores: Sequence[int]) -> list[tuple[int, ...]]:
    """The scores after each stage. scores: before the first one."""
    totals, standing = [], tuple(scores)
    for stage in stages:
        standing = tuple(map(sum, zip(standing, stage.points or (0,) * len(standing), strict=True)))
        totals.append(standing)
    return totals
