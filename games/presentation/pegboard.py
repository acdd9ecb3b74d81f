"""Cribbage board: positions of its holes and pegs, in streets of thirty holes that turn at their ends.

Lengths are in units of the drawing; a page scales it.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from games.core.contract import Track

STREET = 30
FIVE = 5
HOLE_APART = 10
GAP_AFTER_FIVE = 5
LANE_APART = 10
STREET_APART = 8
MARGIN = 12


class Point(NamedTuple):
    x: int
    y: int


class Lane(NamedTuple):
    """A side's row of holes. number: from 0. who: its players. front, rear: the holes of its pegs."""

    number: int
    who: str
    score: int
    front: int
    rear: int


class PegBoard(NamedTuple):
    """A board with one lane for each side and holes from 0, the start, to `length`, the end."""

    length: int
    lanes: tuple[Lane, ...]

    @property
    def width(self) -> int:
        return 2 * MARGIN + _hole_distance(STREET) + HOLE_APART

    @property
    def height(self) -> int:
        streets, sides = -(-(self.length - 1) // STREET), len(self.lanes)
        return 2 * MARGIN + streets * sides * LANE_APART + (streets - 1) * STREET_APART - LANE_APART

    def holes(self, lane: int) -> tuple[Point, ...]:
        """The pegs by score."""
        return _holes(self.length, lane, len(self.lanes))

    @property
    def sentence(self) -> str:
        """Text for screen readers."""
        return "; ".join(f"{lane.who} at {lane.score} of {self.length}" for lane in self.lanes)


def draw_pegs(track: Track, names: Sequence[str]) -> PegBoard:
    """Lays out the board of a track."""
    lanes = []
    for number, peg in enumerate(track.pegs):
        who = " and ".join(names[seat] for seat in peg.seats)
        lanes.append(Lane(number, who, peg.front, min(peg.front, track.length), min(peg.rear, track.length)))
    return PegBoard(track.length, tuple(lanes))


@cache
def _holes(length: int, lane: int, sides: int) -> tuple[Point, ...]:
    return tuple(_hole(score, length, lane, sides) for score in range(length + 1))


def _hole(score: int, length: int, lane: int, sides: int) -> Point:
    """Streets run to the right and back in turns; the start is before the first street, the end after the last."""
    street, place = divmod(max(min(score, length - 1) - 1, 0), STREET)
    along = _hole_distance(place + 1) + HOLE_APART * (score == length) if score else 0
    x = along if street % 2 == 0 else _hole_distance(STREET) + HOLE_APART - along
    return Point(MARGIN + x, MARGIN + lane * LANE_APART + street * (sides * LANE_APART + STREET_APART))


def _hole_distance(place: int) -> int:
    """Distance from the start to the hole at `place` of a street, 1 to 30."""
    return place * HOLE_APART + (place - 1) // FIVE * GAP_AFTER_FIVE
