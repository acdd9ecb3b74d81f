"""Who sits on a side, and how a side is called."""

from games.core.sides import seats_of_side, side_in_words


def test_partners_sit_opposite_each_other():
    assert [seats_of_side(side, 4, 2) for side in range(2)] == [(0, 2), (1, 3)]
    assert [side_in_words(side, 4, 2) for side in range(2)] == ["@0 and @2", "@1 and @3"]


def test_without_partners_a_side_is_a_seat():
    assert [seats_of_side(side, 3, 3) for side in range(3)] == [(0,), (1,), (2,)]
    assert side_in_words(2, 3, 3) == "@2"
