from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import field, seeds_of_chance
from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot
from tournaments.formats.pods import Pods
from tournaments.formats.rounds import ROUNDS

sizes_of_tables = st.sampled_from([(4, 3, 5), (4,), (3, 4), (5, 4), (6, 3), (2, 3)])


def by_id(match: MatchRecord) -> MatchRecord:
    """The lowest id, which is the best seed, is first, and so on."""
    ranking = sorted(match.entrants)
    return replace(match, places=tuple(ranking.index(entrant) + 1 for entrant in match.entrants))


def chance(rng: Random, *, absences: bool = False):
    """Results with shared places; now and then somebody or everybody is absent."""

    def result(match: MatchRecord) -> MatchRecord:
        made = [rng.randrange(5) for _ in match.entrants]
        if absences and rng.random() < 0.1:
            present = [rng.random() < 0.6 for _ in match.entrants]
            return replace(match, places=tuple(1 if came else 2 for came in present), how="forfeit")
        return replace(match, places=tuple(1 + sum(other > own for other in made) for own in made))

    return result


def rounds_of(
    pods: Pods, entrants: list[Entrant], result, *, come_and_go: Random | None = None, forbidden=frozenset()
) -> Iterator[tuple[Records, list[MatchRecord]]]:
    """Every round of an event: the records before it, and what is paired. People may leave, return and come late."""
    matches: list[MatchRecord] = []
    while True:
        if come_and_go:
            number = 1 + max((match.spot.round for match in matches), default=0)
            entrants = [
                replace(e, is_active=come_and_go.random() < 0.85, first_round=e.first_round if e.is_active else number)
                for e in entrants
            ]
            late = Entrant(100 + len(entrants) + 1, len(entrants) + 1, number + come_and_go.randrange(2))
            entrants = [*entrants, late] if come_and_go.random() < 0.3 else entrants
        records = Records(entrants, matches, forbidden, "lots")
        new = pods.next_matches(records)
        if not new:
            return
        yield records, new
        matches = [*matches, *(match if match.is_bye else result(match) for match in new)]


def play(pods: Pods, size: int, result=by_id) -> list[MatchRecord]:
    """All matches of an event."""
    matches: list[MatchRecord] = []
    while new := pods.next_matches(Records(field(size), matches, lots="lots")):
        matches += [match if match.is_bye else result(match) for match in new]
    return matches


def tables(matches) -> list[MatchRecord]:
    return [match for match in matches if not match.is_bye]


def meetings(matches) -> Counter[frozenset[int]]:
    """How often each pair has met at a table that was played."""
    return Counter(
        frozenset(pair) for match in matches if match.how == "played" for pair in combinations(match.entrants, 2)
    )


def times_at_small(matches) -> Counter[int]:
    """How often each one has played at a table smaller than the biggest of its round."""
    played = [match for match in tables(matches) if match.how == "played"]
    return Counter(
        entrant
        for match in played
        if any(len(other.entrants) > len(match.entrants) for other in played if other.spot.round == match.spot.round)
        for entrant in match.entrants
    )


# Worked examples


def test_eleven_entries_sit_at_tables_of_four_four_and_three():
    assert [len(match.entrants) for match in Pods().next_matches(Records(field(11)))] == [4, 4, 3]


def test_the_first_round_spreads_the_seeds_as_a_serpentine():
    seeds = [{e - 100 for e in match.entrants} for match in Pods().next_matches(Records(field(11)))]
    assert seeds == [{1, 6, 7, 11}, {2, 5, 8, 10}, {3, 4, 9}]


@pytest.mark.parametrize("chance_seed", range(5))
def test_nine_players_in_threes_meet_everyone_exactly_once_in_four_rounds(chance_seed):
    """The affine plane of order three: Kirkman's schoolgirls for nine, known to exist, and found round by round."""
    met = meetings(play(Pods((3,), 4), 9, chance(Random(chance_seed))))
    assert len(met) == 36
    assert set(met.values()) == {1}


@pytest.mark.parametrize("chance_seed", range(5))
@pytest.mark.parametrize(("size", "seats", "rounds"), [(16, 4, 3), (15, 3, 5), (24, 4, 4), (32, 4, 5)])
def test_golfers_meet_nobody_twice(size, seats, rounds, chance_seed):
    """The social golfer problem, some rounds short of its known optimum (5, 7, 7 and 10)."""
    met = meetings(play(Pods((seats,), rounds), size, chance(Random(chance_seed))))
    assert set(met.values()) == {1}


# Properties


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 24), sizes_of_tables, seeds_of_chance)
def test_everybody_who_is_here_has_one_seat_or_a_bye_in_every_round(size, sizes, chance_seed):
    rng = Random(chance_seed)
    pods = Pods(sizes, 4)
    for records, new in rounds_of(pods, field(size), chance(rng, absences=True), come_and_go=rng):
        number = new[0].spot.round
        here = [e.id for e in records.entrants if e.is_active and e.first_round <= number]
        assert sorted(e for match in new for e in match.entrants) == here
        assert {len(match.entrants) for match in tables(new)} <= set(sizes)
        assert [match.spot for match in new] == [Spot(ROUNDS, number, slot) for slot in range(len(new))]
        assert pods.next_matches(replace(records, matches=[*records.matches, *new])) == []


@settings(deadline=None, max_examples=60)
@given(st.integers(3, 24), sizes_of_tables, seeds_of_chance)
def test_nobody_has_a_bye_or_a_small_table_before_those_who_had_fewer(size, sizes, chance_seed):
    rng = Random(chance_seed)
    for records, new in rounds_of(Pods(sizes, 5), field(size), chance(rng, absences=True), come_and_go=rng):
        byes = Counter(match.entrants[0] for match in records.matches if match.is_bye)
        small, full = times_at_small(records.matches), max(len(match.entrants) for match in new)
        seated = [e for match in tables(new) for e in match.entrants]
        resting = [match.entrants[0] for match in new if match.is_bye]
        at_small = [e for match in tables(new) if len(match.entrants) < full for e in match.entrants]
        assert max((byes[e] for e in resting), default=0) <= min(byes[e] for e in seated)
        assert max((small[e] for e in at_small), default=0) <= min(small[e] for e in seated if e not in at_small)


@settings(deadline=None, max_examples=25)
@given(st.integers(6, 11), st.sampled_from([(4, 3, 5), (3,), (3, 2)]), seeds_of_chance)
def test_no_other_tables_of_a_small_field_bend_the_rules_less(size, sizes, chance_seed):
    rng = Random(chance_seed)
    entrants = field(size)
    pairs = [frozenset(pair) for pair in combinations(range(101, 101 + size), 2)]
    forbidden = frozenset(rng.sample(pairs, 4))
    for records, new in rounds_of(Pods(sizes, 4), entrants, chance(rng), forbidden=forbidden):
        met, small = meetings(records.matches), times_at_small(records.matches)
        full = max(len(match.entrants) for match in new)

        def bent(table, met=met, small=small, full=full):
            own = [frozenset(pair) for pair in combinations(table, 2)]
            again = sum(small[e] for e in table) if len(table) < full else 0
            return sum(pair in forbidden for pair in own), again, sum(met[pair] ** 2 for pair in own)

        chosen = [match.entrants for match in tables(new)]
        people = frozenset(e for table in chosen for e in table)
        best = least_bent(people, tuple(sorted(map(len, chosen))), bent)
        assert tuple(map(sum, zip(*map(bent, chosen), strict=True))) == best


def least_bent(people: frozenset[int], sizes: tuple[int, ...], bent) -> tuple[int, ...]:
    """The least of all ways to seat people at tables of these sizes, by trying them all."""

    @cache
    def least(left: frozenset[int], sizes: tuple[int, ...]) -> tuple[int, ...]:
        if not left:
            return (0, 0, 0)
        first, *others = sorted(left)
        return min(
            tuple(
                map(
                    sum,
                    zip(bent((first, *company)), least(left - {first, *company}, without(sizes, size)), strict=True),
                )
            )
            for size in set(sizes)
            for company in combinations(others, size - 1)
        )

    def without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
        place = sizes.index(size)
        return sizes[:place] + sizes[place + 1 :]

    return least(people, sizes)


@settings(deadline=None, max_examples=20)
@given(st.integers(8, 24), seeds_of_chance)
def test_everybody_starts_and_deals_about_equally_often(size, chance_seed):
    matches = tables(play(Pods((4,), 8), size, chance(Random(chance_seed))))
    for seat in range(4):
        had = Counter(match.entrants[seat] for match in matches)
        assert max(had.values()) - min(had[e.id] for e in field(size)) <= 2, seat


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 24), sizes_of_tables, seeds_of_chance)
def test_what_the_format_pairs_meets_with_no_objection_but_that_people_have_met(size, sizes, chance_seed):
    rng = Random(chance_seed)
    pods = Pods(sizes, 4)
    for records, new in rounds_of(pods, field(size), chance(rng), come_and_go=rng):
        met = meetings(records.matches)
        again = [pair for match in new for pair in combinations(match.entrants, 2) if met[frozenset(pair)]]
        objections = pods.objections(records, new)
        assert len(objections) == len(again)
        assert all("have met" in objection for objection in objections)


@settings(deadline=None, max_examples=30)
@given(st.integers(6, 20), seeds_of_chance)
def test_matches_of_a_director_stay_and_the_rest_is_paired_around_them(size, chance_seed):
    rng, pods = Random(chance_seed), Pods()
    before = play(replace(pods, planned_rounds=1), size, chance(rng))
    ids = rng.sample([e.id for e in field(size)], 4)
    fixed = [
        MatchRecord(Spot(ROUNDS, 2, 1), tuple(ids[:3])),
        MatchRecord(Spot(ROUNDS, 2, 3), (ids[3],), (1,), "half-bye"),
    ]
    new = pods.next_matches(Records(field(size), [*before, *fixed]))
    assert sorted(e for match in [*fixed, *new] for e in match.entrants) == [e.id for e in field(size)]
    assert {match.spot.round for match in new} == {2}
    assert not {match.spot for match in new} & {match.spot for match in fixed}


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 20), sizes_of_tables, seeds_of_chance)
def test_a_table_gives_all_its_points_and_places_in_order_give_no_less(size, sizes, chance_seed):
    pods = Pods(sizes, 3, (7, 4, 2, 1))
    for match in tables(play(pods, size, chance(Random(chance_seed)))):
        given_out = [pods.points_of(match, side) for side in range(len(match.entrants))]
        assert sum(given_out) == sum((7, 4, 2, 1)[: len(match.entrants)])
        by_place = [points for _, points in sorted(zip(match.places, given_out, strict=True), key=lambda pair: pair[0])]
        assert by_place == sorted(by_place, reverse=True)


# Cases


def decided(places, how="played"):
    return MatchRecord(Spot(ROUNDS, 1, 0), tuple(range(1, len(places) + 1)), places, how)


@pytest.mark.parametrize(
    ("match", "points"),
    [
        (decided((1, 2, 3, 4)), ["4", "2", "1", "0"]),
        (decided((3, 1, 2)), ["1", "4", "2"]),
        (decided((1, 1, 3, 4)), ["3", "3", "1", "0"]),
        (decided((1, 2, 2, 2)), ["4", "1", "1", "1"]),
        (decided((1, 1, 1)), ["7/3", "7/3", "7/3"]),
        (decided((1, 1, 2), "forfeit"), ["3", "3", "0"]),
        (decided((2, 2, 2), "forfeit"), ["0", "0", "0"]),
        (decided((1, 2, 3), "annulled"), ["0", "0", "0"]),
        (decided((1,), "bye"), ["4"]),
        (decided((1,), "half-bye"), ["2"]),
        (decided((1,), "zero-bye"), ["0"]),
        (MatchRecord(Spot(ROUNDS, 1, 0), (1, 2, 3)), ["0", "0", "0"]),
    ],
)
def test_points_of_places(match, points):
    assert [Pods().points_of(match, side) for side in range(len(match.entrants))] == list(map(Fraction, points))


def test_those_near_in_points_meet_in_the_second_round():
    first = play(Pods((4,), 1), 16)
    second = Pods((4,), 2).next_matches(Records(field(16), first))
    assert [{e - 100 for e in match.entrants} for match in second] == [
        {1, 2, 3, 4},
        {5, 6, 7, 8},
        {9, 10, 11, 12},
        {13, 14, 15, 16},
    ]


def test_a_round_waits_for_the_last_result_of_the_one_before():
    first = Pods().next_matches(Records(field(8)))
    assert Pods().next_matches(Records(field(8), [by_id(first[0]), first[1]])) == []
    assert len(Pods().next_matches(Records(field(8), [*map(by_id, first)]))) == 2
    assert Pods().next_matches(Records(field(8), [*map(by_id, first)], is_closed=True)) == []


def test_whoever_is_back_while_a_round_is_under_way_waits_for_the_next_one():
    entrants = [replace(e, is_active=e.seed > 1) for e in field(9)]
    first = Pods().next_matches(Records(entrants))
    assert Pods().next_matches(Records(field(9), [by_id(first[0]), first[1]])) == []
    second = Pods().next_matches(Records(field(9), [*map(by_id, first)]))
    assert {match.spot.round for match in second} == {2}
    assert 101 in {e for match in second for e in match.entrants}


def test_what_is_annulled_or_forfeited_was_no_bye_and_no_meeting():
    first = play(Pods((4,), 1), 9)
    undone = [replace(match, how="annulled") for match in first]
    bye = next(match.entrants for match in first if match.is_bye)
    assert bye in {match.entrants for match in Pods((4,)).next_matches(Records(field(9), undone))}
    forfeited = [match if match.is_bye else replace(match, how="forfeit") for match in first]
    proposed = [replace(match, spot=Spot(ROUNDS, 2, 0), places=None, how="played") for match in first[:1]]
    assert Pods((4,)).objections(Records(field(9), forfeited), proposed) == []


def test_a_directors_table_that_is_forfeited_before_the_round_is_paired_does_not_stop_it():
    first = play(Pods(planned_rounds=1), 12)
    table = MatchRecord(Spot(ROUNDS, 2, 0), (101, 102, 103), (1, 1, 2), "forfeit")
    new = Pods().next_matches(Records(field(12), [*first, table]))
    assert sorted((match.spot.round, len(match.entrants)) for match in new) == [(2, 4), (2, 5)]


def test_two_people_are_too_few_for_a_round_and_nobody_gets_byes():
    assert Pods().next_matches(Records(field(2))) == []
    assert Pods().is_over(Records(field(2)))


def test_somebody_who_has_not_come_yet_does_not_rest_while_anyone_else_can():
    entrants = [replace(e, has_come=e.id in (101, 102)) for e in field(9)]
    first = Pods((4,)).next_matches(Records(entrants))
    assert first[-1].entrants == (102,)
    assert first[-1].why == "There is no table left. Of those who are here with the fewest byes (0), @102 is last."
    proposed = [MatchRecord(Spot(ROUNDS, 1, 0), (109,), (1,), "bye")]
    assert Pods((4,)).objections(Records(entrants), proposed) == ["@109 isn't here yet."]


def test_who_sits_out_is_at_no_table():
    entrants = [replace(e, sits_out=e.id == 101) for e in field(9)]
    first = Pods((4,)).next_matches(Records(entrants))
    assert sorted(e for match in first for e in match.entrants) == list(range(102, 110))


def test_a_table_to_which_nobody_came_gives_nothing_to_anyone():
    nobody = MatchRecord(Spot(ROUNDS, 1, 0), (101, 102, 103), (2, 2, 2), "forfeit")
    assert [Pods((3,)).points_of(nobody, side) for side in range(3)] == [0, 0, 0]


def test_the_event_is_over_after_the_planned_rounds():
    matches = play(Pods(), 11)
    assert Pods().rounds(11) == 3 == max(match.spot.round for match in matches)
    assert Pods().is_over(Records(field(11), matches))
    assert not Pods(planned_rounds=4).is_over(Records(field(11), matches))


def test_pairings_say_why():
    first = play(Pods((3,), 1), 7)
    second = Pods((3,)).next_matches(Records(field(7), first))
    assert first[-1].why == "There is no table left. Of those with the fewest byes (0), @107 is last."
    assert second[0].why.startswith("Close in points (4, 4, 4), and no one has met before. ")


def test_pairings_name_those_who_meet_again_but_not_all_of_many():
    table = MatchRecord(Spot(ROUNDS, 1, 0), (101, 102, 103), (1, 2, 3))
    (again,) = Pods().next_matches(Records(field(3), [table]))
    assert "(4, 2, 1); met before: @101 and @102 once, @101 and @103 once, @102 and @103 once." in again.why
    table = MatchRecord(Spot(ROUNDS, 1, 0), (101, 102, 103, 104, 105), (1, 2, 3, 4, 5))
    (again,) = Pods().next_matches(Records(field(5), [table]))
    assert "@101 and @104 once, 7 more pairs. @" in again.why


@pytest.mark.parametrize("sizes", [(), (1, 4), (4, 7)])
def test_there_are_tables_of_two_to_six(sizes):
    with pytest.raises(ValueError, match="from 2 to 6"):
        Pods(sizes)


def test_directors_are_told_which_rules_they_bend():
    first = play(Pods((4, 3), 1), 11)
    small = next(match for match in first if len(match.entrants) == 3)
    starter, *others = small.entrants
    spot = Spot(ROUNDS, 2, 0)
    records = Records(field(11), first, frozenset([frozenset((101, 102))]))
    assert Pods((4, 3)).objections(records, [MatchRecord(spot, (101, 102))])[:2] == [
        "This tournament has no tables of 2.",
        "A director doesn't want @101 and @102 to meet.",
    ]
    free = next(m.entrants[1] for m in first if m is not small)
    objections = Pods((4, 3)).objections(records, [MatchRecord(spot, (starter, others[0], free, others[1]))])
    assert f"@{starter} and @{others[0]} have met once before." in objections
    assert f"@{starter} has sat first once already, @{others[0]} never." in objections


def test_a_second_bye_and_a_second_small_table_are_objected_to():
    pods = Pods((4, 3), 2)
    first = play(replace(pods, planned_rounds=1), 11)
    small = next(match for match in first if len(match.entrants) == 3)
    fresh = [e for match in first if match is not small for e in match.entrants]
    again = [
        MatchRecord(Spot(ROUNDS, 2, 0), (small.entrants[0], fresh[1], fresh[6])),
        MatchRecord(Spot(ROUNDS, 2, 1), (fresh[2], fresh[3], fresh[4], fresh[5])),
    ]
    objections = pods.objections(Records(field(11), first), again)
    assert f"@{small.entrants[0]} has sat at a smaller table once already, @{min(fresh)} never." in objections
    rested = play(Pods((4,), 1), 9)
    bye = next(match for match in rested if match.is_bye)
    proposed = [replace(bye, spot=Spot(ROUNDS, 2, 0))]
    assert Pods((4,)).objections(Records(field(9), rested), proposed) == ["@109 has sat out once already, @101 never."]


def test_standings_count_points_then_first_places():
    matches = play(Pods((4,), 1), 8)
    standings = Pods((4,), 1).standings(Records(field(8), matches, lots="lots"))
    assert [s.points for s in standings] == [4, 4, 2, 2, 1, 1, 0, 0]
    assert {s.entrant for s in standings[:2]} == {101, 102}
    assert [s.place for s in standings] == list(range(1, 9)), "lots leave no shared place"


def test_the_draw_shows_rounds_to_come_and_who_sat_out():
    (section,) = Pods((4,), 2).draw(Records(field(5), play(Pods((4,), 1), 5)))
    assert [column.title for column in section.columns] == ["Round 1", "Round 2"]
    table, bye = section.columns[0].cells
    assert (table.title, [side.entrant for side in table.sides if side.has_won]) == ("Round 1, table 1", [101])
    assert [side.text for side in bye.sides] == ["", "bye"]


def test_two_hundred_are_paired_alike_each_time_from_the_same_records():
    rng = Random(1)
    first = play(Pods(planned_rounds=1), 200, chance(rng))
    records = Records(field(200), first, lots="lots")
    shuffled = replace(records, matches=rng.sample(first, len(first)))
    assert Pods().next_matches(records) == Pods().next_matches(shuffled)


def test_a_bye_of_who_is_here_is_not_compared_with_who_has_not_come_yet():
    entrants = [replace(e, has_come=e.id != 101) for e in field(5)]
    past = []
    for number, resting in enumerate((102, 103, 104, 105), start=1):
        others = tuple(e.id for e in entrants if e.id != resting)
        past.append(MatchRecord(Spot(ROUNDS, number, 0), others, (1, 2, 3, 4)))
        past.append(MatchRecord(Spot(ROUNDS, number, 1), (resting,), (1,), "bye"))
    pods = Pods((4,), planned_rounds=5)
    records = Records(entrants, past)
    bye = next(match for match in pods.next_matches(records) if match.is_bye)
    assert bye.entrants != (101,)
    assert pods.objections(records, [bye]) == []
