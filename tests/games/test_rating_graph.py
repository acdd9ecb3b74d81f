"""The line of a rating over time."""

from games.presentation.rating_graph import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, graph


def points(drawn):
    return [tuple(map(float, point.split(","))) for point in drawn.points.split()]


def test_the_line_goes_from_edge_to_edge_and_up_when_the_rating_rises():
    (x0, y0), (x1, y1), (x2, y2) = points(graph([(0, 1500), (10, 1540), (100, 1520)]))
    assert (x0, x2) == (LEFT, WIDTH - RIGHT)
    assert x1 - x0 == (x2 - x0) / 10
    assert y0 > y2 > y1
    assert all(TOP <= y <= HEIGHT - BOTTOM for y in (y0, y1, y2))


def test_levels_are_round_numbers_around_the_line_and_few():
    for low, high in ((1500, 1500), (1493, 1512), (1180, 1907), (1499, 1501)):
        drawn = graph([(0, low), (1, high)])
        numbers = [level.number for level in drawn.levels]
        assert numbers[0] <= low and high < numbers[-1]
        assert 2 <= len(numbers) <= 6
        assert {number % 10 for number in numbers} == {0}


def test_a_level_lies_where_the_line_has_its_number():
    drawn = graph([(0, 1500), (1, 1540)])
    heights = {level.number: level.y for level in drawn.levels}
    assert points(drawn)[0][1] == heights[1500]
    assert drawn.end == (WIDTH - RIGHT, heights[1540])


def test_a_single_moment_is_a_point_at_the_left():
    assert points(graph([(5, 1500)]))[0][0] == LEFT
