"""Race to the target of Cribbage: the chance of winning by what both sides still need.

Who counts first matters near the end, so points alone are not what a bot plays for. The chances follow, from the end of
the game backwards, from how often each side scores how much in a deal.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from operator import mul
from typing import TypeAlias

from games.bots.crib_worth import OTHERS_PEGS, OTHERS_SHOW, OWN_PEGS, OWN_SHOW

LONGEST = 121  # points that a game may need
UNKNOWN = 0.5  # the chance after a deal without points, which hardly ever happens

Chances: TypeAlias = list[list[float]]
"""Of the side that deals next, by what it needs and by what the other side needs."""


@cache
def chances_in(seats: int) -> Chances:
    """The chances in a game of hands and cribs."""
    pegs = Step(OTHERS_PEGS[seats], is_dealers=False), Step(OWN_PEGS[seats], is_dealers=True)
    return chances_of((*pegs, Step(OTHERS_SHOW[seats], is_dealers=False), Step(OWN_SHOW[seats], is_dealers=True)))


class Step:
    """A part of a deal in which one side scores. shares: how often it scores 0, 1, 2 ... points.

    after: the dealer's chance then, by what the other one of the two sides needs and by what this one does; at the
    start of a row are the needs below one, with which this side has won.
    """

    def __init__(self, shares: Sequence[float], *, is_dealers: bool) -> None:
        self.most = len(shares) - 1
        self.shares = shares[::-1]
        self.is_dealers = is_dealers
        self.after = [[float(is_dealers)] * (self.most + 1) + [UNKNOWN] * LONGEST for _need in range(LONGEST + 1)]

    def set_after(self, dealer: int, other: int, chance: float) -> None:
        other_side, side = (other, dealer) if self.is_dealers else (dealer, other)
        self.after[other_side][side + self.most] = chance

    def chance(self, dealer: int, other: int) -> float:
        """The dealer's chance before the step, by what the sides need."""
        other_side, side = (other, dealer) if self.is_dealers else (dealer, other)
        chance: float = sum(map(mul, self.shares, self.after[other_side][side : side + self.most + 1]))
        return chance


def chances_of(steps: Sequence[Step]) -> Chances:
    """The chances in a game whose deals have these steps, in this order; the sides deal in turns."""
    before = [[UNKNOWN] * (LONGEST + 1) for _need in range(LONGEST + 1)]
    for total in range(2, 2 * LONGEST + 1):
        needs = [(dealer, total - dealer) for dealer in range(max(1, total - LONGEST), min(LONGEST, total - 1) + 1)]
        for later, earlier in pairwise(reversed(steps)):
            for dealer, other in needs:
                earlier.set_after(dealer, other, later.chance(dealer, other))
        for dealer, other in needs:
            before[dealer][other] = steps[0].chance(dealer, other)
        for dealer, other in needs:
            steps[-1].set_after(dealer, other, 1 - before[other][dealer])
    return before
