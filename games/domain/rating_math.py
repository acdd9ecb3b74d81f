"""Rating maths: a player's skill as a distribution, and its update after a game. Pure.

A skill is a normal distribution, changed after each game by the Plackett-Luce model of R. Weng and C.-J. Lin,
"A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011), which openskill computes. It takes any number of
sides, partners and draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

START = 1500
# Elo's scale: 400 points more mean odds of ten to one. In the model the odds between two players whose strength is
# known are exp(difference / (beta * sqrt(2))).
POINTS_PER_UNIT = 400 / (log(10) * sqrt(2) * _MODEL.beta)
# 150 points; a newcomer falls below it after ten to twenty games
PROVISIONAL_SIGMA = 150 / POINTS_PER_UNIT


@dataclass(frozen=True, slots=True)
class Skill:
    """mu: the mean. sigma: the standard deviation; it falls with every game."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @classmethod
    def of_number(cls, number: float) -> "Skill":
        """A skill that is shown as this number, and as uncertain as a newcomer's."""
        return cls(mu=_MODEL.mu + (number - START) / POINTS_PER_UNIT)

    @property
    def number(self) -> int:
        """What pages show: 1500 for a newcomer, and then `POINTS_PER_UNIT` times what mu has moved."""
        return round(START + (self.mu - _MODEL.mu) * POINTS_PER_UNIT)

    @property
    def margin(self) -> int:
        """The 95 % margin in points: how far the true rating may be from the one shown."""
        return round(1.96 * self.sigma * POINTS_PER_UNIT)

    @property
    def is_provisional(self) -> bool:
        """Whether there are too few games to say much."""
        return self.sigma > PROVISIONAL_SIGMA


def after_game(sides: Sequence[Sequence[Skill]], places: Sequence[int]) -> list[list[Skill]]:
    """The skills after a game between these sides. places: by side, lower is better, equal places drew."""
    before = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma) for skill in side] for side in sides]
    after = _MODEL.rate(before, ranks=list(places))
    return [[Skill(rating.mu, rating.sigma) for rating in side] for side in after]
