"""SVG sheet of the playing cards: one file with a <symbol> per card, used as `cards.svg#card-8S`.

A face is 250 by 350 units (5:7). Symbols carry no stylesheet, because rules do not cross into a <use>: the
suit colour is `currentColor`, and paper, edge, brass and the two backs are inherited custom properties with a
fallback. Shapes are paths of absolute M, L, C and Z around the origin, so that placing one is arithmetic on
its number pairs.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from games.core.cards import JOKERS, RANKS, SUITS

WIDTH, HEIGHT = 250, 350
CENTRE = WIDTH / 2, HEIGHT / 2

PAIR = re.compile(r"(-?[\d.]+),(-?[\d.]+)")


def placed(shape: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """`shape` scaled to `size` units around (x, y), upside down if `turned`."""
    scale = -size if turned else size
    return PAIR.sub(lambda m: f"{_number(x + scale * float(m[1]))},{_number(y + scale * float(m[2]))}", shape)


def both_ways(shape: str) -> str:
    """`shape`, in card units, and once more turned around the centre of the card."""
    x, y = CENTRE
    return shape + placed(shape, 2 * x, 2 * y, 1, turned=True)


CIRCLE = "M0,-1 C.552,-1 1,-.552 1,0 C1,.552 .552,1 0,1 C-.552,1 -1,.552 -1,0 C-1,-.552 -.552,-1 0,-1 Z"


def circle(x: float, y: float, radius: float) -> str:
    return placed(CIRCLE, x, y, radius)


def star(x: float, y: float, radius: float) -> str:
    corners = []
    for i in range(10):
        r = radius if i % 2 == 0 else radius * 0.45
        angle = math.pi * (i / 5 - 0.5)
        corners.append(f"{_number(x + r * math.cos(angle))},{_number(y + r * math.sin(angle))}")
    return "M" + " L".join(corners) + " Z"


def _number(value: float) -> str:
    return f"{round(value, 3 if abs(value) < 2 else 1) + 0.0:g}"


# Suits, one unit high. All outlines run clockwise, so that overlapping parts fill as one.
PIPS = {
    "S": "M0,-.52 C.13,-.31 .47,-.11 .47,.15 C.47,.31 .36,.4 .24,.4 C.15,.4 .08,.36 .04,.28 "
    "C.05,.38 .1,.46 .18,.51 L-.18,.51 C-.1,.46 -.05,.38 -.04,.28 C-.08,.36 -.15,.4 -.24,.4 "
    "C-.36,.4 -.47,.31 -.47,.15 C-.47,-.11 -.13,-.31 0,-.52 Z",
    "H": "M0,-.27 C.04,-.41 .13,-.49 .25,-.49 C.39,-.49 .49,-.38 .49,-.22 C.49,.08 .16,.27 0,.52 "
    "C-.16,.27 -.49,.08 -.49,-.22 C-.49,-.38 -.39,-.49 -.25,-.49 C-.13,-.49 -.04,-.41 0,-.27 Z",
    "D": "M0,-.54 C.1,-.34 .24,-.15 .39,0 C.24,.15 .1,.34 0,.54 C-.1,.34 -.24,.15 -.39,0 C-.24,-.15 -.1,-.34 0,-.54 Z",
    "C": circle(0, -0.28, 0.225)
    + circle(0.26, 0.1, 0.225)
    + circle(-0.26, 0.1, 0.225)
    + "M.1,-.1 L.05,.12 C.04,.32 .1,.44 .19,.51 L-.19,.51 C-.1,.44 -.04,.32 -.05,.12 L-.1,-.1 Z",
}

# Ranks as strokes, one unit high.
INDICES = {
    "A": "M-.33,.48 L0,-.48 L.33,.48 M-.21,.15 L.21,.15",
    "2": "M-.28,-.22 C-.26,-.6 .29,-.58 .29,-.2 C.29,.06 -.08,.2 -.29,.48 L.31,.48",
    "3": "M-.27,-.48 L.27,-.48 L-.03,-.1 C.16,-.1 .31,0 .31,.18 C.31,.57 -.21,.6 -.3,.28",
    "4": "M.14,.48 L.14,-.48 L-.34,.2 L.34,.2",
    "5": "M.25,-.48 L-.2,-.48 L-.25,-.05 C-.08,-.18 .31,-.15 .31,.17 C.31,.58 -.2,.6 -.29,.28",
    "6": "M.18,-.48 C-.1,-.28 -.31,-.05 -.31,.18 C-.31,.58 .31,.58 .31,.18 C.31,-.2 -.22,-.2 -.3,.14",
    "7": "M-.3,-.48 L.3,-.48 C.08,-.18 -.06,.14 -.09,.48",
    "8": "M0,-.06 C-.35,-.06 -.35,-.48 0,-.48 C.35,-.48 .35,-.06 0,-.06 "
    "C-.42,-.06 -.42,.48 0,.48 C.42,.48 .42,-.06 0,-.06 Z",
    "9": "M-.18,.48 C.1,.28 .31,.05 .31,-.18 C.31,-.58 -.31,-.58 -.31,-.18 C-.31,.2 .22,.2 .3,-.14",
    "T": "M-.46,-.32 L-.3,-.48 L-.3,.48 M.17,-.48 C-.13,-.48 -.13,.48 .17,.48 C.47,.48 .47,-.48 .17,-.48 Z",
    "J": "M-.08,-.48 L.2,-.48 L.2,.17 C.2,.58 -.28,.58 -.3,.2",
    "Q": "M0,-.48 C-.48,-.48 -.48,.48 0,.48 C.48,.48 .48,-.48 0,-.48 Z M.08,.22 L.36,.54",
    "K": "M-.26,-.48 L-.26,.48 M.3,-.48 L-.26,.12 M-.05,-.1 L.34,.48",
}

LEFT, MIDDLE, RIGHT = 92.0, 125.0, 158.0
TOP, BOTTOM = 54.0, 296.0
# Places of the pips: column and height (0 top, 1 bottom), as printed on real cards.
_CORNERS = [(LEFT, 0), (RIGHT, 0), (LEFT, 1), (RIGHT, 1)]
_SIX = [*_CORNERS, (LEFT, 0.5), (RIGHT, 0.5)]
_EIGHT = [*_CORNERS, (LEFT, 1 / 3), (RIGHT, 1 / 3), (LEFT, 2 / 3), (RIGHT, 2 / 3)]
PLACES: Mapping[str, Sequence[tuple[float, float]]] = {
    "2": [(MIDDLE, 0), (MIDDLE, 1)],
    "3": [(MIDDLE, 0), (MIDDLE, 0.5), (MIDDLE, 1)],
    "4": _CORNERS,
    "5": [*_CORNERS, (MIDDLE, 0.5)],
    "6": _SIX,
    "7": [*_SIX, (MIDDLE, 0.25)],
    "8": [*_SIX, (MIDDLE, 0.25), (MIDDLE, 0.75)],
    "9": [*_EIGHT, (MIDDLE, 0.5)],
    "T": [*_EIGHT, (MIDDLE, 1 / 6), (MIDDLE, 5 / 6)],
}


def fill(path: str, paint: str = "currentColor", **attributes: float) -> str:
    return f'<path fill="{paint}"{_attributes(attributes)} d="{path}"/>'


def stroke(path: str, width: float, paint: str = "currentColor", **attributes: float) -> str:
    return (
        f'<path fill="none" stroke="{paint}" stroke-width="{width:g}" stroke-linecap="round" '
        f'stroke-linejoin="round"{_attributes(attributes)} d="{path}"/>'
    )


def _attributes(values: dict[str, float]) -> str:
    return "".join(f' {name}="{value:g}"' for name, value in values.items())


BRASS = "var(--card-brass,#b0812d)"
PAPER = "var(--card-paper,#fffdf8)"
EDGE = "var(--card-edge,#cfc7b6)"


def symbol(name: str, parts: Iterable[str]) -> str:
    body = "".join(parts)
    return f'<symbol id="card-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</symbol>'


def blank() -> str:
    return (
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="18" fill="{PAPER}" '
        f'stroke="{EDGE}" stroke-width="2"/>'
    )


def corner(rank: str, suit: str) -> str:
    """Rank and suit in two corners: the part that is read when cards overlap."""
    index = both_ways(placed(INDICES[rank], 36, 49, 58))
    return stroke(index, 10) + fill(both_ways(placed(PIPS[suit], 36, 108, 42)))


def number_card(rank: str, suit: str) -> list[str]:
    if rank == "A":
        return [fill(placed(PIPS[suit], *CENTRE, 118))]
    pips = [placed(PIPS[suit], x, TOP + height * (BOTTOM - TOP), 40, turned=height > 0.5) for x, height in PLACES[rank]]
    return [fill("".join(pips))]


def crown() -> list[str]:
    body = "M83,122 L76,66 L102,92 L125,50 L148,92 L174,66 L167,122 Z"
    balls = circle(76, 62, 6) + circle(125, 46, 7) + circle(174, 62, 6)
    band = "M84,129 L166,129 L166,141 L84,141 Z"
    jewels = circle(100, 108, 4.5) + circle(125, 104, 6) + circle(150, 108, 4.5)
    return [
        fill(both_ways(body + band)),
        fill(both_ways(balls + jewels), BRASS),
    ]


def rose() -> list[str]:
    x, y = 125, 88

    def ring(count: int, distance: float, radius: float, turn: float) -> str:
        angles = [2 * math.pi * (i / count) + turn for i in range(count)]
        return "".join(circle(x + distance * math.sin(a), y - distance * math.cos(a), radius) for a in angles)

    leaves = (
        "M125,122 C110,112 92,116 82,134 C100,142 118,138 125,122 Z "
        "M125,122 C132,138 150,142 168,134 C158,116 140,112 125,122 Z"
    )
    return [
        fill(both_ways(leaves), BRASS),
        f'<g fill="currentColor" stroke="{PAPER}" stroke-width="3">'
        + f'<path d="{both_ways(ring(5, 24, 19, 0))}"/>'
        + f'<path d="{both_ways(ring(5, 13, 13, math.pi / 5))}"/></g>',
        fill(both_ways(circle(x, y, 8)), BRASS),
    ]


def sword() -> list[str]:
    blade = "M125,40 L134,58 L134,120 L116,120 L116,58 Z"
    guard = "M88,112 C100,122 150,122 162,112 L162,124 C150,134 100,134 88,124 Z"
    grip = "M120,132 L130,132 L130,150 L120,150 Z"
    return [
        fill(both_ways(blade)),
        stroke(both_ways("M125,58 L125,114"), 2.5, PAPER),
        fill(both_ways(guard + grip), BRASS),
    ]


EMBLEMS = {"J": sword, "Q": rose, "K": crown}


def court_card(rank: str, suit: str) -> list[str]:
    frame = (
        '<rect x="70" y="26" width="110" height="298" rx="8" fill="currentColor" fill-opacity=".06" '
        'stroke="currentColor" stroke-width="2.5"/>'
    )
    belt = stroke("M70,175 L100,175 M150,175 L180,175", 2.5)
    return [frame, belt, *EMBLEMS[rank](), fill(placed(PIPS[suit], *CENTRE, 36))]


def joker() -> list[str]:
    cap = (
        "M84,212 C78,160 62,140 50,136 C66,118 96,124 108,150 C108,112 112,92 125,78 "
        "C138,92 142,112 142,150 C154,124 184,118 200,136 C188,140 172,160 166,212 Z"
    )
    band = "M82,220 L168,220 L168,238 L82,238 Z"
    bells = circle(48, 146, 11) + circle(125, 68, 11) + circle(202, 146, 11)
    lozenges = "M125,160 L136,178 L125,196 L114,178 Z"
    index = both_ways(star(36, 44, 26))
    return [fill(index), fill(cap + band), fill(bells + lozenges, BRASS)]


def lattice(left: float, top: float, right: float, bottom: float, step: float) -> str:
    """Crossing diagonal lines that end on the sides of the rectangle."""
    lines = []
    at = left - (bottom - top)
    while at < right:
        start, end = max(at, left), min(at + bottom - top, right)
        down = f"M{_number(start)},{_number(top + start - at)} L{_number(end)},{_number(top + end - at)}"
        up = f"M{_number(start)},{_number(bottom - start + at)} L{_number(end)},{_number(bottom - end + at)}"
        lines += [down, up]
        at += step
    return "".join(lines)


def back(copy: int, colour: str) -> str:
    paint = f"var(--card-back-{copy},{colour})"
    panel = f'<rect x="18" y="18" width="214" height="314" rx="8" fill="{paint}"/>'
    lines = stroke(lattice(26, 26, 224, 324, 22), 2, PAPER, opacity=0.5)
    border = (
        f'<rect x="26" y="26" width="198" height="298" rx="4" fill="none" stroke="{PAPER}" '
        'stroke-width="2.5" stroke-opacity=".8"/>'
    )
    return symbol(f"back{copy}", [blank(), panel, lines, border])


def sheet() -> str:
    """The whole sheet: 52 faces, two jokers (XB, XR) and two backs."""
    symbols = []
    for suit in SUITS:
        for rank in RANKS:
            middle = court_card(rank, suit) if rank in EMBLEMS else number_card(rank, suit)
            symbols.append(symbol(rank + suit, [blank(), corner(rank, suit), *middle]))
    symbols += [symbol(name, [blank(), *joker()]) for name in JOKERS]
    symbols += [back(1, "#2b4a6f"), back(2, "#8c3a32")]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"
