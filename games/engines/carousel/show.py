"""Show at the end of a hand of Carousel: the showdown, hand by hand, and what the lowest one scores."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.contract import HandEnd, Phrase, Show, Stage
from games.core.moves import Pass
from games.core.rummy.rearranging import Play, table_after
from games.core.rummy.shows import hands_left, in_words, zones_laid_open
from games.core.rummy.steps import Step
from games.core.shows import last_move, points_for, scores_before, side_phrase
from games.engines.carousel.moves import CarouselMove, Knock
from games.engines.carousel.scoring import deadwood_cards, lowest_seats, score_parts
from games.engines.carousel.state import CarouselState
from games.engines.carousel.steps import table_after_step


def show_hand(end: HandEnd[CarouselState, CarouselMove]) -> Show:
    final = end.before.copy()
    final.hands = hands_left(end)
    if isinstance(end.move, Step):
        final.table = table_after_step(final.table, end.move)
    elif isinstance(end.move, Play):
        final.table = table_after(final.table, end.move)
    stages = (last_move(end), *_reason(end), *_hands(end, final), *_scores(end, final))
    return Show(scores_before(end), zones_laid_open(final), stages)


def _reason(end: HandEnd[CarouselState, CarouselMove]) -> Iterator[Stage]:
    """Why there is a showdown without a knock."""
    if isinstance(end.move, Pass):
        yield Stage(Phrase("", "Everyone has passed, so the hands are compared"), rule="carousel:blocked")
    elif not isinstance(end.move, Knock):
        yield Stage(Phrase("go", "out, which ends the hand like a knock"), end.seat, rule="carousel:empty-hand")


def _hands(end: HandEnd[CarouselState, CarouselMove], final: CarouselState) -> Iterator[Stage]:
    """The deadwood of each hand, that of the player who made the last move first."""
    for step in range(final.seats):
        seat = final.seat_after(end.seat, step)
        cards, melds = deadwood_cards(final.options, final.rules, final.hands[seat])
        text = f"{final.deadwood(seat)} for {in_words(cards)}" if cards else "0"
        if melds:
            text += f", beside {' and '.join(map(str, melds))}"
        elif not cards:
            text += ", with no cards left"
        yield Stage(Phrase("count", text), seat, tuple(cards), rule="carousel:deadwood")


def _scores(end: HandEnd[CarouselState, CarouselMove], final: CarouselState) -> Iterator[Stage]:
    left = [final.deadwood(seat) for seat in range(final.seats)]
    lowest = lowest_seats(left)
    if len(lowest) > 1:
        yield from _shares(end, left, lowest)
        return
    winner = lowest[0]
    for seat, points in enumerate(left):
        if seat != winner:
            difference = points - left[winner]
            phrase = Phrase("score", f"{difference}, the difference to @{seat}")
            scored = points_for(lowest, difference, final.seats)
            yield Stage(phrase, winner, final.hands[seat], points=scored, rule="carousel:score-lowest")
    for line in end.result.lines:
        if line.rule in _BONUSES and line.points:
            phrase = Phrase("score", f"{line.points} {_BONUSES[line.rule]}")
            yield Stage(phrase, winner, points=points_for(lowest, line.points, final.seats), rule=line.rule)


_BONUSES = {"carousel:score-undercut": "for the undercut", "carousel:score-zero": "for no deadwood"}


def _shares(end: HandEnd[CarouselState, CarouselMove], left: list[int], lowest: list[int]) -> Iterator[Stage]:
    """The parts of what several players score, then their shares."""
    knocker = None if isinstance(end.move, Pass) else end.seat
    parts = [part for part in score_parts(end.before.options, left, knocker) if part[2]]
    for rule, text, points in parts:
        yield Stage(Phrase("", f"{text}: {points}"), rule=f"carousel:{rule}")
    share, whole = end.result.points[lowest[0]], sum(points for _rule, _text, points in parts)
    phrase = Phrase("", "All hands count the same, so no one scores")
    if whole:
        phrase, _ = side_phrase(lowest, "share", f"{whole}, {share} each")
    yield Stage(phrase, points=end.result.points, rule="carousel:score-tie")
