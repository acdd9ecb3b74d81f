from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import by_spot, chance, favourite, field, play, seeds_of_chance
from tournaments.formats.contract import MatchRecord, Records, Spot
from tournaments.formats.round_robin import RoundRobin, berger_round
from tournaments.formats.rounds import ROUNDS

ONCE, TWICE = RoundRobin(), RoundRobin(double=True)
sizes = st.integers(0, 12)
formats = st.sampled_from([ONCE, TWICE])


def gone(records: Records, *ids: int) -> Records:
    return replace(records, entrants=[replace(e, is_active=e.id not in ids) for e in records.entrants])


# Worked examples: the tables printed in the FIDE Handbook, C.05, Annex 1; the one named first has the first seat

PRINTED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


@pytest.mark.parametrize("entrants", PRINTED)
def test_the_rounds_are_those_of_the_printed_tables(entrants):
    for number, printed in enumerate(PRINTED[entrants], start=1):
        assert {f"{a}-{b}" for a, b in berger_round(entrants, number)} == set(printed.split())


def test_entrants_meet_as_the_table_of_their_seeds_says():
    matches = play(ONCE, 6, favourite)
    assert [m.entrants for m in matches if m.spot.round == 2] == [(106, 104), (105, 103), (101, 102)]


def test_in_an_odd_field_whoever_meets_the_missing_one_sits_out():
    byes = [m for m in play(ONCE, 5, favourite) if m.is_bye]
    assert [(m.spot.round, m.entrants, m.how) for m in byes] == [
        (1, (101,), "zero-bye"),
        (2, (104,), "zero-bye"),
        (3, (102,), "zero-bye"),
        (4, (105,), "zero-bye"),
        (5, (103,), "zero-bye"),
    ]


@pytest.mark.parametrize(("size", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3), (5, 5), (8, 7), (9, 9)])
def test_rounds_are_one_less_than_the_field_made_even(size, rounds):
    assert (ONCE.rounds(size), TWICE.rounds(size)) == (rounds, 2 * rounds)


# Properties


@settings(deadline=None, max_examples=25)
@given(sizes, formats, seeds_of_chance)
def test_everybody_meets_everybody_and_nobody_plays_twice_in_a_round(size, plan, chance_seed):
    matches = play(plan, size, chance(Random(chance_seed), draws=True))
    met = Counter(frozenset(m.entrants) for m in matches if not m.is_bye)
    assert met == {frozenset((a.id, b.id)): 1 + plan.double for a, b in combinations(field(size), 2)}
    in_rounds = Counter((m.spot.round, entrant) for m in matches for entrant in m.entrants)
    assert set(in_rounds) == {(r, e.id) for r in range(1, plan.rounds(size) + 1) for e in field(size)}
    assert set(in_rounds.values()) <= {1}


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 40), formats)
def test_everybody_sits_first_as_often_as_second_or_once_more_or_less(size, plan):
    balance, ordered = Counter(), Counter()
    for match in (m for column in plan.draw(Records(field(size)))[0].columns for m in column.cells):
        ids = [side.entrant for side in match.sides]
        if None not in ids:
            balance[ids[0]] += 1
            balance[ids[1]] -= 1
            ordered[tuple(ids)] += 1
    odd_number_of_matches = size % 2 == 0 and not plan.double
    assert {abs(balance[entrant.id]) for entrant in field(size)} == {int(odd_number_of_matches)}
    assert set(ordered.values()) == {1}


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 10), formats, seeds_of_chance)
def test_a_round_is_paired_as_a_whole_once_the_last_one_is_decided(size, plan, chance_seed):
    rng, matches = Random(chance_seed), []
    for number in range(1, plan.rounds(size) + 1):
        new = plan.next_matches(Records(field(size), matches))
        assert {match.spot.round for match in new} == {number}
        assert plan.next_matches(Records(field(size), matches + new)) == []
        matches += [m if m.is_bye else replace(m, places=rng.choice([(1, 2), (2, 1), (1, 1), (2, 2)])) for m in new]
    assert plan.is_over(Records(field(size), matches))


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 9), seeds_of_chance)
def test_the_order_of_results_does_not_matter(size, chance_seed):
    in_order = play(ONCE, size, by_spot(chance_seed))
    shuffled = play(ONCE, size, by_spot(chance_seed), rng=Random(chance_seed))
    assert sorted(in_order, key=lambda m: m.spot) == sorted(shuffled, key=lambda m: m.spot)


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 9), st.sets(st.integers(101, 109), max_size=3), seeds_of_chance)
def test_points_are_as_if_whoever_is_annulled_had_never_entered(size, leavers, chance_seed):
    matches = play(ONCE, size, chance(Random(chance_seed), draws=True))
    records = gone(Records(field(size), [m for m in matches if m.spot.round <= 2], lots="x"), *leavers)
    completed = Counter(e for m in records.matches if not m.is_bye for e in m.entrants)
    annulled = {e for e in leavers if e <= 100 + size and completed[e] < (size - 1) / 2}
    for standing in ONCE.standings(records):
        own = [m for m in records.matches if standing.entrant in m.entrants and not m.is_bye]
        counted = [m for m in own if annulled.isdisjoint(m.entrants)]
        points = sum((1 if m.winner == standing.entrant else 0.5 if m.places == (1, 1) else 0) for m in counted)
        assert standing.points == points


# Cases


def test_every_pairing_says_why():
    matches = play(ONCE, 3, favourite)
    assert [m.why for m in matches[2:4]] == [
        "round 2 of the Berger table for 4: number 1 sits first against 2",
        "the number of entries is odd, so everyone sits out once",
    ]


def result(
    first: int, second: int, number: int, *, how: str = "played", places: tuple[int, int] = (1, 2)
) -> MatchRecord:
    return MatchRecord(Spot(ROUNDS, number, first), (first, second), places, how)


def standing_of(plan: RoundRobin, records: Records, entrant: int):
    return next(s for s in plan.standings(records) if s.entrant == entrant)


def test_somebody_who_left_before_half_is_annulled_and_at_exactly_half_counts():
    """Five entrants, so four matches each: 105 has played two, and won one of them."""
    two = [result(101, 105, 1), result(105, 102, 2), result(101, 102, 3), result(101, 103, 4)]
    kept = gone(Records(field(5), two, lots="x"), 105)
    assert standing_of(ONCE, kept, 105).points == 1
    assert standing_of(ONCE, kept, 101).points == 3
    annulled = gone(Records(field(5), [two[0], *two[2:]], lots="x"), 105)
    last = ONCE.standings(annulled)[-1]
    assert (last.entrant, last.place, last.last_place, last.points, last.wins, last.losses) == (105, 5, 5, 0, 0, 0)
    assert last.reason == "left before half of their matches, so all results are annulled"
    assert standing_of(ONCE, annulled, 101).points == 2
    assert standing_of(RoundRobin(leavers="keep"), annulled, 101).points == 3


def test_a_win_because_the_opponent_did_not_come_is_completed_and_a_defeat_is_not():
    first = result(105, 101, 1)
    came = [first, result(105, 102, 2, how="forfeit")]
    stayed_away = [first, result(105, 102, 2, how="forfeit", places=(2, 1))]
    assert standing_of(ONCE, gone(Records(field(5), came), 105), 105).points == 2
    assert standing_of(ONCE, gone(Records(field(5), stayed_away), 105), 105).points == 0
    assert standing_of(ONCE, gone(Records(field(5), stayed_away), 105), 102).points == 0


def test_half_of_a_double_round_robin_is_half_of_all_its_matches():
    both = [result(103, 101, 1), result(103, 102, 2)]
    assert standing_of(TWICE, gone(Records(field(3), both), 103), 103).points == 2
    assert standing_of(TWICE, gone(Records(field(3), both[:1]), 103), 103).points == 0


def test_somebody_who_comes_back_has_their_results_again():
    records = Records(field(5), [result(105, 101, 1)])
    assert standing_of(ONCE, gone(records, 105), 105).points == 0
    assert standing_of(ONCE, records, 105).points == 1


def test_those_who_are_level_are_parted_by_their_own_match_first():
    """101 loses to 102 only, who loses to 104 only."""
    upsets = [{101, 102}, {102, 104}]
    matches = play(ONCE, 4, lambda m: favourite(m)[::-1] if set(m.entrants) in upsets else favourite(m))
    standings = ONCE.standings(Records(field(4), matches, lots="x"))
    assert [s.entrant for s in standings] == [102, 101, 103, 104]
    assert standings[1].reason == "behind @102 by head to head: 0 to 1"


def test_a_win_by_forfeit_counts_for_sonneborn_berger_like_any_other():
    matches = [result(102, 101, 1, how="forfeit"), result(101, 103, 2), result(101, 104, 3)]
    (beaten,) = [f for f in standing_of(ONCE, Records(field(4), matches), 102).figures if f.code == "SB"]
    assert beaten.value == 2


def test_a_match_that_a_director_put_into_the_round_stays_and_nobody_plays_twice():
    own = MatchRecord(Spot(ROUNDS, 1, 0), (102, 103))
    new = ONCE.next_matches(Records(field(6), [own]))
    assert [(m.spot.slot, m.entrants) for m in new] == [(1, (101, 106))]
    own = MatchRecord(Spot(ROUNDS, 1, 2), (101, 106))
    new = ONCE.next_matches(Records(field(6), [own]))
    assert [(m.spot.slot, m.entrants) for m in new] == [(0, (102, 105)), (1, (103, 104))]


def test_a_pair_that_the_table_has_elsewhere_is_objected_to():
    proposed = [MatchRecord(Spot(ROUNDS, 1, 0), (101, 102)), MatchRecord(Spot(ROUNDS, 1, 1), (105, 102))]
    assert ONCE.objections(Records(field(6)), proposed) == ["According to the schedule @101 and @102 meet in round 2."]
    assert ONCE.objections(Records(field(6)), [MatchRecord(Spot(ROUNDS, 1, 0), (101,), (1,), "bye")]) == [
        "According to the schedule @101 sits out in no round."
    ]
    assert TWICE.objections(Records(field(4)), [MatchRecord(Spot(ROUNDS, 1, 0), (101, 102))]) == [
        "According to the schedule @101 and @102 meet in round 3 and 5."
    ]


def seats_in_a_row(plan: RoundRobin, size: int) -> int:
    """How often someone has had the same seat in rounds that follow each other, at most."""
    records, longest = Records(field(size)), 1
    seats: dict[int, list[int]] = {entrant.id: [] for entrant in records.entrants}
    for number in range(1, plan.rounds(size) + 1):
        for match in plan._planned(records, number):
            if not match.is_bye:
                for seat, entrant in enumerate(match.entrants):
                    seats[entrant].append(seat)
    for own in seats.values():
        longest = max(longest, *(len(list(same)) for _, same in groupby(own)))
    return longest


@pytest.mark.parametrize("size", [4, 6, 8, 10, 14])
def test_twice_around_no_one_has_the_same_seat_three_times_in_a_row(size):
    """FIDE's advice for double round robins: the last two rounds of the first time around change places."""
    assert seats_in_a_row(TWICE, size) == 2
    assert seats_in_a_row(RoundRobin(double=True, swaps_last=False), size) == 3


def test_only_the_last_two_rounds_of_the_first_time_around_change_places():
    plain, records = RoundRobin(double=True, swaps_last=False), Records(field(6))

    def pairs(plan: RoundRobin, number: int) -> list[tuple[int, ...]]:
        return [match.entrants for match in plan._planned(records, number)]

    order = [next(n for n in range(1, 11) if pairs(plain, n) == pairs(TWICE, number)) for number in range(1, 11)]
    assert order == [1, 2, 3, 5, 4, 6, 7, 8, 9, 10]
    assert [pairs(ONCE, n) for n in range(1, 6)] == [pairs(RoundRobin(swaps_last=False), n) for n in range(1, 6)]
