"""Where the holes and pegs of a cribbage board lie: streets of thirty holes that turn at their ends.

Lengths are in units of the drawing; a page scales it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.contract import Track

STREET = 30
FIVE = 5
HOLE_APART = 10
GAP_AFTER_FIVE = 5
LANE_APART = 10
STREET_APART = 8
MARGIN = 12


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A side's row of holes. number: from 0. who: its players. front, rear: its pegs; the front one shows `score`."""

    number: int
    who: str
    score: int
    holes: tuple[Point, ...]
    front: Point
    rear: Point


@dataclass(frozen=True, slots=True)
class PegBoard:
    width: int
    height: int
    length: int
    lanes: tuple[Lane, ...]

    @property
    def sentence(self) -> str:
        """For those who hear it."""
        return "; ".join(f"{lane.who} at {lane.score} of {self.length}" for lane in self.lanes)


def draw_pegs(track: Track, names: Sequence[str]) -> PegBoard:
    """The board of a track, one lane a side, holes from 0 (the start) to the last one."""
    streets = -(-(track.length - 1) // STREET)
    sides = len(track.pegs)
    lanes = []
    for number, peg in enumerate(track.pegs):
        holes = tuple(_hole(score, track.length, number, sides) for score in range(track.length + 1))
        who = " and ".join(names[seat] for seat in peg.seats)
        front, rear = (min(score, track.length) for score in (peg.front, peg.rear))
        lanes.append(Lane(number, who, peg.front, holes, holes[front], holes[rear]))
    width = 2 * MARGIN + _along(STREET) + HOLE_APART
    height = 2 * MARGIN + streets * sides * LANE_APART + (streets - 1) * STREET_APART - LANE_APART
    return PegBoard(width, height, track.length, tuple(lanes))


def _hole(score: int, length: int, lane: int, sides: int) -> Point:
    """Streets run to the right and back in turns; the start lies before the first street, the end after the last."""
    street, place = divmod(max(min(score, length - 1) - 1, 0), STREET)
    along = _along(place + 1) + HOLE_APART * (score == length) if score else 0
    x = along if street % 2 == 0 else _along(STREET) + HOLE_APART - along
    return Point(MARGIN + x, MARGIN + lane * LANE_APART + street * (sides * LANE_APART + STREET_APART))


def _along(place: int) -> int:
    """From the start to the hole at `place` of a street, 1 to 30."""
    return place * HOLE_APART + (place - 1) // FIVE * GAP_AFTER_FIVE
