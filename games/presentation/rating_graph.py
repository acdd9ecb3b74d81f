"""Rating graph: a player's rating over time, as numbers for an SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 400, 180
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 24  # margins, for the labels
STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LEVELS = 4


@dataclass(frozen=True, slots=True)
class Level:
    """A line across the graph, at a round rating."""

    y: float
    number: int


@dataclass(frozen=True, slots=True)
class Graph:
    """points: what a polyline takes, "44,96 200.5,40". end: its last point. In units of a box WIDTH by HEIGHT."""

    points: str
    end: tuple[float, float]
    levels: tuple[Level, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    baseline: int = HEIGHT - 6


def graph(history: Sequence[tuple[float, int]]) -> Graph:
    """history: when, in seconds, a rating became which number, oldest first; at least one."""
    times, numbers = [at for at, _ in history], [number for _, number in history]
    step = _step(max(numbers) - min(numbers))
    low, high = min(numbers) // step * step, (max(numbers) // step + 1) * step

    def y(number: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - number) / (high - low), 1)

    def x(at: float) -> float:
        share = (at - times[0]) / ((times[-1] - times[0]) or 1)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)

    line = [(x(at), y(number)) for at, number in zip(times, numbers, strict=True)]
    levels = tuple(Level(y(number), number) for number in range(low, high + 1, step))
    return Graph(" ".join(f"{across},{down}" for across, down in line), line[-1], levels)


def _step(span: int) -> int:
    return next((step for step in STEPS if span <= step * MOST_LEVELS), STEPS[-1])
