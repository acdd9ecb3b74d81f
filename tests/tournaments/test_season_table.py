"""Season tables: points, dropped results, bonus and tie-breaks, as pure functions."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.domain.season import TIE_BREAKS, Finish, SeasonEvent, SeasonRules, SeasonStanding, season_table

SEVEN = (10, 7, 5, 4, 3, 2, 1)
ANN, BOB, CAT, DAN = 1, 2, 3, 4


def event(number: int, *order: int) -> SeasonEvent:
    """Everyone with a place of their own."""
    return SeasonEvent(number, tuple(Finish((one,), at, at) for at, one in enumerate(order, start=1)))


def table(events, **rules) -> dict[int, SeasonStanding]:
    return {row.person: row for row in season_table(events, SeasonRules(**{"place_points": SEVEN} | rules))}


def points(events, **rules) -> dict[int, F]:
    return {person: row.points for person, row in table(events, **rules).items()}


def test_points_by_place_add_up():
    assert points([event(1, ANN, BOB, CAT), event(2, BOB, ANN, DAN)]) == {ANN: 17, BOB: 17, CAT: 5, DAN: 5}


def test_places_beyond_the_list_give_nothing_and_still_are_in_the_table():
    assert points([event(1, ANN, BOB, CAT)], place_points=(3, 1)) == {ANN: 3, BOB: 1, CAT: 0}


def test_by_number_beaten_gives_one_for_each_player_behind():
    shared = SeasonEvent(1, (Finish((ANN,), 1, 1), Finish((BOB,), 2, 3), Finish((CAT,), 2, 3), Finish((DAN,), 4, 4)))
    assert points([shared], place_points=()) == {ANN: 3, BOB: F(3, 2), CAT: F(3, 2), DAN: 0}


def test_a_shared_place_gives_the_mean_of_its_places():
    losers = tuple(Finish((one,), 5, 8) for one in (5, 6, 7, 8))
    final = SeasonEvent(
        1, (Finish((ANN,), 1, 1), Finish((BOB,), 2, 2), Finish((CAT,), 3, 4), Finish((DAN,), 3, 4), *losers)
    )
    assert points([final]) == {ANN: 10, BOB: 7, CAT: F(9, 2), DAN: F(9, 2), **dict.fromkeys((5, 6, 7, 8), F(6, 4))}


def test_partners_both_get_the_points_and_are_one_finisher():
    pairs = SeasonEvent(1, (Finish((ANN, BOB), 1, 1), Finish((CAT, DAN), 2, 2)))
    assert points([pairs], place_points=()) == {ANN: 1, BOB: 1, CAT: 0, DAN: 0}
    assert points([pairs]) == {ANN: 10, BOB: 10, CAT: 7, DAN: 7}


def test_the_best_results_count_and_the_others_are_marked():
    events = [event(1, ANN, BOB, CAT), event(2, BOB, CAT, ANN), event(3, ANN, CAT, BOB)]
    found = table(events, best=2)
    assert [one.is_dropped for one in found[ANN].results] == [False, True, False]
    assert {person: row.points for person, row in found.items()} == {ANN: 20, BOB: 17, CAT: 14}


def test_of_equal_results_the_earlier_is_dropped():
    events = [event(number, ANN, BOB) for number in (1, 2, 3)]
    assert [one.is_dropped for one in table(events, best=2)[BOB].results] == [True, False, False]


def test_the_bonus_is_for_every_event_also_for_a_dropped_result():
    events = [event(1, ANN, BOB), event(2, ANN), event(3, ANN, CAT)]
    found = table(events, best=1, attendance=2)
    assert {person: (row.points, row.bonus) for person, row in found.items()} == {
        ANN: (16, 6),
        BOB: (9, 2),
        CAT: (9, 2),
    }


def test_level_on_points_first_places_decide_then_second_places():
    rules = {"place_points": (6, 4, 2), "tie_breaks": ("places",)}
    found = table([event(1, ANN, CAT), event(2, CAT, BOB), event(3, CAT, DAN, BOB)], **rules)
    assert found[BOB].points == found[ANN].points == 6
    assert (found[ANN].place, found[BOB].place) == (2, 3)
    assert found[BOB].reason == "level on points, behind by better places"
    assert found[ANN].reason == "fewer points"


def test_a_shared_first_place_counts_as_the_last_of_the_places_shared():
    shared = SeasonEvent(1, (Finish((ANN,), 1, 2), Finish((CAT,), 1, 2)))
    found = table([shared, event(2, CAT, BOB)], place_points=(4, 4), tie_breaks=("places",))
    assert found[ANN].place == found[BOB].place == 2


@pytest.mark.parametrize(
    ("code", "events", "first"),
    [
        ("all", [event(1, ANN, BOB, CAT), event(2, ANN, CAT), event(3, BOB, CAT)], ANN),
        ("best", [event(1, ANN, 9, 8, BOB), event(2, 7, 6, 5, BOB), event(3, 9, 8, 7, 6, 5, BOB)], ANN),
        ("events", [event(1, ANN, 9, 8, BOB), event(2, 7, 6, 5, BOB), event(3, 9, 8, 7, 6, 5, BOB)], BOB),
        ("latest", [event(1, ANN, BOB), event(2, BOB, ANN)], BOB),
        ("latest", [event(1, BOB, ANN), event(2, ANN, BOB)], ANN),
    ],
)
def test_each_tie_break_decides(code, events, first):
    best = 1 if code == "all" else None
    found = table(events, best=best, tie_breaks=(code,))
    assert found[ANN].points == found[BOB].points
    behind = BOB if first == ANN else ANN
    assert found[first].place < found[behind].place
    assert TIE_BREAKS[code].than in found[behind].reason


def test_who_missed_the_latest_event_is_behind_who_made_nothing_in_it():
    events = [event(1, ANN, BOB), event(2, BOB, ANN), event(3, 9, 8, 7, 6, 5, 10, 11, BOB)]
    found = table(events, tie_breaks=("latest",))
    assert found[BOB].place < found[ANN].place


def test_level_in_everything_shares_the_place():
    found = table([event(1, ANN, BOB), event(2, BOB, ANN)], tie_breaks=("places", "all"))
    assert [(row.place, row.last_place) for row in found.values()] == [(1, 2), (1, 2)]
    assert found[BOB].reason == "level with the player above"


def test_no_events_give_an_empty_table():
    assert season_table([], SeasonRules()) == []


@st.composite
def seasons(draw) -> list[SeasonEvent]:
    orders = draw(st.lists(st.permutations(range(1, 7)), max_size=6))
    return [event(number, *order[: draw(st.integers(2, 6))]) for number, order in enumerate(orders)]


@settings(deadline=None, max_examples=80)
@given(seasons(), st.one_of(st.none(), st.integers(1, 4)), st.integers(0, 3), st.permutations([*TIE_BREAKS]))
def test_the_table_holds_everyone_once_in_order_and_its_points_follow_from_its_results(events, best, bonus, codes):
    rows = season_table(events, SeasonRules(SEVEN, best, bonus, tuple(codes)))
    assert sorted(row.person for row in rows) == sorted({p for e in events for f in e.finishes for p in f.people})
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    for row in rows:
        kept = [one.points for one in row.results if not one.is_dropped]
        assert len(kept) == min(best or 99, len(row.results))
        assert row.points == sum(kept) + bonus * len(row.results)
        assert all(one.points <= min(kept) for one in row.results if one.is_dropped)
