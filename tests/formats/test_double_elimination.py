from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import by_spot, chance, corrected, favourite, field, play, seeds_of_chance, upset_in
from tournaments.formats.contract import MatchRecord, Records, Spot
from tournaments.formats.double_elimination import (
    FINAL,
    GRAND_FINAL,
    LOSERS,
    RESET,
    WINNERS,
    DoubleElimination,
)

DOUBLE = DoubleElimination()
sizes = st.integers(1, 20)


def met(matches: list[MatchRecord], section: str, number: int) -> list[set[int]]:
    """The seeds that met in a round, from top to bottom, byes left out."""
    found = sorted((m for m in matches if (m.spot.section, m.spot.round) == (section, number)), key=lambda m: m.spot)
    return [{entrant - 100 for entrant in match.entrants} for match in found if not match.is_bye]


# Worked example: the printed draw for 8, whose losers of the second round change halves


def test_eight_favourites_meet_as_in_the_printed_draw():
    matches = play(DOUBLE, 8, favourite)
    assert met(matches, WINNERS, 1) == [{1, 8}, {4, 5}, {2, 7}, {3, 6}]
    assert met(matches, WINNERS, 2) == [{1, 4}, {2, 3}]
    assert met(matches, LOSERS, 1) == [{8, 5}, {7, 6}]
    assert met(matches, LOSERS, 2) == [{5, 3}, {6, 4}]
    assert met(matches, LOSERS, 3) == [{3, 4}]
    assert met(matches, LOSERS, 4) == [{3, 2}]
    assert met(matches, FINAL, 1) == [{1, 2}]
    assert len(matches) == 14


def test_two_entrants_meet_until_one_has_lost_twice():
    assert len(play(DOUBLE, 2, favourite)) == 2
    assert [m.entrants for m in play(DOUBLE, 2, upset_in(GRAND_FINAL))] == [
        (101, 102),
        (101, 102),
        (101, 102),
    ]


@pytest.mark.parametrize(("size", "rounds"), [(0, 0), (1, 0), (2, 2), (3, 4), (4, 4), (8, 6), (9, 8)])
def test_rounds_are_those_of_the_winners_twice(size, rounds):
    assert DOUBLE.rounds(size) == rounds


# How late a rematch can come


def first_rematches(places: int) -> list[int]:
    """For each two rounds of the winners' draw but its final: the losers' round where whoever lost in the later one
    can first meet whom they beat in the earlier one, played out with real matches."""
    rounds, found = places.bit_length() - 1, []
    for late in range(2, rounds):
        for early in range(1, late):
            found.append(_first_rematch(places, early, late))
    return sorted(found)


def _first_rematch(places: int, early: int, late: int) -> int:
    """Seed 1 beats somebody early and loses late; then both win whatever they play until they meet."""
    pair = {101, 100 + (places >> (early - 1))}

    def result(match: MatchRecord) -> tuple[int, ...]:
        if match.spot == Spot(WINNERS, late, 0):
            return (2, 1) if match.entrants[0] == 101 else (1, 2)
        strong = [entrant for entrant in match.entrants if entrant in pair]
        return tuple(1 if entrant == min(strong or match.entrants) else 2 for entrant in match.entrants)

    again = next(m for m in play(DOUBLE, places, result) if m.spot.section == LOSERS and set(m.entrants) == pair)
    return again.spot.round


def _best_first_rematches(places: int) -> list[int]:
    """The same for the best of all crossings that swap halves, quarters and so on: XOR of the slot with a number."""
    rounds = places.bit_length() - 1

    def meeting(crossings: dict[int, int], early: int, late: int) -> int:
        apart = (crossings[early] >> (late - early)) ^ crossings[late]
        return 2 * (late - 1) + max(2 * apart.bit_length() - 1, 0)

    choices = product(*(range(2 ** (rounds - number)) for number in range(2, rounds)))
    return max(
        sorted(meeting({1: 0, **dict(enumerate(c, 2))}, e, late) for late in range(2, rounds) for e in range(1, late))
        for c in choices
    )


@pytest.mark.parametrize("places", [8, 16, 32])
def test_no_crossing_of_halves_or_quarters_makes_rematches_later(places):
    assert first_rematches(places) == _best_first_rematches(places)


# Properties


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance)
def test_everyone_but_the_champion_loses_twice(size, chance_seed):
    rng = Random(chance_seed)
    matches = play(DOUBLE, size, chance(rng), rng=rng)
    defeats = Counter(loser for match in matches for loser in match.losers)
    champion = DOUBLE.standings(Records(field(size), matches))[0].entrant
    assert {defeats[entrant.id] for entrant in field(size) if entrant.id != champion} <= {2}
    assert defeats[champion] <= 1
    played = sum(not match.is_bye for match in matches)
    assert played == max(2 * size - 2, 0) + defeats[champion]


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance)
def test_without_a_reset_one_grand_final_decides(size, chance_seed):
    matches = play(DoubleElimination(False), size, chance(Random(chance_seed)))
    assert sum(not match.is_bye for match in matches) == max(2 * size - 2, 0)
    assert not [match for match in matches if match.spot == RESET]


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance)
def test_whoever_loses_in_one_losers_round_shares_the_places(size, chance_seed):
    matches = play(DOUBLE, size, chance(Random(chance_seed)))
    places = {s.entrant: s.place for s in DOUBLE.standings(Records(field(size), matches))}
    for match in (m for m in matches if m.spot.section == LOSERS):
        beside = [m for m in matches if (m.spot.section, m.spot.round) == (LOSERS, match.spot.round)]
        out_here = {loser for other in beside for loser in other.losers}
        assert len({places[entrant] for entrant in out_here}) <= 1


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance)
def test_the_order_of_results_does_not_matter(size, chance_seed):
    result = by_spot(chance_seed)
    in_order, shuffled = play(DOUBLE, size, result), play(DOUBLE, size, result, rng=Random(chance_seed))
    assert sorted(in_order, key=lambda m: m.spot) == sorted(shuffled, key=lambda m: m.spot)
    assert DOUBLE.contradicted(Records(field(size), in_order)) == []


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 24), seeds_of_chance)
def test_places_are_never_taken_back(size, chance_seed):
    """Played on in part, a place that somebody has by then is the one they have in the end."""
    rng = Random(chance_seed)
    matches = play(DOUBLE, size, chance(rng))
    final = {s.entrant: (s.place, s.last_place) for s in DOUBLE.standings(Records(field(size), matches))}
    known = matches[: rng.randrange(len(matches))]
    for standing in DOUBLE.standings(Records(field(size), known)):
        assert standing.place is None or (standing.place, standing.last_place) == final[standing.entrant]


# Cases


def test_the_grand_final_is_played_again_only_if_the_unbeaten_one_loses_it():
    assert RESET not in {m.spot for m in play(DOUBLE, 8, favourite)}
    matches = play(DOUBLE, 8, upset_in(GRAND_FINAL))
    assert [(m.spot, m.entrants) for m in matches[-2:]] == [(GRAND_FINAL, (101, 102)), (RESET, (101, 102))]
    assert matches[-1].why == "@101 lost grand final, @102 won grand final"
    matches = play(DoubleElimination(False), 8, upset_in(GRAND_FINAL))
    assert matches[-1].spot == GRAND_FINAL
    assert DoubleElimination(reset=False).standings(Records(field(8), matches))[0].entrant == 102


def test_nobody_is_champion_when_both_forfeit_the_grand_final():
    matches = play(DOUBLE, 4, lambda m: (2, 2) if m.spot == GRAND_FINAL else favourite(m))
    standings = DOUBLE.standings(Records(field(4), matches))
    assert [(s.entrant, s.place, s.last_place) for s in standings] == [
        (101, 2, 2),
        (102, 2, 2),
        (103, 3, 3),
        (104, 4, 4),
    ]


def test_two_who_forfeit_against_each_other_are_out_and_leave_a_walkover_in_both_draws():
    matches = play(DOUBLE, 4, lambda m: (2, 2) if m.spot == Spot(WINNERS, 1, 1) else favourite(m))
    at = {m.spot: m for m in matches}
    assert at[Spot(WINNERS, 2, 0)].entrants == (101,)
    assert at[Spot(LOSERS, 1, 0)].entrants == (104,)
    assert at[GRAND_FINAL].entrants == (101, 104)
    standings = DOUBLE.standings(Records(field(4), matches))
    assert [(s.entrant, s.place, s.last_place, s.reason) for s in standings[2:]] == [
        (102, 3, 4, "lost in winners' round 1"),
        (103, 3, 4, "lost in winners' round 1"),
    ]


def test_two_who_forfeit_the_winners_final_are_placed_as_if_they_had_lost_the_losers_final():
    matches = play(DOUBLE, 8, lambda m: (2, 2) if m.spot == Spot(WINNERS, 3, 0) else favourite(m))
    standings = DOUBLE.standings(Records(field(8), matches))
    assert [(s.entrant, s.place, s.last_place) for s in standings[:4]] == [
        (103, 1, 1),
        (101, 2, 3),
        (102, 2, 3),
        (104, 4, 4),
    ]


def test_a_bye_loses_nobody_so_the_losers_draw_has_a_walkover():
    matches = play(DOUBLE, 3, favourite)
    assert [(m.spot.section, m.spot.round, m.entrants, m.is_bye) for m in matches] == [
        (WINNERS, 1, (101,), True),
        (WINNERS, 1, (102, 103), False),
        (LOSERS, 1, (103,), True),
        (WINNERS, 2, (101, 102), False),
        (LOSERS, 2, (103, 102), False),
        (FINAL, 1, (101, 102), False),
    ]


def test_standings_say_why():
    standings = DOUBLE.standings(Records(field(8), play(DOUBLE, 8, upset_in(GRAND_FINAL, RESET))))
    assert [(s.entrant, s.place, s.last_place, s.wins, s.losses, s.reason) for s in standings] == [
        (102, 1, 1, 5, 1, "champion"),
        (101, 2, 2, 3, 2, "lost in the second grand final"),
        (103, 3, 3, 3, 2, "lost in the losers' final"),
        (104, 4, 4, 2, 2, "lost in losers' round 3"),
        (105, 5, 6, 1, 2, "lost in losers' round 2"),
        (106, 5, 6, 1, 2, "lost in losers' round 2"),
        (107, 7, 8, 0, 2, "lost in losers' round 1"),
        (108, 7, 8, 0, 2, "lost in losers' round 1"),
    ]


def test_the_draw_names_who_will_come():
    winners, losers, final = DOUBLE.draw(Records(field(8)))
    assert [column.title for column in winners.columns] == ["Winners' round 1", "Winners' round 2", "Winners' final"]
    assert [len(column.cells) for column in losers.columns] == [2, 2, 1, 1]
    assert [side.text for side in losers.columns[1].cells[0].sides] == [
        "Winner of losers' round 1, match 1",
        "Loser of winners' round 2, match 2",
    ]
    assert [side.text for side in final.columns[0].cells[0].sides] == [
        "Winner of winners' final",
        "Winner of losers' final",
    ]


def test_a_correction_in_the_winners_draw_reaches_both_draws():
    matches = play(DOUBLE, 4, favourite)
    assert DOUBLE.contradicted(Records(field(4), corrected(matches, Spot(WINNERS, 2, 0), (2, 1)))) == [
        Spot(LOSERS, 2, 0),
        GRAND_FINAL,
    ]


def test_a_corrected_grand_final_needs_no_second_one():
    matches = play(DOUBLE, 4, upset_in(GRAND_FINAL))
    assert DOUBLE.contradicted(Records(field(4), corrected(matches, GRAND_FINAL, (1, 2)))) == [RESET]


def test_who_won_too_late_goes_to_the_losers_draw_where_the_next_match_was_kept():
    """104 won against 101 by the correction, but 101 has begun the winners' final."""
    begun = [match for match in play(DOUBLE, 4, favourite) if match.spot.section == WINNERS]
    records = Records(field(4), corrected(begun, Spot(WINNERS, 1, 0), (2, 1)))
    (first,) = DOUBLE.next_matches(records)
    assert (first.spot, first.entrants) == (Spot(LOSERS, 1, 0), (104, 103))
    assert DOUBLE.contradicted(records) == [Spot(WINNERS, 2, 0)]


def test_matches_that_were_kept_after_a_correction_count_for_those_who_played_them():
    """104 won the first match by the correction, but what followed from the old result in both draws counts."""
    first = Spot(WINNERS, 1, 0)
    records = Records(field(4), corrected(play(DOUBLE, 4, favourite), first, (2, 1)))
    assert DOUBLE.contradicted(records)
    after = {s.entrant: (s.place, s.reason) for s in DOUBLE.standings(records)}
    assert after[101] == (1, "champion") and after[104] == (4, "lost in losers' round 1")


def test_one_entrant_is_champion_and_nobody_is_an_event_that_is_over():
    assert DOUBLE.standings(Records(field(1)))[0].reason == "champion"
    assert DOUBLE.is_over(Records([]))
    assert DOUBLE.draw(Records([])) == ()
