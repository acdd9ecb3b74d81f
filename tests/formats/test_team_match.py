"""Team matches, by themselves: points, ties, line-ups, and how teams are ranked."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import pytest

from tournaments.formats import make_format
from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot, match_points
from tournaments.formats.team_match import (
    BoardResult,
    TeamPlayer,
    TeamPoints,
    decide_team_match,
    line_up,
    with_team_points,
)

PLACES = {"1": (1, 2), "0": (2, 1), "=": (1, 1), "-": (2, 2)}


def boards(text: str) -> list[BoardResult]:
    """ "1 0= +" reads as a win, a loss, a draw and a win by forfeit of the first team."""
    found = []
    for sign in text.replace(" ", ""):
        how = "forfeit" if sign in "+~-" else "annulled" if sign == "x" else "played"
        found.append(BoardResult(PLACES[{"+": "1", "~": "0", "x": "="}.get(sign, sign)], how))
    return found


def decided(text: str, **about: object) -> tuple[object, ...]:
    decision = decide_team_match(boards(text), **{"needs_winner": False, "seeds": (2, 1), **about})
    return decision.places, tuple(map(str, decision.score)), decision.how, decision.reason


@pytest.mark.parametrize(
    ("text", "places", "score", "how", "reason"),
    [
        ("11=0", (1, 2), ("5/2", "3/2"), "played", "2½ : 1½ board points"),
        ("10", (1, 1), ("1", "1"), "played", "drawn, 1 : 1 board points"),
        ("0+", (1, 1), ("1", "1"), "played", "drawn, 1 : 1 board points"),
        ("++", (1, 2), ("2", "0"), "forfeit", "2 : 0 board points"),
        ("+~", (1, 1), ("1", "1"), "forfeit", "drawn, 1 : 1 board points"),
        ("--", (2, 2), ("0", "0"), "forfeit", "no one won a board"),
        ("1x", (1, 2), ("1", "0"), "played", "1 : 0 board points"),
    ],
)
def test_board_points_decide_a_match(text, places, score, how, reason):
    assert decided(text) == (places, score, how, reason)


@pytest.mark.parametrize(
    ("text", "winner", "reason"),
    [
        ("10", 0, "1 : 1 board points; board count 1 to 2"),
        ("01", 1, "1 : 1 board points; board count 2 to 1"),
        ("=1=0", 0, "2 : 2 board points; board count 4 to 6"),
        ("1001", 1, "2 : 2 board points; 1 : 2 on boards 1 to 3"),
        ("0110", 0, "2 : 2 board points; 2 : 1 on boards 1 to 3"),
        ("====", 1, "2 : 2 board points; level on every board, so the better seed advances"),
    ],
)
def test_a_level_match_of_a_knock_out_goes_to_the_top_boards(text, winner, reason):
    places, _, _, why = decided(text, needs_winner=True)
    assert (places.index(1), why) == (winner, reason)
    assert places.count(1) == 1


def test_a_team_that_has_left_does_not_win_a_level_match():
    places, _, _, why = decided("10", needs_winner=True, gone={0})
    assert (places, why) == ((2, 1), "1 : 1 board points; the other left")


def test_drawn_boards_are_told_apart_by_the_points_of_their_games_before_the_seeds():
    drawn = [BoardResult((1, 1), points=(10, 12)), BoardResult((1, 1), points=(8, 5))]
    decision = decide_team_match(drawn, needs_winner=True, seeds=(2, 1))
    assert (decision.places, decision.reason) == ((1, 2), "1 : 1 board points; more points in all games")


TEAM = [TeamPlayer(number) for number in range(1, 6)]


@pytest.mark.parametrize(
    ("rests", "away", "playing"),
    [
        ((), (), (1, 2, 3)),
        ((2,), (), (1, 3, 4)),
        ((), (1,), (2, 3, 4)),
        ((1,), (2,), (3, 4, 5)),
        ((1, 2), (3,), (3, 4, 5)),
        ((), (1, 2, 3, 4, 5), (1, 2, 3)),
        ((1, 2, 3), (), (4, 5)),
    ],
)
def test_a_line_up_keeps_the_order_and_takes_the_first_who_are_there(rests, away, playing):
    team = [replace(player, rests=player.id in rests, is_away=player.id in away) for player in TEAM]
    assert line_up(team, 3) == playing


# Points of the event


def match(spot: int, number: int, one: int, other: int, score: tuple[F, F], points: TeamPoints) -> MatchRecord:
    places = (1, 1) if score[0] == score[1] else (1, 2) if score[0] > score[1] else (2, 1)
    record = MatchRecord(Spot("rounds", number, spot), (one, other), places)
    return replace(record, points=score, worth=points.worth(places, "played", score))


def bye(spot: int, number: int, one: int, points: TeamPoints, how: str = "bye") -> MatchRecord:
    score = points.score((1,), how, (None,))
    record = MatchRecord(Spot("rounds", number, spot), (one,), (1,), how)
    return replace(record, points=score, worth=points.worth((1,), how, score))


@pytest.mark.parametrize(("how", "worth"), [("bye", F(2)), ("half-bye", F(1)), ("zero-bye", F(0))])
def test_a_bye_is_worth_its_match_points_and_half_of_the_boards(how, worth):
    record = bye(0, 1, 1, TeamPoints(4), how)
    assert match_points(record, 0) == worth
    assert record.points == (F(0) if how == "zero-bye" else F(2),)


def test_a_match_that_was_forfeited_as_a_whole_counts_as_all_boards():
    points = TeamPoints(4)
    assert points.score((2, 1), "forfeit", (None, None)) == (F(0), F(4))
    assert points.score((2, 2), "forfeit", (None, None)) == (F(0), F(0))


def ranked(slug: str, *, by_boards: bool) -> list[tuple[int, str, str]]:
    """Team 1 wins twice by 2½, team 2 draws and wins 4 : 0, team 3 has a bye and a narrow defeat."""
    points = TeamPoints(4, by_boards=by_boards)
    matches = [
        match(0, 1, 1, 4, (F(5, 2), F(3, 2)), points),
        match(1, 1, 2, 5, (F(2), F(2)), points),
        bye(2, 1, 3, points),
        match(0, 2, 1, 3, (F(5, 2), F(3, 2)), points),
        match(1, 2, 2, 4, (F(4), F(0)), points),
        bye(2, 2, 5, points, "zero-bye"),
    ]
    plan = with_team_points(make_format(slug, {}), "MP" if by_boards else "BP")
    records = Records([Entrant(n, n) for n in range(1, 6)], matches, lots="lots", draw_worth=(points.draw,))
    rows = plan.standings(records)
    return [(row.entrant, str(row.points), row.figures[0].text.partition(":")[0]) for row in rows]


def test_match_points_rank_teams_and_then_board_points():
    assert ranked("swiss", by_boards=False) == [
        (1, "4", "5"), (2, "3", "6"), (3, "2", "3½"), (5, "1", "2"), (4, "0", "1½"),
    ]  # fmt: skip


def test_board_points_can_rank_teams_first():
    assert ranked("swiss", by_boards=True) == [
        (2, "6", "3"), (1, "5", "4"), (3, "7/2", "2"), (5, "2", "1"), (4, "3/2", "0"),
    ]  # fmt: skip


def test_byes_do_not_count_in_a_round_robin():
    assert (3, "0", "1½") in ranked("round-robin", by_boards=False)


def test_a_knock_out_has_no_tie_breaks_to_change():
    plan = make_format("single-elimination", {})
    assert with_team_points(plan, "BP") == plan


def test_a_swiss_pairs_by_the_points_of_teams():
    """After a 4 : 0 and a 2½ : 1½ the two winners meet by match points; by board points each other's neighbour."""
    points = TeamPoints(4, by_boards=True)
    matches = [match(0, 1, 1, 2, (F(4), F(0)), points), match(1, 1, 3, 4, (F(5, 2), F(3, 2)), points)]
    records = Records([Entrant(n, n) for n in range(1, 5)], matches, lots="lots", draw_worth=(points.draw,))
    paired = make_format("swiss", {}).next_matches(records)
    assert {frozenset(one.entrants) for one in paired} == {frozenset((1, 3)), frozenset((2, 4))}
    assert paired[0].why.startswith("@1 has 4 points, @3 2½ points")


def test_an_unplayed_round_counts_at_most_a_drawn_match_in_buchholz():
    """FIDE 16.4: 1 has four match points and a bye; the bye counts as an opponent with half of all it could give."""
    points = TeamPoints(2)
    matches = [
        bye(0, 1, 1, points), match(1, 1, 2, 3, (F(2), F(0)), points),
        match(0, 2, 1, 2, (F(2), F(0)), points), bye(1, 2, 3, points),
    ]  # fmt: skip
    records = Records([Entrant(n, n) for n in range(1, 4)], matches, lots="lots", draw_worth=(points.draw,))
    rows = make_format("swiss", {"tie_breaks": ["BH"]}).standings(records)
    assert next(row.figures[0].text for row in rows if row.entrant == 1) == "4: round 1 unplayed 2, @2 2"


def test_the_points_that_do_not_rank_first_are_the_first_tie_break_once():
    plan = with_team_points(with_team_points(make_format("swiss", {"tie_breaks": ["BP", "BH"]}), "MP"), "BP")
    assert plan.tie_breaks == ("BP", "BH")
