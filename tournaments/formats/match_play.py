"""Matches of several games: the score, whether another game is needed, and the winner.

Three rules: "best-of" an odd number of games goes to the side that wins more than half of them; in "all-games" the
games won decide, in "points" the points of all games together, and in both of these every game is played.

A match may be drawn where the format allows it. Where a winner is needed, a level match goes on, with the seats
changed, for up to `EXTRA_GAMES` more than planned; then games won decide, then the points of all games together, then
the better seed. Nothing is ever decided by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

EXTRA_GAMES = 2
MATCH_RULES = ("best-of", "all-games", "points")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game of a match. places and points: by side; 1 is first, and more points are better."""

    places: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def winner(self) -> int | None:
        """The side alone in first place, None for a draw."""
        return self.places.index(1) if self.places.count(1) == 1 else None

    def beaten(self, side: int) -> int:
        """Two for each side that is behind, one for each that is level: it orders the sides as their places do."""
        own = self.places[side]
        return sum(2 * (own < other) + (own == other) for other in self.places) - 1


@dataclass(frozen=True, slots=True)
class Decision:
    """places: by side; a drawn match shares the first. reason: how it was decided, in words."""

    places: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class MatchRule:
    """How a match is won.

    kind: one of `MATCH_RULES`. games: how many are planned; odd for "best-of". needs_winner: it cannot be drawn.
    """

    kind: str
    games: int
    needs_winner: bool = True

    def __post_init__(self) -> None:
        if self.kind not in MATCH_RULES:
            raise ValueError(f"There is no rule {self.kind!r}, only {', '.join(MATCH_RULES)}.")
        if self.games < 1 or (self.kind == "best-of" and self.games % 2 == 0):
            raise ValueError(f"A match by {self.kind!r} cannot have {self.games} games.")

    def decide(self, games: Sequence[GameRecord], *, seeds: Sequence[int]) -> Decision | None:
        """The result of a match, None if another game is to be played.

        games: those finished, in order. seeds: by side; a table of more than two sides works, too.
        """
        won, made = games_won(games, len(seeds)), points_of_games(games, len(seeds))
        merits: Sequence[Any] = made if self.kind == "points" else _by_games(games, won)
        result = self._result(places_of(merits), won, made)
        if self.kind == "best-of" and max(won) > self.games // 2:
            return result
        if len(games) < self.games:
            return None
        if not self.needs_winner or (self.kind != "best-of" and result.places.count(1) == 1):
            return result
        if len(games) < self.games + EXTRA_GAMES:
            return None
        return _with_winner(won, made, seeds)

    def _result(self, places: tuple[int, ...], won: Sequence[int], made: Sequence[int]) -> Decision:
        if self.kind == "points":
            score = _score(made, "points")
        else:
            score = self._games_in_words(won) if len(places) == 2 else "the places at the table"
        return Decision(places, f"drawn, {score}" if places.count(1) == len(places) else score)

    def _games_in_words(self, won: Sequence[int]) -> str:
        return "one game" if self.games == 1 and sum(won) <= 1 else _score(won, "games")

    def on_score(self, games: Sequence[GameRecord], *, running: Sequence[int] = (), seeds: Sequence[int]) -> Decision:
        """The result of a match that is not played to its end: what decides is what counted in it so far.

        running: points by side of the game that is being played, () if none is.
        """
        won, made = games_won(games, len(seeds)), points_of_games(games, len(seeds))
        made = tuple(map(sum, zip(made, running, strict=True))) if running else made
        by_games = _by_games(games, won)
        order = (made, by_games) if self.kind == "points" else (by_games, made)
        places = places_of(list(zip(*order, strict=True)))
        score = f"on the score, {_score(won, 'games')} and {_score(made, 'points')}"
        if places.count(1) > 1 and self.needs_winner:
            places = places_of(list(zip(*order, (-seed for seed in seeds), strict=True)))
            score += "; tied, so the better seed advances"
        return Decision(places, score)


def games_won(games: Sequence[GameRecord], sides: int) -> tuple[int, ...]:
    """Games won by each side."""
    return tuple(sum(game.winner == side for game in games) for side in range(sides))


def points_of_games(games: Sequence[GameRecord], sides: int) -> tuple[int, ...]:
    """Points made by each side in all games together."""
    return tuple(sum(game.points[side] for game in games) for side in range(sides))


def places_of(merits: Sequence[Any]) -> tuple[int, ...]:
    """Places for merits that can be compared, more is better: 1 + the number of better ones."""
    return tuple(1 + sum(other > own for other in merits) for own in merits)


def sides_in_seat_order(game: int, sides: int, *, first: int) -> tuple[int, ...]:
    """Sides in seat order for a game: each one moves a seat on from game to game.

    game: from 1. first: the side in seat 0 of game 1.
    """
    return tuple((first + game - 1 + seat) % sides for seat in range(sides))


def _by_games(games: Sequence[GameRecord], won: Sequence[int]) -> list[tuple[int, int]]:
    """Sort key: games won, then entrants left behind, so that one game of many sides keeps its places."""
    return [(count, sum(game.beaten(side) for game in games)) for side, count in enumerate(won)]


def _with_winner(won: Sequence[int], made: Sequence[int], seeds: Sequence[int]) -> Decision:
    for merit, reason in ((won, "more games won"), (made, "more points in all games")):
        if merit.count(max(merit)) == 1:
            return Decision(places_of(merit), reason)
    return Decision(places_of([-seed for seed in seeds]), "tied in games and points, so the better seed advances")


def _score(numbers: Sequence[int], what: str) -> str:
    return f"{' : '.join(map(str, numbers))} {what}"
