"""Race to the target of Cribbage: the chance of winning by what both sides still need.

Who counts first matters near the end, so points alone are not what a bot plays for. The chances follow, from the end of
the game backwards, from how often each side scores how much in a deal (`games.bots.crib_worth`).
"""

from collections.abc import Sequence
from functools import cache
from operator import mul

from games.bots.crib_worth import OTHERS_PEGS, OTHERS_SHOW, OWN_PEGS, OWN_SHOW

LONGEST = 121  # points that a game may need
UNKNOWN = 0.5  # the chance after a deal without points, which hardly ever happens


def chance_of_dealer(seats: int, dealer: int, other: int) -> float:
    """The chance of the side that deals next to win, by the points that both sides need."""
    return _chances(seats)[dealer][other]


@cache
def _chances(seats: int) -> list[list[float]]:
    """By what the dealer's side needs and by what the other needs, before the deal.

    A deal has four steps, each with a table of the dealer's chance before it: the other side pegs, the dealer's side
    pegs, the other side counts, the dealer's side counts. Those of the dealer go by the other's need first.
    """
    counts, pegs = _Step(OWN_SHOW[seats], won=1.0), _Step(OWN_PEGS[seats], won=1.0)
    others_counts, others_pegs = _Step(OTHERS_SHOW[seats], won=0.0), _Step(OTHERS_PEGS[seats], won=0.0)
    before = [[UNKNOWN] * (LONGEST + 1) for _need in range(LONGEST + 1)]
    for total in range(2, 2 * LONGEST + 1):
        pairs = [(need, total - need) for need in range(max(1, total - LONGEST), min(LONGEST, total - 1) + 1)]
        for dealer, other in pairs:
            others_counts.after[dealer][other + others_counts.most] = counts.chance(other, dealer)
        for dealer, other in pairs:
            pegs.after[other][dealer + pegs.most] = others_counts.chance(dealer, other)
        for dealer, other in pairs:
            others_pegs.after[dealer][other + others_pegs.most] = pegs.chance(other, dealer)
        for dealer, other in pairs:
            before[dealer][other] = others_pegs.chance(dealer, other)
        for dealer, other in pairs:
            counts.after[other][dealer + counts.most] = 1 - before[other][dealer]
    return before


class _Step:
    """A side scores. after: the dealer's chance then, by what the other side and this side need.

    shares: how often it scores 0, 1, 2 ... points. won: the dealer's chance if it needs no more.
    """

    def __init__(self, shares: Sequence[float], *, won: float) -> None:
        self.most = len(shares) - 1
        self.shares = shares[::-1]
        self.after = [[won] * (self.most + 1) + [UNKNOWN] * LONGEST for _need in range(LONGEST + 1)]

    def chance(self, other: int, need: int) -> float:
        """The dealer's chance before the step."""
        chance: float = sum(map(mul, self.shares, self.after[other][need : need + self.most + 1]))
        return chance
