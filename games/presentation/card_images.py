"""Card images: faces of the SVG sheet (`cards_svg`) in pixels, for pictures that other sites show.

The sheet holds only rectangles and paths of absolute M, L, C and Z, which Pillow draws as polygons and lines.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from xml.etree import ElementTree

from PIL import Image, ImageColor, ImageDraw

from games.core.cards import Card, face
from games.presentation import cards_svg

FINER = 3  # times as large as it is shown, so that edges come out smooth
CURVE_STEPS = 10
KEPT = 60  # faces, of 300 kilobytes at most
PAPER = "#fffdf8"
INK, RED = "#1d2430", "#b8322a"
COMMAND = re.compile(r"([MLCZ])([^MLCZ]*)")
NUMBER = re.compile(r"-?[\d.]+")
VARIABLE = re.compile(r"var\([^,]+,(#\w+)\)")

Point = tuple[float, float]
Colour = tuple[int, ...]


@cache
def _symbols() -> Mapping[str, ElementTree.Element]:
    sheet = ElementTree.fromstring(cards_svg.sheet())
    return {symbol.attrib["id"].removeprefix("card-"): symbol for symbol in sheet}


@lru_cache(KEPT)
def card_image(card: Card, width: int) -> Image.Image:
    """The face of a card, that many pixels wide, on nothing."""
    scale = width * FINER / cards_svg.WIDTH
    size = (round(cards_svg.WIDTH * scale), round(cards_svg.HEIGHT * scale))
    image = Image.new("RGBA", size)
    _draw(ImageDraw.Draw(image), _symbols()[face(card)], {}, scale, RED if card[1] in "HDR" else INK)
    return image.reduce(FINER)


def _draw(
    draw: ImageDraw.ImageDraw, element: ElementTree.Element, outer: Mapping[str, str], scale: float, colour: str
) -> None:
    """Draws the children of an element. outer: attributes that they inherit."""
    for child in element:
        found = {**outer, **child.attrib}
        fill = _paint(found.get("fill", "none"), colour, float(found.get("fill-opacity", "1")))
        stroke = _paint(found.get("stroke", "none"), colour)
        width = max(round(float(found.get("stroke-width", "1")) * scale), 1)
        if child.tag.endswith("rect"):
            x, y, w, h, radius = (float(found[name]) * scale for name in ("x", "y", "width", "height", "rx"))
            draw.rounded_rectangle((x, y, x + w, y + h), radius, fill, stroke, width)
        elif child.tag.endswith("path"):
            for line in outlines(found["d"]):
                points = [(x * scale, y * scale) for x, y in line]
                if fill:
                    draw.polygon(points, fill)
                if stroke:
                    draw.line(points, stroke, width, joint="curve")
                    for x, y in (points[0], points[-1]):
                        draw.circle((x, y), width / 2, stroke)
        else:
            _draw(draw, child, found, scale, colour)


def _paint(value: str, colour: str, opacity: float = 1) -> Colour | None:
    """The colour in pixels, None for none. A translucent one lies on paper."""
    if value == "none":
        return None
    named = VARIABLE.fullmatch(value)
    rgb = ImageColor.getrgb(colour if value == "currentColor" else named[1] if named else value)
    return tuple(
        round(paper + (own - paper) * opacity) for own, paper in zip(rgb, ImageColor.getrgb(PAPER), strict=True)
    )


def outlines(path: str) -> Iterator[list[Point]]:
    """The lines of a path, curves as short straight ones."""
    line: list[Point] = []
    for command, rest in COMMAND.findall(path):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command == "M":
            if line:
                yield line
            line = points
        elif command == "L":
            line += points
        elif command == "C":
            for at in range(0, len(points), 3):
                line += _curve(line[-1], *points[at : at + 3])
        else:
            line.append(line[0])
    yield line


def _curve(start: Point, first: Point, second: Point, end: Point) -> Iterator[Point]:
    """A cubic Bézier curve, without its start."""
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        x, y = (sum(w * p[axis] for w, p in zip(weights, (start, first, second, end), strict=True)) for axis in (0, 1))
        yield x, y
