"""Values in lesson texts, such as `{score 0}`: they are taken from the position that the text is shown with."""

import re
from collections.abc import Sequence

from games.core.contract import View, Zone
from tutorials.content.seedfile import SeedError

OF_SEATS = ("score", "running", "hand")
KINDS = (*OF_SEATS, "count", "cards")
_VALUE = re.compile(r"\{([^{}]*)\}")
_TYPED_SCORE = re.compile(r"(?<!from )(?<![\d:])\d+(?: to | : |:)\d+\b(?! to \d)")
_IN_BACKTICKS = re.compile(r"`(\{[^{}]*\})`")


class UnknownValue(ValueError):
    """The position has no such value; the message says which and why."""


def check_values(text: str, place: str, *, has_position: bool) -> str:
    """The text, its values without backticks. :raises SeedError: a value is misspelt, or there is no position."""
    for inside in _VALUE.findall(text):
        kind, _, what = inside.partition(" ")
        if kind not in KINDS or not what or (kind in OF_SEATS and not what.isdecimal()):
            known = ", ".join(f"{{{kind} {'SEAT' if kind in OF_SEATS else 'ZONE'}}}" for kind in KINDS)
            raise SeedError(place, f"{{{inside}}} is no value; there are {known}.")
        if not has_position:
            raise SeedError(place, f"{{{inside}}} needs a position.")
    return _IN_BACKTICKS.sub(r"\1", text)


def refuse_typed_scores(text: str, place: str) -> None:
    """:raises SeedError: the text has a score such as "3 to 2" or "12:16", which could contradict the table."""
    typed = _TYPED_SCORE.search(text)
    if typed:
        raise SeedError(place, f"the score {typed[0]!r} is typed; write it with values, such as {{score 0}}.")


def fill_values(text: str, view: View, zones: Sequence[Zone] | None = None, *, is_html: bool = False) -> str:
    """The text with its values. zones: those that are drawn, if they are not the view's. is_html: cards become code.

    :raises UnknownValue:
    """

    def value(match: re.Match[str]) -> str:
        kind, _, what = match[1].partition(" ")
        found = _value(kind, what, view, view.zones if zones is None else zones)
        return f"<code>{found}</code>" if is_html and kind == "cards" else found

    return _VALUE.sub(value, text)


def _value(kind: str, what: str, view: View, zones: Sequence[Zone]) -> str:
    if kind in ("score", "running"):
        points = view.scores if kind == "score" else view.running
        if int(what) >= len(points):
            raise UnknownValue(f"{{{kind} {what}}}: there is no such seat, or no such points in this game.")
        return str(points[int(what)])
    if kind == "hand":
        hands = [zone.count for zone in zones if zone.kind == "hand" and zone.owner == int(what)]
        if int(what) >= view.seats or not hands:
            raise UnknownValue(f"{{hand {what}}}: there is no such hand.")
        return str(sum(hands))
    zone = next((zone for zone in zones if zone.id == what), None)
    if zone is None:
        known = ", ".join(zone.id for zone in zones)
        raise UnknownValue(f"{{{kind} {what}}}: there is no such zone, but {known}.")
    if kind == "count":
        return str(zone.count)
    if not zone.cards:
        raise UnknownValue(f"{{cards {what}}}: no card is face up there.")
    return " ".join(zone.cards)
