"""A match of several games: who has won it, or that another game is needed.

A match is the best of an odd number of games. A drawn game counts for nobody and is played again, with the
seats changed, up to `EXTRA_GAMES` more than planned. A match that is level even then goes to the side with
more games won, then to the higher total of points, then to the better seed. Nothing is ever decided by
chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EXTRA_GAMES = 2


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game of a match. places and scores: by side; 1 is first and more is better."""

    places: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def winner(self) -> int | None:
        """The side alone in first place, None for a draw."""
        return self.places.index(1) if self.places.count(1) == 1 else None


@dataclass(frozen=True, slots=True)
class Decision:
    """places: by side. reason: how it was decided, in words."""

    places: tuple[int, ...]
    reason: str


def wins(games: Sequence[Game], sides: int) -> tuple[int, ...]:
    """Games won by each side."""
    return tuple(sum(game.winner == side for game in games) for side in range(sides))


def points(games: Sequence[Game], sides: int) -> tuple[int, ...]:
    """Points made by each side in all games together."""
    return tuple(sum(game.scores[side] for game in games) for side in range(sides))


def decide(games: Sequence[Game], *, best_of: int, seeds: Sequence[int]) -> Decision | None:
    """The result of a match, None if another game is to be played.

    games: those finished, in order. best_of: odd. seeds: by side.
    """
    sides = len(seeds)
    won, made = wins(games, sides), points(games, sides)
    if max(won) > best_of // 2:
        return Decision(_places(won), " : ".join(map(str, won)))
    if len(games) < best_of + EXTRA_GAMES:
        return None
    for merit, reason in ((won, "more games won"), (made, "more points in all games")):
        if merit.count(max(merit)) == 1:
            return Decision(_places(merit), reason)
    return Decision(
        _places([-seed for seed in seeds]), "level in games and points, so the better seed goes on"
    )


def _places(merit: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other > own for other in merit) for own in merit)


def seat_order(game: int, sides: int, *, first: int) -> tuple[int, ...]:
    """Sides in seat order for a game: each one moves a seat on from game to game.

    game: from 1. first: the side in seat 0 of game 1.
    """
    return tuple((first + game - 1 + seat) % sides for seat in range(sides))
