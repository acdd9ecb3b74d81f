"""House bots: a bot sees a view, never a state, and answers with a legal move.

Each game has a module here with one bot a level, named after its slug; `bot("casino", "club")` finds it. There is also
the game's `reason`: what speaks for a move.
"""

from dataclasses import dataclass
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, Protocol

from games.core.contract import Move

LEVELS = {"first-steps": "First steps", "club": "Club", "strong": "Strong"}


class Bot(Protocol):
    """Chooses a move for the seat of a view that is to act, within about 300 ms of computing."""

    def choose(self, view: Any, rng: Random) -> Move: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for a move, in a sentence or two: facts that follow from the view, with cards in their text form.

    rule: the full id of the rule that it rests on, "" if it is a matter of play.
    """

    text: str
    rule: str = ""


def bot(slug: str, level: str) -> Bot:
    """The house bot of a game. :raises KeyError: there is no such game or level."""
    found: Bot = _module(slug).LEVELS[level]
    return found


def reason(slug: str, view: Any, move: Move) -> Reason:
    """What speaks for a legal move of this view. :raises KeyError: no such game."""
    said: Reason = _module(slug).reason(view, move)
    return said


def _module(slug: str) -> ModuleType:
    try:
        return import_module(f"games.bots.{slug.replace('-', '_')}")
    except ModuleNotFoundError:
        raise KeyError(slug) from None
