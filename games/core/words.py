"""Wording shared by several games."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def within_sentence(text: str) -> str:
    """A text with a small first letter, to follow other words of its sentence."""
    return text[:1].lower() + text[1:]
