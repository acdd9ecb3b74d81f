"""Graph of percentages along a game, or along many games, as numbers for an SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 10, 22  # margins, for the labels
LEVELS = (0, 50, 100)


@dataclass(frozen=True, slots=True)
class Spot:
    """A marked place on the line. number: from 1, in the order in which they were given."""

    x: float
    y: float
    number: int


@dataclass(frozen=True, slots=True)
class PercentGraph:
    """points: what a polyline takes. levels: lines across, y and percent. marks: lines down, x and their number."""

    points: str
    levels: tuple[tuple[float, int], ...]
    marks: tuple[tuple[float, int], ...]
    spots: tuple[Spot, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM
    baseline: int = HEIGHT - 6


def percent_graph(
    percents: Sequence[tuple[int, float]], *, last: int, marks: Sequence[tuple[int, int]], spots: Sequence[int]
) -> PercentGraph:
    """percents: of each place on the line, such as the number of moves before it. last: place at the right end.

    marks: place and number. spots: places that are among the percents.
    """

    def x(at: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * at / max(last, 1), 1)

    def y(percent: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (100 - percent) / 100, 1)

    known = dict(percents)
    return PercentGraph(
        points=" ".join(f"{x(at)},{y(percent)}" for at, percent in percents),
        levels=tuple((y(level), level) for level in LEVELS),
        marks=tuple((x(at), number) for at, number in marks),
        spots=tuple(Spot(x(at), y(known[at]), number) for number, at in enumerate(spots, 1)),
    )
