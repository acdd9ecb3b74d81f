"""Rollouts: what a move brings, measured in sampled worlds that bots play on to the end of the hand.

A world is a full state that the view cannot tell from the real one (`Game.sample`). Every move is tried in the same
worlds with the same random choices afterwards, so the difference between two moves is known better than either alone.
A bot that `PlaysOut` does that in its own way, one that `PlaysOpen` sees all cards. All others see only their own
views while they play on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Any, TypeAlias

from games.bots import Bot, PlaysOpen, PlaysOut
from games.bots.matches import score_share
from games.core.contract import Game, HandResult, Move, Options, Outcome, State, View

LONGEST = 500  # moves of a hand; one that takes longer has no outcome here
PERCENT = 100.0
LOGISTIC = 1.7  # makes a logistic curve of a normal one

Scored: TypeAlias = tuple[str, int, float]
"""What a side has scored, or may expect to: the full id of the rule, the side, points."""


class TooLong(Exception):
    """A hand did not end within `LONGEST` moves."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of a paired difference. error: half of its 95 % confidence interval."""

    mean: float
    error: float

    @property
    def low(self) -> float:
        return self.mean - self.error

    @property
    def high(self) -> float:
        return self.mean + self.error


class Rollouts:
    """Outcomes of moves for the seat of a view, by move, one for each world. More worlds are added with `add`.

    An outcome is the lead that the side gains over the others in points, or, in a game without points, the share of
    opponents left behind in percent.

    swing: points by which one hand usually changes the lead. With it, outcomes are chances of winning in percent, as
    they should be where the game may end with the hand (`chance_of`); not for a bot that `PlaysOut`.
    """

    def __init__(
        self, game: Game[Any, Any, Any], view: View, bot: Bot, seed: str, *, swing: float | None = None
    ) -> None:
        assert view.seat is not None, "only a player has moves to compare"
        self.game = game
        self.view = view
        self.bot = bot
        self.seed = seed
        self.seat = view.seat
        self.side = next(side for side in game.sides(view.options, view.seats) if self.seat in side)
        self.outcomes: dict[Move, list[float]] = {}
        self.swing = swing
        self.in_percent = swing is not None or not (view.has_scores or isinstance(bot, PlaysOut))
        self.worlds = 0
        self._ended = 0

    def add(self, moves: Iterable[Move]) -> None:
        """One more world, in which each of these moves is tried. :raises TooLong:"""
        seed = f"{self.seed} {self.worlds}"
        world = self.world(Random(seed))
        for move in moves:
            if isinstance(self.bot, PlaysOut):
                outcome = sum(self._lead_by_rule(self.bot, world, move).values())
            else:
                outcome = self._outcome(world.copy(), move, Random(seed))
            self.outcomes.setdefault(move, []).append(outcome)
        self.worlds += 1

    def world(self, rng: Random) -> State:
        state: State = self.game.sample(self.view, rng)
        return state

    def _lead_by_rule(self, bot: PlaysOut, world: State, move: Move) -> dict[str, float]:
        return bot.lead_by_rule(world, move)

    def _outcome(self, state: State, move: Move, rng: Random) -> float:
        before, hands = self._lead(self.view.scores), len(state.results)
        state.play(self.seat, move)
        played = 1
        while state.to_act and len(state.results) == hands:
            if played == LONGEST:
                raise TooLong
            state.play(state.to_act[0], self._next_move(state, rng))
            played += 1
        outcome = state.outcome()
        self._ended += outcome is not None
        if outcome is None and self.swing is not None:
            return PERCENT * chance_of(self._lead(state.view(None).scores), self.swing)
        if self.in_percent:
            return self._share_won(outcome)
        return self._lead(self._scores(state)) - before

    def _next_move(self, state: State, rng: Random) -> Move:
        if isinstance(self.bot, PlaysOpen):
            return self.bot.choose_open(state, rng)
        return self.bot.choose(state.view(state.to_act[0]), rng)

    def _scores(self, state: State) -> Sequence[int]:
        """The scores that count when a world has been played on; at the end of a game with its bonuses."""
        outcome = state.outcome()
        return outcome.scores if outcome else state.view(None).scores

    def _share_won(self, outcome: Outcome | None) -> float:
        assert outcome is not None, "a game without points ends with its hand"
        return PERCENT * score_share(outcome, self.side)

    def _lead(self, scores: Sequence[int]) -> float:
        """Lead over the average of the other sides."""
        options: Options = self.view.options
        merits = self.game.merits(options, scores)
        others = [merits[side[0]] for side in self.game.sides(options, self.view.seats) if side != self.side]
        return merits[self.seat] - sum(others) / len(others)

    # What the outcomes say

    @property
    def lead(self) -> float:
        """The side's lead in points before the move."""
        return self._lead(self.view.scores)

    @property
    def endings(self) -> float:
        """Share of the outcomes with which the game was over."""
        return self._ended / sum(map(len, self.outcomes.values()))

    def mean(self, move: Move) -> float:
        return _mean(self.outcomes[move])

    def spread(self, move: Move) -> float:
        """Standard deviation of the outcomes of a move: how much chance there is in the hand."""
        return _spread(self.outcomes[move])

    def difference(self, move: Move, other: Move) -> Difference:
        """What a move gains over another one, in the worlds in which both were tried."""
        pairs = zip(self.outcomes[move], self.outcomes[other], strict=False)
        gained = [mine - theirs for mine, theirs in pairs]
        return Difference(_mean(gained), 1.96 * _spread(gained) / sqrt(len(gained)))

    @property
    def is_certain(self) -> bool:
        """Whether no move has had different outcomes: chance has no part in them."""
        return all(len(set(outcomes)) == 1 for outcomes in self.outcomes.values())

    def ranked(self) -> list[Move]:
        """The moves tried, best first."""
        return sorted(self.outcomes, key=self.mean, reverse=True)


def scored_lines(result: HandResult, sides: int = 2) -> Iterator[Scored]:
    """The lines of a score sheet. Seats are numbered so that partners are `sides` apart."""
    return ((line.rule, line.seats[0] % sides, line.points) for line in result.lines if line.seats)


def lead_of_scored(scored: Iterable[Scored], side: int, sides: int = 2) -> dict[str, float]:
    """The lead that each rule gives a side over the average of the others."""
    leads: defaultdict[str, float] = defaultdict(float)
    for rule, scorer, points in scored:
        leads[rule] += points if scorer == side else -points / (sides - 1)
    return leads


def chance_of(lead: float, spread: float) -> float:
    """Estimated chance of winning with this lead, where what is to come changes it by about `spread` points.

    A logistic curve close to the normal distribution.
    """
    return 1 / (1 + exp(-LOGISTIC * lead / spread)) if spread else 0.5 + 0.5 * ((lead > 0) - (lead < 0))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _spread(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))
