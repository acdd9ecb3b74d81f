"""Graph of the chance of winning over a game, as numbers for an SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 10, 22  # margins, for the labels
LEVELS = (0, 50, 100)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the line. number: of the mistake there, from the costliest."""

    x: float
    y: float
    number: int


@dataclass(frozen=True, slots=True)
class ChanceGraph:
    """points: what a polyline takes. levels: lines across, y and percent. hands: where hands begin, x and number."""

    points: str
    levels: tuple[tuple[float, int], ...]
    hands: tuple[tuple[float, int], ...]
    mistakes: tuple[Spot, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM
    baseline: int = HEIGHT - 6


def chance_graph(
    chances: Sequence[tuple[int, float]], *, last: int, hands: Sequence[tuple[int, int]], mistakes: Sequence[int]
) -> ChanceGraph:
    """chances: after how many moves what chance in percent. last: moves of the game. hands: first move and number.

    mistakes: after how many moves, costliest first; each is among the chances.
    """

    def x(at: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * at / max(last, 1), 1)

    def y(chance: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (100 - chance) / 100, 1)

    known = dict(chances)
    return ChanceGraph(
        points=" ".join(f"{x(at)},{y(chance)}" for at, chance in chances),
        levels=tuple((y(level), level) for level in LEVELS),
        hands=tuple((x(at), number) for at, number in hands),
        mistakes=tuple(Spot(x(at), y(known[at]), number) for number, at in enumerate(mistakes, 1)),
    )
