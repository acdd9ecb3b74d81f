"""The sentences of Cribbage."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card
from games.core.contract import Event, Phrase
from games.engines.partnership_cribbage.moves import Claim, Muggins
from games.engines.partnership_cribbage.scoring import Pegging

_WORDS = {
    "peg-fifteen": "fifteen",
    "thirty-one": "thirty-one",
    "go-point": "the go",
    "last-card": "the last card",
    "his-heels": "his heels",
    "show-fifteen": "fifteens",
    "show-run": "runs",
    "show-flush": "a flush",
    "crib-flush": "a flush",
    "his-nobs": "his nobs",
}
_OF_A_RANK = {2: "a pair", 6: "three of a rank", 12: "four of a rank"}


def scored_words(rule: str, points: int) -> str:
    """What scored, in words."""
    if rule == "peg-pair":
        return _OF_A_RANK.get(points, "a pair")
    if rule == "show-pair":
        return "a pair" if points == 2 else "pairs"
    return f"a run of {points}" if rule == "peg-run" else _WORDS[rule]


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def for_points(count: int, points: int) -> str:
    return f"{count} for {points}" if points else str(count)


def deed_event(seat: int, card: Card | None, count: int, gained: Sequence[Pegging]) -> Event:
    if card is None:
        return Event(seat, Phrase("say", "go"))
    said = for_points(count, sum(peg.points for peg in gained))
    what = f" ({', '.join(scored_words(peg.rule, peg.points) for peg in gained)})" if gained else ""
    return Event(seat, Phrase("play", f"{card}: {said}{what}"), (card,))


def claim_phrase(move: Claim | Muggins) -> Phrase:
    if isinstance(move, Claim):
        return Phrase("count", counted(move.points, "point"))
    return Phrase("claim", f"{counted(move.points, 'point')} that were overlooked" if move.points else "nothing")
