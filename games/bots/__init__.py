"""House bots: a bot gets a view, never a state, and returns a legal move.

Each game has a module here, named after its slug, with one bot for each level; `bot("casino", "club")` finds it. Its
`reason` explains a move, and `comparison`, which some have, why one is better than another. The experts, which search
longer than a request may take, are in `games.bots.experts`.
"""

from dataclasses import dataclass
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from games.core.contract import Move

LEVELS = {"first-steps": "First steps", "club": "Club", "strong": "Strong", "expert": "Expert"}
EXPERT = "expert"
QUICK_LEVELS = tuple(level for level in LEVELS if level != EXPERT)
"""Levels whose bots answer within a request. Experts think for up to two seconds, so they play in workers alone."""


class Bot(Protocol):
    """Chooses a move for the seat of a view that is to act, within about 300 ms of computing; experts within 2 s."""

    def choose(self, view: Any, rng: Random) -> Move: ...


@runtime_checkable
class PlaysOut(Protocol):
    """A bot that has a quick way to play a sampled world on.

    prize: what it counts for winning the game, in points on top of those scored; 0 where points are all it counts.
    """

    prize: float

    def lead_by_rule(self, world: Any, move: Any) -> dict[str, float]:
        """The points that the mover's side gains on the others with the move, the hand played on, by full rule id.

        Where playing on stops before the end of the hand, they are an estimate. The world stays as it is.
        """


@runtime_checkable
class PlaysOpen(Protocol):
    """A bot that can move in a sampled world with all its cards open, which is quicker than to see only a view."""

    def choose_open(self, world: Any, rng: Random) -> Move:
        """A move of the seat to act. The world stays as it is."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a move, in a sentence or two: facts that follow from the view, with cards in their text form.

    rule: the full id of the rule behind it, "" if it is a matter of strategy. risk: what speaks against the move, which
    a review says of a mistake; "" for nothing.
    """

    text: str
    rule: str = ""
    risk: str = ""


def bot(slug: str, level: str) -> Bot:
    """The house bot of a game. :raises KeyError: there is no such game or level."""
    if level == EXPERT:
        expert: Bot = import_module("games.bots.experts").EXPERTS[slug]
        return expert
    found: Bot = _module(slug).LEVELS[level]
    return found


def reason(slug: str, view: Any, move: Move) -> Reason:
    """The reason for a legal move of this view. :raises KeyError: no such game."""
    said: Reason = _module(slug).reason(view, move)
    return said


def comparison(slug: str, view: Any, better: Move, other: Move) -> Reason | None:
    """What sets a better move apart from another legal one; None where the game has nothing to say about the two."""
    compare = getattr(_module(slug), "comparison", None)
    said: Reason | None = compare(view, better, other) if compare else None
    return said


def _module(slug: str) -> ModuleType:
    try:
        return import_module(f"games.bots.{slug.replace('-', '_')}")
    except ModuleNotFoundError:
        raise KeyError(slug) from None
