"""Fractions as text: how numbers are written on a page."""

import re
from fractions import Fraction
from functools import lru_cache

GLYPHS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


_WRITTEN = re.compile(rf"(?P<sign>−?)(?P<whole>\d*)(?P<part>[{''.join(GLYPHS.values())}]?)")
_PARTS = {glyph: part for part, glyph in GLYPHS.items()}


def plain_number(text: str) -> str:
    """A number as `written` writes it, for a spreadsheet: "7.5" of "7½"; any other text as it is."""
    found = _WRITTEN.fullmatch(text)
    if not found or not (found["whole"] or found["part"]):
        return text
    value = int(found["whole"] or 0) + _PARTS.get(found["part"], Fraction(0))
    return f"{'-' if found['sign'] else ''}{round(float(value), 4):g}"


@lru_cache(maxsize=4096)
def written(value: Fraction | int) -> str:
    """ "7½", "−⅔", "3"; with two decimals where there is no such sign: "2.43"."""
    whole, rest = divmod(abs(Fraction(value)), 1)
    if rest and rest not in GLYPHS:
        size = f"{float(whole + rest):.2f}"
    else:
        size = (str(whole) if whole or not rest else "") + GLYPHS.get(rest, "")
    return f"−{size}" if value < 0 else size
