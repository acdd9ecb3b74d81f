from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.match_play import (
    EXTRA_GAMES,
    MATCH_RULES,
    Decision,
    GameRecord,
    MatchRule,
    sides_in_seat_order,
)

FIRST, SECOND = GameRecord((1, 2), (21, 10)), GameRecord((2, 1), (10, 21))
DRAW = GameRecord((1, 1), (15, 15))
SEEDS = (3, 2)
rules = st.sampled_from(
    [
        MatchRule(kind, games, needs_winner)
        for kind, games, needs_winner in product(MATCH_RULES, (1, 2, 3, 4, 5), (True, False))
        if kind != "best-of" or games % 2
    ]
)
games_of_two = st.lists(
    st.builds(lambda a, b: GameRecord((1 + (b > a), 1 + (a > b)), (a, b)), st.integers(-9, 9), st.integers(-9, 9)),
    min_size=5 + EXTRA_GAMES,
    max_size=5 + EXTRA_GAMES,
)


def places(rule: MatchRule, games: list[GameRecord], seeds=SEEDS) -> tuple[int, ...] | None:
    decision = rule.decide(games, seeds=seeds)
    return decision.places if decision else None


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
    decision = MatchRule("best-of", best_of).decide(games, seeds=SEEDS)
    assert (decision and decision.places.index(1)) == winner


def test_a_draw_is_played_again_but_not_for_ever():
    rule = MatchRule("best-of", 1)
    assert places(rule, [DRAW] * EXTRA_GAMES) is None
    assert places(rule, [DRAW] * (EXTRA_GAMES + 1)) is not None


def test_after_the_extra_games_more_wins_decide_first():
    games = [SECOND, DRAW, DRAW, DRAW, GameRecord((1, 1), (90, 0))]
    assert MatchRule("best-of", 3).decide(games, seeds=SEEDS) == Decision((2, 1), "more games won")


def test_then_the_points_of_all_games():
    games = [DRAW, DRAW, GameRecord((1, 1), (15, 14))]
    assert MatchRule("best-of", 1).decide(games, seeds=SEEDS) == Decision((1, 2), "more points in all games")


def test_at_last_the_better_seed():
    decision = MatchRule("best-of", 1).decide([DRAW, DRAW, DRAW], seeds=SEEDS)
    assert decision == Decision((2, 1), "tied in games and points, so the better seed advances")


def test_a_draw_stands_where_no_winner_is_needed():
    assert MatchRule("best-of", 1, False).decide([DRAW], seeds=SEEDS) == Decision((1, 1), "drawn, one game")
    assert MatchRule("best-of", 3, False).decide([FIRST, DRAW, DRAW], seeds=SEEDS) == Decision((1, 2), "1 : 0 games")
    assert places(MatchRule("best-of", 3, False), [FIRST, DRAW]) is None


def test_all_games_are_played_even_when_the_match_is_won():
    rule = MatchRule("all-games", 4, False)
    assert places(rule, [FIRST, FIRST, FIRST]) is None
    assert rule.decide([FIRST, FIRST, FIRST, SECOND], seeds=SEEDS) == Decision((1, 2), "3 : 1 games")
    assert rule.decide([FIRST, SECOND, FIRST, SECOND], seeds=SEEDS) == Decision((1, 1), "drawn, 2 : 2 games")


def test_a_level_match_of_all_games_goes_on_where_a_winner_is_needed():
    rule = MatchRule("all-games", 2)
    assert places(rule, [FIRST, SECOND]) is None
    assert places(rule, [FIRST, SECOND, SECOND]) == (2, 1)
    assert places(rule, [FIRST, SECOND, DRAW]) is None


def test_points_of_all_games_count_for_more_than_games_won():
    rule = MatchRule("points", 3)
    games = [FIRST, FIRST, GameRecord((2, 1), (0, 40))]
    assert places(rule, games[:2]) is None
    assert rule.decide(games, seeds=SEEDS) == Decision((2, 1), "42 : 60 points")


def test_level_points_go_on_and_then_games_won_decide():
    level = [GameRecord((1, 2), (2, 0)), GameRecord((1, 2), (2, 0)), GameRecord((2, 1), (0, 4))]
    assert MatchRule("points", 3, False).decide(level, seeds=SEEDS) == Decision((1, 1), "drawn, 4 : 4 points")
    assert places(MatchRule("points", 3), level) is None
    assert places(MatchRule("points", 3), [*level, FIRST]) == (1, 2)
    assert MatchRule("points", 3).decide([*level, DRAW, DRAW], seeds=SEEDS) == Decision((1, 2), "more games won")


@pytest.mark.parametrize("finished", [(3, 1, 2, 4), (1, 1, 3, 4), (1, 2, 2, 2), (4, 1, 1, 3)])
def test_one_game_of_many_sides_keeps_its_places(finished):
    game = GameRecord(finished, tuple(10 - place for place in finished))
    for kind in ("best-of", "all-games"):
        rule = MatchRule(kind, 1, needs_winner=False)
        assert rule.decide([game], seeds=(1, 2, 3, 4)) == Decision(finished, "the places at the table")


@settings(deadline=None)
@given(rules, games_of_two)
def test_every_match_ends_in_time_with_a_winner_where_one_is_needed(rule, games):
    decided = [n for n in range(len(games) + 1) if places(rule, games[:n])]
    assert decided, "decided after the extra games at the latest"
    least = rule.games // 2 + 1 if rule.kind == "best-of" else rule.games
    most = rule.games + (EXTRA_GAMES if rule.needs_winner else 0)
    assert least <= decided[0] <= most
    result = places(rule, games[: decided[0]])
    assert result in ((1, 2), (2, 1)) if rule.needs_winner else result in ((1, 2), (2, 1), (1, 1))


@settings(deadline=None)
@given(rules, games_of_two, st.integers(0, 7), st.booleans())
def test_sides_are_treated_alike(rule, games, number, is_running):
    turned = [GameRecord(game.places[::-1], game.points[::-1]) for game in games]
    running = games[-1].points if is_running else ()
    for one, other in (
        (rule.decide(games[:number], seeds=(1, 2)), rule.decide(turned[:number], seeds=(2, 1))),
        (
            rule.on_score(games[:number], running=running, seeds=(1, 2)),
            rule.on_score(turned[:number], running=running[::-1], seeds=(2, 1)),
        ),
    ):
        assert (one and one.places) == (other and other.places[::-1])


def test_a_match_on_the_score_goes_by_games_won_and_then_by_points_with_the_running_game():
    rule = MatchRule("best-of", 5, needs_winner=False)
    ahead = rule.on_score([FIRST], running=(0, 90), seeds=SEEDS)
    assert ahead == Decision((1, 2), "on the score, 1 : 0 games and 21 : 100 points")
    assert rule.on_score([FIRST, SECOND], running=(3, 5), seeds=SEEDS).places == (2, 1)
    assert rule.on_score([], seeds=SEEDS).places == (1, 1)


def test_a_match_by_points_on_the_score_goes_by_points_first():
    assert MatchRule("points", 3).on_score([FIRST], running=(0, 90), seeds=SEEDS).places == (2, 1)


def test_a_level_score_gives_the_match_to_the_better_seed_where_a_winner_is_needed():
    decision = MatchRule("all-games", 2).on_score([DRAW], seeds=SEEDS)
    assert decision.places == (2, 1)
    assert decision.reason == "on the score, 0 : 0 games and 15 : 15 points; tied, so the better seed advances"


def test_a_table_of_four_can_be_decided_on_the_score():
    rule = MatchRule("best-of", 1, needs_winner=False)
    assert rule.on_score([], running=(4, 9, 9, 1), seeds=(1, 2, 3, 4)).places == (3, 1, 1, 4)


@pytest.mark.parametrize(("kind", "games"), [("best-of", 2), ("points", 0), ("coin-toss", 1)])
def test_rules_that_cannot_be_are_refused(kind, games):
    with pytest.raises(ValueError, match=kind):
        MatchRule(kind, games)


def test_seats_change_from_game_to_game():
    assert [sides_in_seat_order(game, 2, first=1) for game in (1, 2, 3)] == [(1, 0), (0, 1), (1, 0)]
    assert [sides_in_seat_order(game, 3, first=0) for game in (1, 2, 3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
