import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.best_of import EXTRA_GAMES, Decision, Game, decide, seat_order

FIRST, SECOND = Game((1, 2), (21, 10)), Game((2, 1), (10, 21))
DRAW = Game((1, 1), (15, 15))
SEEDS = (3, 2)


@pytest.mark.parametrize(
    ("best_of", "games", "winner"),
    [
        (1, [FIRST], 0),
        (1, [DRAW, SECOND], 1),
        (3, [FIRST], None),
        (3, [FIRST, SECOND], None),
        (3, [FIRST, SECOND, SECOND], 1),
        (3, [FIRST, DRAW, SECOND, FIRST], 0),
        (5, [SECOND, SECOND, SECOND], 1),
    ],
)
def test_more_than_half_of_the_games_wins(best_of, games, winner):
    decision = decide(games, best_of=best_of, seeds=SEEDS)
    assert (decision and decision.places.index(1)) == winner


def test_a_draw_is_played_again_but_not_for_ever():
    assert decide([DRAW] * EXTRA_GAMES, best_of=1, seeds=SEEDS) is None
    assert decide([DRAW] * (EXTRA_GAMES + 1), best_of=1, seeds=SEEDS) is not None


def test_after_the_extra_games_more_wins_decide_first():
    games = [SECOND, DRAW, DRAW, DRAW, Game((1, 1), (90, 0))]
    assert decide(games, best_of=3, seeds=SEEDS) == Decision((2, 1), "more games won")


def test_then_the_points_of_all_games():
    games = [DRAW, DRAW, Game((1, 1), (15, 14))]
    assert decide(games, best_of=1, seeds=SEEDS) == Decision((1, 2), "more points in all games")


def test_at_last_the_better_seed():
    games = [DRAW, DRAW, DRAW]
    decision = decide(games, best_of=1, seeds=SEEDS)
    assert decision == Decision((2, 1), "level in games and points, so the better seed goes on")


@settings(deadline=None)
@given(st.integers(0, 4), st.lists(st.sampled_from([FIRST, SECOND, DRAW]), min_size=11, max_size=11))
def test_every_match_ends_with_one_winner(half, games):
    best_of = 2 * half + 1
    decisions = [decide(games[:n], best_of=best_of, seeds=SEEDS) for n in range(best_of + EXTRA_GAMES + 1)]
    decided = [decision for decision in decisions if decision]
    assert decided
    assert decided[0].places.count(1) == 1


def test_seats_change_from_game_to_game():
    assert [seat_order(game, 2, first=1) for game in (1, 2, 3)] == [(1, 0), (0, 1), (1, 0)]
    assert [seat_order(game, 3, first=0) for game in (1, 2, 3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
