"""Wording: turns sentences of engines about seats into sentences for one reader, with names and "you".

No rules, no database. An engine writes `@1` for the name at seat 1.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from games.core.contract import Event

SEAT_IN_TEXT = re.compile(r"@(\d)")
OWNER_IN_LABEL = re.compile(r"^Your | (?:of|by) (?:@\d+|you)$")
VERB_OF_CLAUSE = re.compile(r"^\w+s\b|(?<= and )\w+s\b")
KEPT_SENTENCES = 10_000  # a board says much the same as the one before


def with_names(text: str, names: Sequence[str], viewer: int | None = None) -> str:
    """Replaces `@1` in a text by the name at seat 1.

    The viewer's own seat becomes "you": "Gin for you", "Your deadwood", "You go out and win."
    """
    return _with_names(text, tuple(names), viewer) if "@" in text else text


@lru_cache(KEPT_SENTENCES)
def without_owner(label: str) -> str:
    """ "Meld 3" for "Meld 3 of @1", "Discards" for "Your discards"; a shared zone keeps the names."""
    tag = OWNER_IN_LABEL.sub("", label)
    return tag[:1].upper() + tag[1:]


@lru_cache(KEPT_SENTENCES)
def _with_names(text: str, names: tuple[str, ...], viewer: int | None) -> str:
    if viewer is not None:
        text = _addressed_to_viewer(text, f"@{viewer}")
    return SEAT_IN_TEXT.sub(lambda match: names[int(match[1])], text)


def _addressed_to_viewer(text: str, own: str) -> str:
    """An engine's sentence about the seat `own`, addressed to its player."""

    def clause(match: re.Match[str]) -> str:
        return match[1] + VERB_OF_CLAUSE.sub(lambda verb: _verb_for_you(verb[0]), match[2])

    text = re.sub(rf"((?:^|[.:] ){own} )(\w+s\b[^.:;]*)", clause, text)
    text = re.sub(rf"\bthe (\w+) of {own}(?=[.,:;]|$)", r"your \1", text)
    text = re.sub(rf"^(\w)(.*) of {own}$", lambda match: f"Your {match[1].lower()}{match[2]}", text)
    text = re.sub(rf"(^|\. ){own}\b", r"\1You", text)
    return text.replace(f"{own}'s", "your").replace(own, "you")


def _verb_for_you(verb: str) -> str:
    """The verb of "she goes" for "you go": it removes the ending that `Phrase.third_person` adds."""
    if verb in ("has", "is"):
        return {"has": "have", "is": "are"}[verb]
    return verb[:-2] if verb.endswith(("ses", "shes", "ches", "xes", "oes")) else verb[:-1]


def event_sentence(event: Event, names: Sequence[str], viewer: int | None = None) -> str:
    """An event in a sentence: "Ada takes 3C with 3S.", "You take ...", "The deal passes ...\""""
    return _event_sentence(event, tuple(names), viewer)


@lru_cache(KEPT_SENTENCES)
def _event_sentence(event: Event, names: tuple[str, ...], viewer: int | None) -> str:
    if event.seat is None:
        sentence = event.phrase.imperative()
    elif event.seat == viewer:
        sentence = f"You {event.phrase.verb} {event.phrase.rest}".strip()
    else:
        sentence = event.phrase.third_person(names[event.seat])
    return with_full_stop(with_names(sentence, names, viewer))


def with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."
