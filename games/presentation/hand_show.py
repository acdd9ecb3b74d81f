"""Show of a finished hand on a table page: the table as it lay, and the count step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from games.core.cards import Card
from games.core.contract import RUNNING_FACT, Choice, Event, HandEnd, Move, Peg, Show, Track, View, Zone
from games.core.shows import total_points, zones_after
from games.core.words import joined
from games.domain.wording import event_sentence
from games.models import Seat, Table
from games.presentation.pegboard import draw_pegs
from games.presentation.rule_links import rule_url
from games.record.hand_ends import hand_end


class StageLine(NamedTuple):
    """A step of the count on a page. gains: of those who score, names, "has" or "have", points, total.

    totals: by seat, after it.

    pegs: by lane of a cribbage board, x and y of the front peg and of the rear one, "" without a board.
    """

    text: str
    cards: tuple[Card, ...]
    to: str
    gains: tuple[tuple[str, str, int, int], ...]
    totals: tuple[int, ...]
    rule_url: str
    pegs: str = ""


class HandShow(NamedTuple):
    """A finished hand as a page shows it. number: from 1. start: the first line without text, before the count.

    is_last: the game is over with it. has_company: other people wait, so that a page goes on by itself after a while.
    waits_for: the players who still look at it.
    """

    number: int
    start: StageLine
    lines: tuple[StageLine, ...]
    is_last: bool
    has_company: bool
    waits_for: tuple[str, ...]

    def leads_to(self, zone_id: str) -> bool:
        """Whether a step brings cards to this zone."""
        return any(line.to == zone_id for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowView(View):
    """The view of a finished hand: what lies open, and nothing to do."""

    shown: tuple[Zone, ...]
    shown_facts: tuple[tuple[str, str], ...]
    shown_track: Track | None
    means_points: bool

    @property
    def zones(self) -> tuple[Zone, ...]:
        return self.shown

    @property
    def prompt(self) -> str:
        return ""

    def choice(self, move: Move) -> Choice:
        raise LookupError("A hand that is over has no moves.")

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        return self.shown_facts

    @property
    def track(self) -> Track | None:
        return self.shown_track

    @property
    def has_scores(self) -> bool:
        return self.means_points


def zones_for(end: HandEnd[Any, Any], show: Show, reader: int | None) -> tuple[Zone, ...]:
    """The zones of a show with the faces of hidden cards that this reader has seen in them: the own hand, discards."""
    shown = {card for zone in show.zones for card in zone.cards}
    seen = {zone.id: [card for card in zone.cards if card not in shown] for zone in end.shown_at.view(reader).zones}

    def opened(zone: Zone) -> Zone:
        faces = seen.get(zone.id, [])
        return replace(zone, cards=(*zone.cards, *faces)) if faces and len(faces) == zone.hidden else zone

    return tuple(map(opened, show.zones))


def show_view(end: HandEnd[Any, Any], show: Show, reader: int | None) -> ShowView:
    """The view of the end of a hand for a reader; the scores are those after it.

    The points before the last move are no fact any longer: the score sheet has those of the whole hand.
    """
    before, after = end.shown_at.view(None), end.after.view(None)
    last = () if end.further else (_last_event(end),)
    return ShowView(
        seat=reader,
        seats=before.seats,
        options=before.options,
        to_act=(),
        moves=(),
        scores=[show.scores, *total_points(show.stages, show.scores)][-1],
        log=(*before.log, *last),
        results=after.results[: end.number],
        shown=zones_for(end, show, reader),
        shown_facts=tuple(fact for fact in before.facts if fact[0] != RUNNING_FACT),
        shown_track=after.track,
        means_points=after.has_scores,
    )


def _last_event(end: HandEnd[Any, Any]) -> Event:
    """The move that ended the hand."""
    choice = end.before.view(end.seat).choice(end.move)
    return Event(end.seat, choice.phrase, choice.touches)


def hand_show(table: Table, seat: Seat | None, hand: int, waits_for: Sequence[Seat] = ()) -> tuple[ShowView, HandShow]:
    """The end of a finished hand for a reader. hand: its number at this table, from 1."""
    end = hand_end(table, hand)
    show = table.rules.show(end)
    reader = None if seat is None else seat.number
    start, *lines = stage_lines(end, show, table.names, reader)
    others = tuple(other.name for other in waits_for if other != seat)
    return show_view(end, show, reader), HandShow(
        number=hand,
        start=start,
        lines=tuple(lines),
        is_last=table.is_over and hand == len(end.after.results),
        has_company=table.has_company,
        waits_for=others,
    )


def closing_zones(table: Table, hand: int, reader: int | None) -> tuple[Zone, ...]:
    """The zones once a finished hand is counted, for a reader. hand: its number at this table, from 1."""
    end = hand_end(table, hand)
    show = table.rules.show(end)
    return zones_for(end, replace(show, zones=zones_after(show)), reader)


def stage_lines(end: HandEnd[Any, Any], show: Show, names: Sequence[str], reader: int | None) -> list[StageLine]:
    """The count as lines; the first one is before it, without text."""
    called = ["You" if seat == reader else name for seat, name in enumerate(names)]
    game, options = end.before.game, end.before.options
    track, sides = end.before.view(None).track, game.sides(options, end.before.seats)
    lines = [StageLine("", (), "", (), show.scores, "", peg_points(track, names))]
    for stage, totals in zip(show.stages, total_points(show.stages, show.scores), strict=True):
        if track is not None:
            track = moved_pegs(track, totals)
        gains = tuple(_gains(sides, called, stage.points, totals)) if game.counts_points(options) else ()
        text = event_sentence(Event(stage.seat, stage.phrase), names, reader)
        url = rule_url(stage.rule) if stage.rule else ""
        lines.append(StageLine(text, stage.cards, stage.to, gains, totals, url, peg_points(track, names)))
    return lines


def _gains(
    sides: Sequence[Sequence[int]], called: Sequence[str], points: Sequence[int], totals: Sequence[int]
) -> Iterator[tuple[str, str, int, int]]:
    """Who scores in a step, see `StageLine`. Partners who score the same are named together."""
    for side in sides if points else ():
        is_shared = len({(points[seat], totals[seat]) for seat in side}) == 1
        for seats in [side] if is_shared else [[seat] for seat in side]:
            if points[seats[0]]:
                names = sorted((called[seat] for seat in seats), key="You".__ne__)
                verb = "have" if "You" in names or names[1:] else "has"
                yield joined(names), verb, points[seats[0]], totals[seats[0]]


def moved_pegs(track: Track, scores: Sequence[int]) -> Track:
    """The track when the scores have become these: a peg that scores jumps over the other one of its side."""
    return Track(
        track.length,
        tuple(
            peg if scores[peg.seats[0]] == peg.front else Peg(peg.seats, scores[peg.seats[0]], peg.front)
            for peg in track.pegs
        ),
    )


def peg_points(track: Track | None, names: Sequence[str]) -> str:
    """The places of all pegs on the drawn board, see `StageLine`."""
    if track is None:
        return ""
    board = draw_pegs(track, names)
    points = ((board.holes(lane.number)[hole] for hole in (lane.front, lane.rear)) for lane in board.lanes)
    return " ".join(",".join(f"{point.x},{point.y}" for point in lane) for lane in points)
