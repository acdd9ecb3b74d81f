"""Scoring that rummy games share: the points of score lines, and a game that the fewest points win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core.contract import Outcome, ScoreLine, places
from games.core.words import players_in_words


def points_by_seat(lines: Iterable[ScoreLine], seats: int) -> tuple[int, ...]:
    """The points of all lines added up for each seat."""
    points = [0] * seats
    for line in lines:
        for seat in line.seats:
            points[seat] += line.points
    return tuple(points)


def outcome_of_fewest(scores: Sequence[int], points: str = "points") -> Outcome:
    """The end of a game in which points are penalties. points: what the game calls them."""
    fewest = min(scores)
    winners = [seat for seat, score in enumerate(scores) if score == fewest]
    win = "[win]" if len(winners) == 1 else "[share] the win"
    reason = f"{players_in_words(winners)} {win} with the fewest {points}, {fewest}."
    return Outcome(tuple(scores), places([-score for score in scores]), reason)
