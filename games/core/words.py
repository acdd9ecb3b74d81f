"""Wording shared by several games."""

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def within_sentence(text: str) -> str:
    """A text with a small first letter, to follow other words of its sentence."""
    return text[:1].lower() + text[1:]


def joined(words: Sequence[str]) -> str:
    """Words as a list: "a quart, the point and three kings"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
