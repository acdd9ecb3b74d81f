"""Fractions as text: how numbers are written on a page."""

from fractions import Fraction
from functools import lru_cache

GLYPHS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


@lru_cache(maxsize=4096)
def written(value: Fraction | int) -> str:
    """ "7½", "−⅔", "3"; with two decimals where there is no such sign: "2.43"."""
    whole, rest = divmod(abs(Fraction(value)), 1)
    if rest and rest not in GLYPHS:
        size = f"{float(whole + rest):.2f}"
    else:
        size = (str(whole) if whole or not rest else "") + GLYPHS.get(rest, "")
    return f"−{size}" if value < 0 else size
