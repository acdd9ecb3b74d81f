"""Expert search: tries the moves of a position in sampled worlds that a quicker player plays on to the end of the hand.

Information-set Monte Carlo with an adviser. The strong bot's choice stands unless another move gains more than it in
the same worlds by clearly more than their error, so a small budget plays no worse than the strong bot. Moves that are
clearly worse than the best one drop out after some worlds, and the rest is tried in more of them. Worlds in which the
others hold what their moves make likely are preferred.

The budget is a number of worlds and of moves played on, never of seconds: the same view and random numbers give the
same move on every machine. Each game sets it so that a move takes less than two seconds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias, cast

from games.bots import Bot, PlaysOut
from games.bots.rollouts import Rollouts, TooLong
from games.core.contract import Game, Move, State, View

ROUND = 8  # worlds between two looks at which moves are still worth trying; in fewer, equal outcomes prove nothing

Likelihood: TypeAlias = Callable[[Any, Any], float]
"""How well a sampled state fits what the moves of the others tell, by the view that it was sampled from."""


@dataclass(slots=True)
class Counted:
    """A bot with a count of the moves that it has chosen."""

    bot: Bot
    moves: int = 0

    def choose(self, view: Any, rng: Random) -> Move:
        self.moves += 1
        return self.bot.choose(view, rng)


class SearchRollouts(Rollouts):
    """Rollouts in the likeliest of some sampled worlds each."""

    def __init__(self, expert: "Expert", view: View, plays_on: Bot, seed: str) -> None:
        super().__init__(expert.game, view, plays_on, seed)
        self.likelihood, self.draws = expert.likelihood, expert.draws

    def world(self, rng: Random) -> State:
        found = [self.game.sample(self.view, rng) for _ in range(self.draws)]
        likeliest: State = max(found, key=lambda state: self.likelihood(self.view, state))
        return likeliest


def all_moves(view: View) -> Sequence[Move]:
    return view.moves


def all_alike(_view: View, _world: State) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Expert:
    """A bot that searches.

    adviser: the strong bot. plays_on: the bot that plays worlds on, or a quick way to do so (`PlaysOut`).
    worlds, effort: the most worlds, and the most moves chosen while they are played on. candidates: moves that are
    tried, of a longer list a sample. caution: how many errors a move must gain over the adviser's.
    moves_of: the moves worth trying; none where the adviser is known to be right. likelihood, draws: a world is the
    likeliest of so many.
    """

    game: Game[Any, Any, Any]
    adviser: Bot
    plays_on: Bot | PlaysOut
    worlds: int = 240
    effort: int = 4000
    candidates: int = 12
    caution: float = 1.0
    moves_of: Callable[[Any], Sequence[Move]] = all_moves
    likelihood: Likelihood = all_alike
    draws: int = 1

    def choose(self, view: Any, rng: Random) -> Move:
        advised = self.adviser.choose(view, rng)
        tried = [advised, *self._others(view, advised, rng)]
        if len(tried) == 1:
            return advised
        player = Counted(cast(Bot, self.plays_on))
        plays_on = cast(Bot, self.plays_on) if isinstance(self.plays_on, PlaysOut) else player
        seed = f"{rng.getrandbits(64)}"
        rollouts = SearchRollouts(self, view, plays_on, seed)
        try:
            while len(tried) > 1 and rollouts.worlds < self.worlds and player.moves < self.effort:
                rollouts.add(tried)
                if rollouts.worlds % ROUND == 0:
                    best = max(tried, key=rollouts.mean)
                    tried = [move for move in tried if move == advised or rollouts.difference(move, best).high >= 0]
        except TooLong:
            return advised
        if rollouts.worlds < ROUND:
            return advised
        best = max(tried, key=rollouts.mean)
        gain = rollouts.difference(best, advised)
        return best if gain.mean > self.caution * gain.error else advised

    def _others(self, view: Any, advised: Move, rng: Random) -> list[Move]:
        moves = [move for move in self.moves_of(view) if move != advised]
        return moves if len(moves) < self.candidates else rng.sample(moves, self.candidates - 1)
