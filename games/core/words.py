"""Wording shared by several games, and the markup for texts about players, rendered for one reader.

An engine writes `@1` for the player in seat 1, and a verb that depends on the person in brackets, in its base form:

    "@1 [go] out and [win]"    Ada goes out and wins       You go out and win
    "@1 and @3 [win]"          Ada and Cleo win            You and Cleo win
    "Gin for @1, @0 [have] 5"  Gin for Ada, Ben has 5      Gin for you, Ben has 5
    "@1's hand"                Ada's hand                  Your hand
    "[take] 3C with 8S"        Take 3C with 8S             the same: a button

A verb agrees with the players right before it, or else like the verb before it. Without either it is an imperative.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

IRREGULAR_VERBS = {"be": ("are", "is"), "have": ("have", "has"), "do": ("do", "does"), "go": ("go", "goes")}
"""Base form: its present tense for "you" and for several players, and for one other player."""

_MARKUP = re.compile(
    r"(?P<owner>@\d)'s|(?P<players>@\d(?:(?:, @\d)* and @\d)?)(?: \[(?P<verb>[a-z]+)\])?|\[(?P<next_verb>[a-z]+)\]"
)
_SENTENCE_ENDS = (". ", "? ", "! ")
_KEPT_TEXTS = 10_000  # a board says much the same as the one before


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def capitalized(text: str) -> str:
    """A text with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def within_sentence(text: str) -> str:
    """A text with a small first letter, to follow other words of its sentence."""
    return text[:1].lower() + text[1:]


def joined(words: Sequence[str]) -> str:
    """Words as a list: "a quart, the point and three kings"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def with_full_stop(sentence: str) -> str:
    """A sentence with a full stop, unless it has an end, also inside of quotation marks."""
    return sentence if sentence.rstrip('"').endswith((".", "?", "!")) else f"{sentence}."


def players_in_words(seats: Sequence[int]) -> str:
    """Markup for the players in these seats: "@1", "@0 and @2"."""
    return joined([f"@{seat}" for seat in seats])


def render_text(text: str, names: Sequence[str], viewer: int | None = None) -> str:
    """A text with names and verbs in place of its markup. viewer: the seat of the reader, who is called "you"."""
    return _render_text(text, tuple(names), viewer) if "@" in text or "[" in text else text


@lru_cache(_KEPT_TEXTS)
def _render_text(text: str, names: tuple[str, ...], viewer: int | None) -> str:
    is_one_other = False

    def rendered(match: re.Match[str]) -> str:
        nonlocal is_one_other
        seats = [int(seat) for seat in re.findall(r"@(\d)", match[0])]
        is_viewer, verb, words = viewer in seats, match["verb"] or match["next_verb"], []
        if match["owner"]:
            words = ["your" if is_viewer else f"{names[seats[0]]}'s"]
        elif seats:
            others = [names[seat] for seat in seats if seat != viewer]
            words = [joined(["you", *others] if is_viewer else others)]
        if verb:
            is_one_other = len(seats) == 1 and not is_viewer if seats else is_one_other
            words.append(_present_tense(verb, is_one_other=is_one_other))
        is_start = not match.start() or text[: match.start()].endswith(_SENTENCE_ENDS)
        is_name_first = seats and not is_viewer
        return capitalized(" ".join(words)) if is_start and not is_name_first else " ".join(words)

    return _MARKUP.sub(rendered, text)


def _present_tense(verb: str, *, is_one_other: bool) -> str:
    """The verb for "you" or several players, or for one other player."""
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][is_one_other]
    if not is_one_other:
        return verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z")) else f"{verb}s"
