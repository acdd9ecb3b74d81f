"""Where holes and pegs of a cribbage board lie."""

import pytest

from games.core.contract import Peg, Track
from games.presentation.pegboard import HOLE_APART, draw_pegs

NAMES = ["Ada", "Ben", "Cleo", "Dan"]


def board(length: int, *scores: tuple[int, int]):
    pegs = tuple(Peg((seat, seat + 2), front, rear) for seat, (front, rear) in enumerate(scores))
    return draw_pegs(Track(length, pegs), NAMES)


@pytest.mark.parametrize(("length", "streets"), [(61, 2), (121, 4)])
def test_every_score_has_a_hole_of_its_own_inside_the_drawing(length: int, streets: int):
    drawn = board(length, (0, 0), (0, 0))
    holes = [hole for lane in drawn.lanes for hole in drawn.holes(lane.number)]
    assert len(set(holes)) == len(holes) == 2 * (length + 1)
    assert all(0 < hole.x < drawn.width and 0 < hole.y < drawn.height for hole in holes)
    assert len({hole.y for hole in drawn.holes(0)}) == streets


def test_a_street_goes_back_below_the_hole_where_the_last_one_ended():
    holes = board(121, (0, 0)).holes(0)
    assert holes[31].x == holes[30].x
    assert holes[32].x == holes[31].x - HOLE_APART
    assert holes[31].y > holes[30].y


def test_pegs_stand_at_the_last_two_scores_and_never_beyond_the_end():
    drawn = board(121, (130, 118), (7, 5))
    first, second = drawn.lanes
    assert (first.front, first.rear) == (121, 118)
    assert (second.front, second.rear) == (7, 5)


def test_the_board_is_told_in_words():
    assert board(61, (12, 10), (3, 0)).sentence == "Ada and Cleo at 12 of 61; Ben and Dan at 3 of 61"
