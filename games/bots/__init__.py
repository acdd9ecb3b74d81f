"""House bots: a bot sees a view, never a state, and answers with a legal move.

Each game has a module here with one bot a level, named after its slug; `bot("casino", "club")` finds it.
"""

from importlib import import_module
from random import Random
from typing import Any, Protocol

from games.core.contract import Move

LEVELS = {"first-steps": "First steps", "club": "Club", "strong": "Strong"}


class Bot(Protocol):
    """Chooses a move for the seat of a view that is to act, within about 300 ms of computing."""

    def choose(self, view: Any, rng: Random) -> Move: ...


def bot(slug: str, level: str) -> Bot:
    """The house bot of a game. :raises KeyError: there is no such game or level."""
    try:
        module = import_module(f"games.bots.{slug.replace('-', '_')}")
    except ModuleNotFoundError:
        raise KeyError(slug) from None
    found: Bot = module.LEVELS[level]
    return found
