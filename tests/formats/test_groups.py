from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import by_spot, chance, corrected, favourite, field, play, seeds_of_chance
from tournaments.formats.bracket import seed_order
from tournaments.formats.contract import MatchRecord, Records, Spot
from tournaments.formats.groups import Groups, cross_seeded, snake
from tournaments.formats.single_elimination import MAIN, THIRD_PLACE

PLAN = Groups()
sizes = st.integers(0, 14)
plans = st.builds(Groups, st.integers(2, 5), st.integers(1, 3), st.booleans())


def known(size: int, matches: list[MatchRecord], gone: tuple[int, ...] = ()) -> Records:
    return Records([replace(e, is_active=e.id not in gone) for e in field(size)], matches)


def groups_of(plan: Groups, size: int) -> dict[int, int]:
    return {100 + seed: i for i, group in enumerate(snake(range(1, size + 1), plan.group_size)) for seed in group}


def in_groups(matches: list[MatchRecord]) -> list[MatchRecord]:
    return [match for match in matches if match.spot.section not in (MAIN, THIRD_PLACE)]


# Worked examples: the snake of sixteen that every federation prints, and the crossing of winners and runners-up


def test_sixteen_seeds_go_into_four_groups_as_a_snake():
    assert snake(range(1, 17), 4) == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]


def test_winners_of_two_groups_meet_the_runner_up_of_the_other():
    matches = play(PLAN, 8, favourite)
    assert [m.entrants for m in matches if m.spot.section == MAIN] == [(101, 103), (102, 104), (101, 102)]
    assert [m.why for m in matches if m.spot == Spot(MAIN, 1, 0)] == [
        "@101 was number 1 of Group A, @103 was number 2 of Group B"
    ]


def test_sides_of_the_knock_out_show_their_places_in_the_groups():
    sections = {section.id: section for section in PLAN.draw(known(8, play(PLAN, 8, favourite)))}
    semi_finals, _ = sections[MAIN].columns
    assert [[side.came_from for side in cell.sides] for cell in semi_finals.cells] == [["A1", "B2"], ["B1", "A2"]]
    assert {side.came_from for cell in sections["group-a"].columns[0].cells for side in cell.sides} == {""}


def test_the_table_of_a_group_says_how_many_of_its_places_advance():
    matches = play(PLAN, 8, favourite)
    assert [section.through for section in PLAN.draw(known(8, matches))] == [2, 2, 0]
    first = [match for match in matches if match.spot.section == "group-a" and match.spot.round == 1]
    assert [section.through for section in PLAN.draw(known(8, first))] == [2, 2]
    assert [section.through for section in PLAN.draw(known(8, in_groups(matches), gone=(101,)))] == [3, 2, 0]
    assert [section.through for section in Groups(qualifiers=4).draw(known(7, []))] == [3, 4]


def test_four_groups_of_four_are_a_knock_out_of_eight():
    first = [m.entrants for m in play(PLAN, 16, favourite) if m.spot.section == MAIN and m.spot.round == 1]
    assert first == [(101, 107), (104, 106), (102, 108), (103, 105)]
    assert PLAN.rounds(16) == 3 + 3


@pytest.mark.parametrize(
    ("size", "groups"), [(0, []), (1, [1]), (4, [4]), (5, [3, 2]), (9, [3, 3, 3]), (11, [4, 4, 3])]
)
def test_groups_are_of_one_size_or_one_less(size, groups):
    assert sorted(map(len, snake(range(size), 4)), reverse=True) == groups


# Properties


@settings(deadline=None, max_examples=25)
@given(sizes, plans, seeds_of_chance)
def test_wins_and_losses_are_those_of_the_group_and_of_the_knock_out(size, plan, chance_seed):
    matches = play(plan, size, chance(Random(chance_seed), forfeits=True))
    for standing in plan.standings(known(size, matches)):
        played = [m for m in matches if standing.entrant in m.entrants and not m.is_bye]
        assert (standing.wins, standing.losses) == (
            sum(m.winner == standing.entrant for m in played),
            sum(m.winner != standing.entrant for m in played),
        )


@settings(deadline=None, max_examples=25)
@given(sizes, plans, seeds_of_chance)
def test_members_of_a_group_all_meet_and_nobody_of_another_before_the_knock_out(size, plan, chance_seed):
    met = Counter(frozenset(m.entrants) for m in in_groups(play(plan, size, by_spot(chance_seed))) if not m.is_bye)
    group_of = groups_of(plan, size)
    pairs = combinations(group_of, 2)
    assert met == {frozenset(pair): 1 for pair in pairs if group_of[pair[0]] == group_of[pair[1]]}


@settings(deadline=None, max_examples=25)
@given(sizes, plans, seeds_of_chance)
def test_the_best_of_each_group_play_the_knock_out(size, plan, chance_seed):
    matches = play(plan, size, by_spot(chance_seed))
    sections = plan.draw(known(size, matches))
    best = {s.entrant for section in sections for s in section.standings[: plan.qualifiers]}
    in_main = {entrant for m in matches if m.spot.section == MAIN for entrant in m.entrants}
    assert in_main == (best if len(best) > 1 else set())


def rows_of(groups: int, qualifiers: int, rng: Random) -> list[list[int]]:
    """The entrant in second place of group 4 is 104."""
    return [rng.sample(range(100 * row, 100 * row + groups), groups) for row in range(qualifiers)]


def reunions(seeded: list[int]) -> list[int]:
    """The rounds in which members of one group would meet, if they came so far; earliest first."""
    place = {seed: index for index, seed in enumerate(seed_order(2 ** (len(seeded) - 1).bit_length()))}
    by_seed = combinations(enumerate(seeded, start=1), 2)
    return sorted((place[one] ^ place[other]).bit_length() for (one, a), (other, b) in by_seed if (a - b) % 100 == 0)


def draw_from(rows: list[list[int]]) -> list[int]:
    return cross_seeded(rows, {entrant: str(entrant % 100) for row in rows for entrant in row})


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 9), st.integers(2, 4), seeds_of_chance)
def test_members_of_a_group_meet_as_late_as_possible(groups, qualifiers, chance_seed):
    """Two of a group in the final only; of up to four no two in the same quarter of the draw."""
    rows = rows_of(groups, qualifiers, Random(chance_seed))
    seeded = draw_from(rows)
    assert [set(row) for row in rows] == [set(seeded[i : i + groups]) for i in range(0, len(seeded), groups)]
    assert seeded[:groups] == rows[0]
    assert reunions(seeded)[0] >= (len(seeded) - 1).bit_length() - (qualifiers > 2)


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 9), st.integers(2, 4), seeds_of_chance)
def test_merit_gives_the_seeds_where_that_makes_no_reunion_earlier(groups, qualifiers, chance_seed):
    rows = rows_of(groups, qualifiers, Random(chance_seed))
    seeded = draw_from(rows)
    for better, worse in combinations(rows[-1], 2):
        if seeded.index(better) > seeded.index(worse):
            swap = {better: worse, worse: better}
            assert reunions([swap.get(entrant, entrant) for entrant in seeded]) != reunions(seeded)


@settings(deadline=None, max_examples=20)
@given(sizes, plans, seeds_of_chance)
def test_the_order_of_results_does_not_matter(size, plan, chance_seed):
    in_order = play(plan, size, by_spot(chance_seed))
    shuffled = play(plan, size, by_spot(chance_seed), rng=Random(chance_seed))
    assert sorted(in_order, key=lambda m: m.spot) == sorted(shuffled, key=lambda m: m.spot)
    assert plan.contradicted(known(size, in_order)) == []


# Cases


def test_the_knock_out_waits_for_the_last_group():
    matches = in_groups(play(PLAN, 8, favourite))
    waiting = [replace(m, places=None) if m.spot == Spot("group-b", 3, 0) else m for m in matches]
    assert PLAN.next_matches(known(8, waiting)) == []
    assert [section.id for section in PLAN.draw(known(8, waiting))] == ["group-a", "group-b"]
    assert {m.spot.section for m in PLAN.next_matches(known(8, matches))} == {MAIN}


def test_groups_go_on_by_themselves():
    first = PLAN.next_matches(known(8, []))
    decided = [replace(m, places=(1, 2)) if m.spot.section == "group-a" else m for m in first]
    assert [m.spot for m in PLAN.next_matches(known(8, decided))] == [Spot("group-a", 2, 0), Spot("group-a", 2, 1)]


def test_standings_are_open_until_the_groups_are_decided_and_then_say_why():
    matches = play(PLAN, 8, favourite)
    open_still = PLAN.standings(known(8, in_groups(matches)[:-1]))
    assert {(s.place, s.last_place, s.points) for s in open_still} == {(None, None, None)}
    assert open_still[0].reason == "number 1 of Group A, through to the knock-out"
    assert [(s.entrant, s.place, s.last_place, s.wins, s.reason) for s in PLAN.standings(known(8, matches))] == [
        (101, 1, 1, 5, "champion"),
        (102, 2, 2, 4, "lost in the final"),
        (104, 3, 4, 2, "lost in the semi-finals"),
        (103, 3, 4, 2, "lost in the semi-finals"),
        (105, 5, 6, 1, "number 3 of Group A"),
        (106, 5, 6, 1, "number 3 of Group B"),
        (107, 7, 8, 0, "number 4 of Group B"),
        (108, 7, 8, 0, "number 4 of Group A"),
    ]


def test_a_group_that_is_over_says_who_advances_while_another_is_in_play():
    matches = in_groups(play(PLAN, 8, favourite))
    waiting = [replace(m, places=None) if m.spot == Spot("group-b", 3, 0) else m for m in matches]
    reasons = {row.entrant: row.reason for row in PLAN.standings(known(8, waiting))}
    assert reasons[104] == "number 2 of Group A, through to the knock-out"
    assert reasons[105] == "number 3 of Group A, not in the knock-out"
    assert reasons[102] == "number 1 of Group B so far"
    assert PLAN.out_of_matches(known(8, waiting)) == {105, 108}
    left = known(8, waiting, gone=(104,))
    assert 105 not in PLAN.out_of_matches(left), "the next one of the group moves up before the draw"


def test_winners_of_groups_of_different_size_are_compared_by_what_they_did_in_a_match():
    """101 has won two of two, 102 three of three, so that the seed decides."""
    matches = in_groups(play(Groups(tie_breaks=("WON",)), 7, favourite))
    first = {m.spot: m.entrants for m in Groups(tie_breaks=("WON",)).next_matches(known(7, matches))}
    assert first[Spot(MAIN, 1, 0)][0] == 101


@pytest.mark.parametrize("away", [{"is_active": False}, {"sits_out": True}])
def test_whoever_left_or_sits_out_before_the_draw_is_replaced_by_the_next_of_the_group(away):
    matches = in_groups(play(PLAN, 8, favourite))
    records = known(8, matches)
    first = PLAN.next_matches(replace(records, entrants=[replace(records.entrants[0], **away), *records.entrants[1:]]))
    assert {entrant for m in first for entrant in m.entrants} == {102, 103, 104, 105}
    after = [*matches, *first]
    assert PLAN.next_matches(known(8, after)) == [], "who comes back after the draw is too late"
    assert [s.reason for s in PLAN.standings(known(8, after)) if s.entrant == 101] == ["number 1 of Group A"]


def test_whoever_leaves_after_the_draw_stays_in_it():
    matches = [m for m in play(PLAN, 8, favourite) if m.spot != Spot(MAIN, 2, 0)]
    records = known(8, matches, gone=(102,))
    assert [m.entrants for m in PLAN.next_matches(records)] == [(101, 102)]
    assert PLAN.contradicted(records) == []


def test_whoever_sits_out_after_the_draw_stays_in_it():
    matches = [m for m in play(PLAN, 8, favourite) if m.spot != Spot(MAIN, 2, 0)]
    records = known(8, matches)
    records = replace(records, entrants=[replace(e, sits_out=e.id == 102) for e in records.entrants])
    assert [m.entrants for m in PLAN.next_matches(records)] == [(101, 102)]
    assert PLAN.contradicted(records) == []


def test_a_corrected_group_contradicts_the_draw_from_whoever_should_not_be_there():
    """105 overtakes 104 in group A."""
    matches = play(PLAN, 8, favourite)
    decisive = next(m for m in matches if set(m.entrants) == {104, 105} and m.spot.section != MAIN)
    records = known(8, corrected(matches, decisive.spot, tuple(1 if e == 105 else 2 for e in decisive.entrants)))
    wrong = PLAN.contradicted(records)
    assert wrong == [Spot(MAIN, 1, 1), Spot(MAIN, 2, 0)]
    kept = [match for match in records.matches if match.spot not in wrong]
    (again,) = PLAN.next_matches(known(8, kept))
    assert (again.spot, again.entrants) == (Spot(MAIN, 1, 1), (102, 105))


def test_a_group_match_that_is_open_again_contradicts_the_whole_draw():
    matches = play(PLAN, 8, favourite)
    last = next(m for m in matches if set(m.entrants) == {106, 107})
    records = known(8, corrected(matches, last.spot, None))
    assert PLAN.contradicted(records) == [Spot(MAIN, 1, 0), Spot(MAIN, 1, 1), Spot(MAIN, 2, 0)]


def test_objections_come_from_the_part_that_a_match_belongs_to():
    proposed = [MatchRecord(Spot("group-b", 1, 0), (102, 103)), MatchRecord(Spot("group-a", 1, 0), (101, 108))]
    assert PLAN.objections(known(8, []), proposed) == ["According to the schedule @102 and @103 meet in round 2."]
    records = known(8, in_groups(play(PLAN, 8, favourite)))
    assert PLAN.objections(records, [MatchRecord(Spot(MAIN, 1, 0), (101, 102))]) == [
        "According to the draw @101 and @103 would play in semi-final 1."
    ]
