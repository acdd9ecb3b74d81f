"""Mirrored matches between bots."""

from itertools import groupby
from random import Random

from games.bots.matches import compare, score_share
from games.core.contract import Outcome
from games.engines.casino.game import CASINO


class Recorder:
    """Plays its first move and notes for which seat."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def choose(self, view, rng: Random):
        self.seats.append(view.seat)
        return view.moves[0]


def test_a_side_is_measured_by_the_opponents_it_left_behind():
    outcome = Outcome((10, 90, 10, 90), (1, 3, 1, 3), "")
    assert score_share(outcome, (0, 2)) == 1
    assert score_share(outcome, (1, 3)) == 0
    assert score_share(Outcome((5, 5, 1), (1, 1, 3), ""), (0,)) == 0.75


def test_partners_are_of_one_kind():
    bots = Recorder(), Recorder()
    options = {"partners": True, "target": 11}
    compare(CASINO, *bots, seats=4, matches=1, seed=1, options=options)
    for bot in bots:
        sides = [set(seats) for _side, seats in groupby(bot.seats, key=lambda seat: seat % 2)]
        assert sorted(map(sorted, sides)) == [[0, 2], [1, 3]]
