"""The show at the end of a hand of Gin Rummy: melds, lay-offs, deadwood, and what they score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Self

from games.core.card_bits import cards, mask
from games.core.cards import Card
from games.core.contract import HandEnd, Phrase, Show, Stage, Zone
from games.core.moves import Discard
from games.core.rummy.deadwood import points
from games.core.shows import last_move, line_points, with_cards
from games.core.words import counted
from games.engines.gin_rummy.moves import SEATS, BigGin, GinRummyMove, Knock, Meld, Showdown
from games.engines.gin_rummy.state import GinRummyState
from games.engines.gin_rummy.view import deadwood_zone, meld_zone


def show_hand(end: HandEnd[GinRummyState, GinRummyMove]) -> Show:
    if isinstance(end.move, Discard):
        zones, stages = _dead_zones(end, end.move), _dead_stages(end)
    else:
        hands = OpenHands.after(end)
        zones, stages = _zones(end, hands), _stages(end, hands)
    return Show(end.before.view(None).scores, tuple(zones), (*stages, *_end_of_game(end)))


class OpenHands(NamedTuple):
    """Both hands after a knock. melds, deadwood: by seat. layoffs: for each meld of the knocker, the cards added."""

    knocker: int
    knock: Knock | BigGin
    melds: dict[int, Sequence[Meld]]
    layoffs: Sequence[tuple[Card, ...]]
    deadwood: dict[int, tuple[Card, ...]]

    @classmethod
    def after(cls, end: HandEnd[GinRummyState, GinRummyMove]) -> Self:
        """Reads the hands from what the result lays open."""
        is_answer = isinstance(end.move, Showdown)
        knocker = end.before.knocker if is_answer else end.seat
        knock = end.before.knock if is_answer else end.move
        assert isinstance(knock, Knock | BigGin), "a hand that is not dead ends with a knock"
        opened = [zone for zone in end.result.zones if zone.kind == "meld"]
        theirs = [zone.cards for zone in opened if zone.owner != knocker]
        layoffs = [
            tuple(card for card in zone.cards if card not in meld)
            for zone, meld in zip(opened, knock.melds, strict=False)
        ]
        loose = {zone.id: zone.cards for zone in end.result.zones}
        deadwood = {seat: loose.get(f"hand:{seat}", ()) for seat in range(SEATS)}
        return cls(knocker, knock, {knocker: knock.melds, 1 - knocker: theirs}, layoffs, deadwood)

    @property
    def defender(self) -> int:
        return 1 - self.knocker

    def deadwood_points(self, seat: int) -> int:
        return points(mask(self.deadwood[seat]))

    def zone_number(self, seat: int, meld: int) -> int:
        """The number of the zone of a seat's meld: the knocker's come first."""
        return meld + 1 if seat == self.knocker else len(self.melds[self.knocker]) + meld + 1


# After a knock


def _zones(end: HandEnd[GinRummyState, GinRummyMove], hands: OpenHands) -> Iterator[Zone]:
    """The knocker's melds lie open; the defender's hand is turned up, with room for its melds."""
    zones = {zone.id: zone for zone in end.before.view(None).zones}
    for seat in range(SEATS):
        if seat == hands.knocker:
            yield deadwood_zone(seat, hands.deadwood[seat])
        else:
            yield with_cards(zones[f"hand:{seat}"], cards(end.before.hands[seat]))
    for seat in (hands.knocker, hands.defender):
        for meld, found in enumerate(hands.melds[seat]):
            lying = mask(found) if seat == hands.knocker else 0
            yield meld_zone(hands.zone_number(seat, meld), f"@{seat}'s meld {meld + 1}", lying, seat)
    yield zones["stock"]
    yield _with_discard(zones["discards"], hands.knock.card) if isinstance(hands.knock, Knock) else zones["discards"]


def _with_discard(discards: Zone, card: Card) -> Zone:
    """The discard pile with one more card; in a row the others can still be looked at."""
    covered = discards.cards if discards.kind == "row" else ()
    return replace(discards, cards=(*covered, card), count=discards.count + 1)


def _stages(end: HandEnd[GinRummyState, GinRummyMove], hands: OpenHands) -> Iterator[Stage]:
    knocker, defender = hands.knocker, hands.defender
    yield _knock_stage(hands)
    for meld in hands.melds[knocker]:
        yield Stage(Phrase("meld", " ".join(meld)), knocker, meld)
    if hands.deadwood[knocker]:
        yield _deadwood_stage(hands, knocker)
    for number, meld in enumerate(hands.melds[defender]):
        yield Stage(Phrase("meld", " ".join(meld)), defender, meld, f"meld:{hands.zone_number(defender, number)}")
    for number, (meld, added) in enumerate(zip(hands.melds[knocker], hands.layoffs, strict=True), start=1):
        if added:
            phrase = Phrase("lay", f"{' '.join(added)} off on {' '.join(meld)}")
            yield Stage(phrase, defender, added, f"meld:{number}", rule="gin-rummy:layoff")
    yield _deadwood_stage(hands, defender)
    yield from _score_stages(end, hands)


def _knock_stage(hands: OpenHands) -> Stage:
    if isinstance(hands.knock, BigGin):
        return Stage(Phrase("go", "big gin"), hands.knocker, rule="gin-rummy:big-gin")
    discard = (hands.knock.card,)
    left = hands.deadwood_points(hands.knocker)
    if left:
        return Stage(Phrase("knock", f"with {left}"), hands.knocker, discard, rule="gin-rummy:knock-limit")
    return Stage(Phrase("go", "gin"), hands.knocker, discard, rule="gin-rummy:gin")


def _deadwood_stage(hands: OpenHands, seat: int) -> Stage:
    loose = hands.deadwood[seat]
    what = f"{counted(hands.deadwood_points(seat), 'point')} of deadwood: {' '.join(loose)}" if loose else "no deadwood"
    return Stage(Phrase("count", what), seat, loose, rule="gin-rummy:deadwood")


def _score_stages(end: HandEnd[GinRummyState, GinRummyMove], hands: OpenHands) -> Iterator[Stage]:
    """Who scores, a stage for each line of the score sheet."""
    lines = [line for line in end.result.lines if line.points]
    if not lines:
        yield Stage(Phrase("", "Both have the same deadwood, so no one scores"), rule="gin-rummy:dead-hand")
        return
    (winner,) = lines[0].seats
    if winner == hands.defender:
        mine, theirs = hands.deadwood_points(winner), hands.deadwood_points(hands.knocker)
        phrase = Phrase("undercut", f"the knock with {mine} against {theirs}")
        yield Stage(phrase, winner, rule="gin-rummy:score-undercut")
    for line in lines:
        phrase = Phrase("score", f"{line.points}: {line.text[0].lower()}{line.text[1:]}")
        yield Stage(phrase, winner, points=line_points(line, SEATS), rule=line.rule)


# A dead hand


def _dead_zones(end: HandEnd[GinRummyState, GinRummyMove], move: Discard) -> Iterator[Zone]:
    """The hands stay closed, and the last discard lies on its pile."""
    for zone in end.before.view(None).zones:
        if zone.id == "discards":
            yield _with_discard(zone, move.card)
        else:
            yield replace(zone, count=zone.count - (zone.owner == end.seat), note="")


def _dead_stages(end: HandEnd[GinRummyState, GinRummyMove]) -> Iterator[Stage]:
    yield last_move(end)
    text = "Only two cards are left in the stock, so the hand is dead and no one scores"
    yield Stage(Phrase("", text), rule="gin-rummy:dead-hand")


# The end of the game


def _end_of_game(end: HandEnd[GinRummyState, GinRummyMove]) -> Iterator[Stage]:
    if not end.after.is_decided():
        return
    target = int(end.after.options["target"])
    best = max(range(SEATS), key=end.after.scores.__getitem__)
    if end.after.scores[best] >= target:
        yield Stage(Phrase("reach", f"the target of {target}"), best, rule="gin-rummy:target")
    else:
        yield Stage(Phrase("", "Five hands in a row were dead, so the game ends"), rule="gin-rummy:dead-cap")
