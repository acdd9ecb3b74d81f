from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import by_spot, chance, corrected, favourite, field, play, seeds_of_chance
from tournaments.formats.bracket import seed_order
from tournaments.formats.contract import MatchRecord, Records, Spot
from tournaments.formats.single_elimination import MAIN, THIRD_PLACE, SingleElimination

KNOCK_OUT, WITH_THIRD = SingleElimination(), SingleElimination(third_place=True)
sizes = st.integers(1, 24)


def met(matches: list[MatchRecord], number: int) -> set[frozenset[int]]:
    """The seeds that met in a round, byes left out."""
    return {frozenset(e - 100 for e in m.entrants) for m in matches if m.spot.round == number and not m.is_bye}


# Worked examples: the printed sixteen-place draw that every racket club uses, and byes of an uneven field.


def test_sixteen_places_are_seeded_as_printed_draws_are():
    assert seed_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_eight_favourites_meet_as_the_table_says():
    matches = play(KNOCK_OUT, 8, favourite)
    assert met(matches, 1) == {frozenset(p) for p in ((1, 8), (4, 5), (2, 7), (3, 6))}
    assert met(matches, 2) == {frozenset(p) for p in ((1, 4), (2, 3))}
    assert met(matches, 3) == {frozenset((1, 2))}


def test_eleven_entrants_have_five_byes_for_the_best_five():
    matches = play(KNOCK_OUT, 11, favourite)
    assert sorted(m.entrants[0] - 100 for m in matches if m.is_bye) == [1, 2, 3, 4, 5]
    assert met(matches, 1) == {frozenset(p) for p in ((8, 9), (7, 10), (6, 11))}


@pytest.mark.parametrize(("size", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6)])
def test_rounds_double_the_field(size, rounds):
    assert KNOCK_OUT.rounds(size) == rounds


# Properties


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance, st.booleans())
def test_everyone_but_the_champion_loses_once(size, chance_seed, third_place):
    rng = Random(chance_seed)
    matches = [m for m in play(SingleElimination(third_place), size, chance(rng), rng=rng) if m.spot.section == MAIN]
    losers = [loser for match in matches for loser in match.losers]
    assert len(losers) == len(set(losers)) == size - 1


@settings(deadline=None, max_examples=25)
@given(sizes)
def test_byes_go_to_the_best_seeds_and_only_in_the_first_round(size):
    byes = [m for m in play(KNOCK_OUT, size, favourite) if m.is_bye]
    count = (2 ** KNOCK_OUT.rounds(size)) - size
    assert sorted(m.entrants[0] - 100 for m in byes) == list(range(1, count + 1))
    assert all(m.spot.round == 1 for m in byes)


@settings(deadline=None, max_examples=25)
@given(sizes)
def test_favourites_meet_as_late_as_possible(size):
    rounds = KNOCK_OUT.rounds(size)
    for match in play(KNOCK_OUT, size, favourite):
        assert max(match.entrants) - 100 <= 2 ** (rounds - match.spot.round + 1)
        if not match.is_bye:
            assert sum(entrant - 100 for entrant in match.entrants) == 2 ** (rounds - match.spot.round + 1) + 1


@settings(deadline=None, max_examples=25)
@given(sizes, seeds_of_chance)
def test_the_order_of_results_does_not_matter(size, chance_seed):
    result = by_spot(chance_seed)
    in_order = play(WITH_THIRD, size, result)
    shuffled = play(WITH_THIRD, size, result, rng=Random(chance_seed))
    assert sorted(in_order, key=lambda m: m.spot) == sorted(shuffled, key=lambda m: m.spot)


# Cases


def test_a_match_is_paired_as_soon_as_both_are_known():
    entrants = field(8)
    matches = KNOCK_OUT.next_matches(Records(entrants, []))
    matches[:2] = [replace(match, places=(1, 2)) for match in matches[:2]]
    (semi_final,) = KNOCK_OUT.next_matches(Records(entrants, matches))
    assert (semi_final.spot, semi_final.entrants) == (Spot(MAIN, 2, 0), (101, 104))


def test_every_pairing_says_why():
    matches = play(KNOCK_OUT, 6, favourite)
    assert [m.why for m in matches if m.spot in (Spot(MAIN, 1, 0), Spot(MAIN, 1, 1), Spot(MAIN, 2, 0))] == [
        "seed 1 of 6: empty places are next to the top seeds",
        "seeds 4 and 5 of 6: the top seeds meet last",
        "@101 had a bye in quarter-final 1, @104 won quarter-final 2",
    ]


def test_two_byes_meet_at_once():
    matches = KNOCK_OUT.next_matches(Records(field(5), []))
    assert [(m.spot.round, m.entrants) for m in matches] == [
        (1, (101,)),
        (1, (104, 105)),
        (1, (102,)),
        (1, (103,)),
        (2, (102, 103)),
    ]


def test_when_both_forfeit_the_next_opponent_has_a_walkover():
    matches = play(KNOCK_OUT, 4, lambda m: (2, 2) if m.spot == Spot(MAIN, 1, 1) else (1, 2))
    final = matches[-1]
    assert (final.entrants, final.places, final.how) == ((101,), (1,), "bye")
    assert final.why == "@101 won semi-final 1, no one advanced from semi-final 2"
    assert KNOCK_OUT.standings(Records(field(4), matches))[0].reason == "champion"


def test_a_place_that_no_one_has_won_is_drawn_empty_and_that_of_an_uneven_field_as_a_bye():
    no_one_comes = play(KNOCK_OUT, 7, lambda m: (2, 2) if m.spot.slot > 1 else (1, 2))
    drawn = KNOCK_OUT.draw(Records(field(7), no_one_comes))[0].columns
    assert [side.text for side in drawn[0].cells[0].sides] == ["", "bye"]
    assert [[side.text for side in cell.sides] for cell in drawn[1].cells] == [["", ""], ["no one", "no one"]]
    assert [side.text for side in drawn[2].cells[0].sides] == ["", "no one"]


def test_semi_final_losers_play_for_third_place_only_if_asked():
    assert Spot(THIRD_PLACE, 2, 0) not in {m.spot for m in play(KNOCK_OUT, 4, favourite)}
    matches = play(WITH_THIRD, 4, favourite)
    assert next(m for m in matches if m.spot == Spot(THIRD_PLACE, 2, 0)).entrants == (104, 103)


def test_of_three_entrants_the_loser_of_the_only_semi_final_is_third_without_a_match():
    matches = play(WITH_THIRD, 3, favourite)
    assert all(match.is_bye for match in matches if match.spot.section == THIRD_PLACE)
    assert [(s.entrant, s.place) for s in WITH_THIRD.standings(Records(field(3), matches))] == [
        (101, 1),
        (102, 2),
        (103, 3),
    ]


def test_two_who_forfeit_a_semi_final_do_not_play_for_third_place():
    matches = play(WITH_THIRD, 4, lambda m: (2, 2) if m.spot == Spot(MAIN, 1, 1) else (1, 2))
    assert next(m.entrants for m in matches if m.spot.section == THIRD_PLACE) == (104,)


def test_standings_say_why():
    standings = WITH_THIRD.standings(Records(field(8), play(WITH_THIRD, 8, favourite)))
    assert [(s.entrant, s.place, s.last_place, s.wins, s.losses, s.reason) for s in standings[:5]] == [
        (101, 1, 1, 3, 0, "champion"),
        (102, 2, 2, 2, 1, "lost in the final"),
        (103, 3, 3, 2, 1, "won the match for third place"),
        (104, 4, 4, 1, 2, "lost the match for third place"),
        (105, 5, 8, 0, 1, "lost in the quarter-finals"),
    ]


def test_places_stay_open_while_someone_can_still_move():
    entrants = field(4)
    matches = [replace(match, places=favourite(match)) for match in WITH_THIRD.next_matches(Records(entrants, []))]
    reasons = {s.entrant: (s.place, s.reason) for s in WITH_THIRD.standings(Records(entrants, matches))}
    assert reasons[101] == (None, "still in")
    assert reasons[103] == (None, "plays for third place")


def test_a_place_is_shared_with_those_who_have_still_to_lose():
    entrants = field(8)
    matches = WITH_THIRD.next_matches(Records(entrants, []))
    matches[0] = replace(matches[0], places=favourite(matches[0]))
    standings = {s.entrant: (s.place, s.last_place) for s in KNOCK_OUT.standings(Records(entrants, matches))}
    assert standings[108] == (5, 8)


def test_a_place_does_not_depend_on_who_was_quicker():
    matches = [
        m for m in play(KNOCK_OUT, 8, favourite) if m.spot not in (Spot(MAIN, 1, 3), Spot(MAIN, 2, 1), Spot(MAIN, 3, 0))
    ]
    standings = {s.entrant: (s.place, s.last_place) for s in KNOCK_OUT.standings(Records(field(8), matches))}
    assert standings[104] == (3, 4)


# Corrections, and what a director has put into the draw


@pytest.mark.parametrize("places", [(2, 1), (2, 2), None], ids=["the other one won", "both forfeited", "open again"])
def test_what_followed_from_a_result_that_was_corrected_is_contradicted(places):
    records = Records(field(8), corrected(play(WITH_THIRD, 8, favourite), Spot(MAIN, 1, 2), places))
    assert WITH_THIRD.contradicted(records) == [
        Spot(MAIN, 2, 1),
        Spot(MAIN, 3, 0),
        Spot(THIRD_PLACE, 3, 0),
    ]


def test_a_corrected_semi_final_contradicts_the_final_and_the_match_for_third_place():
    records = Records(field(8), corrected(play(WITH_THIRD, 8, favourite), Spot(MAIN, 2, 0), (2, 1)))
    assert WITH_THIRD.contradicted(records) == [Spot(MAIN, 3, 0), Spot(THIRD_PLACE, 3, 0)]
    kept = [match for match in records.matches if match.spot not in WITH_THIRD.contradicted(records)]
    again = {m.spot: m.entrants for m in WITH_THIRD.next_matches(Records(field(8), kept))}
    assert again == {Spot(MAIN, 3, 0): (104, 102), Spot(THIRD_PLACE, 3, 0): (101, 103)}


def test_who_won_too_late_for_third_place_is_champion_by_the_final():
    """104 lost the match for third place, which was kept, and then came to the final by a correction."""
    third = [match for match in play(WITH_THIRD, 4, favourite) if match.spot != Spot(MAIN, 2, 0)]
    (final,) = WITH_THIRD.next_matches(Records(field(4), corrected(third, Spot(MAIN, 1, 0), (2, 1))))
    assert final.entrants == (104, 102)
    whole = [*corrected(third, Spot(MAIN, 1, 0), (2, 1)), replace(final, places=(1, 2))]
    assert [s.entrant for s in WITH_THIRD.standings(Records(field(4), whole)) if s.place == 1] == [104]


def test_who_won_too_late_plays_for_third_place_where_the_final_was_kept():
    """104 won the semi-final against 101 by the correction, but 101 has begun the final."""
    without_third = [match for match in play(WITH_THIRD, 4, favourite) if match.spot.section == MAIN]
    records = Records(field(4), corrected(without_third, Spot(MAIN, 1, 0), (2, 1)))
    (third,) = WITH_THIRD.next_matches(records)
    assert (third.spot.section, third.entrants) == (THIRD_PLACE, (104, 103))
    assert third.why == "@104 won semi-final 1, but the next match had begun, @103 lost semi-final 2"
    assert WITH_THIRD.contradicted(records) == [Spot(MAIN, 2, 0)]


@pytest.mark.parametrize("plan", [KNOCK_OUT, WITH_THIRD], ids=["without third place", "with it"])
def test_matches_that_were_kept_after_a_correction_count_for_those_who_played_them(plan):
    """101 lost the quarter-final to 108 by the correction, and then won the semi-final and the final, which count."""
    whole = corrected(play(plan, 8, favourite), Spot(MAIN, 1, 0), (2, 1))
    after = {s.entrant: (s.place, s.last_place, s.reason) for s in plan.standings(Records(field(8), whole))}
    assert after[101] == (1, 1, "champion")
    assert after[102][:2] == (2, 2)
    assert after[108] == (5, 5, "won in the quarter-finals, but the next match had begun")
    assert after[105] == (6, 8, "lost in the quarter-finals")
    played = [match for match in whole if match.spot.round < 3]
    during = corrected(played, Spot(MAIN, 2, 0), None)
    after = {s.entrant: (s.place, s.last_place, s.reason) for s in plan.standings(Records(field(8), during))}
    assert after[101] == (None, None, "still in")
    assert after[108] == (5, 5, "won in the quarter-finals, but the next match had begun")


def test_a_walkover_falls_when_its_missing_opponent_comes_after_all():
    matches = play(KNOCK_OUT, 8, lambda m: (2, 2) if m.spot == Spot(MAIN, 1, 1) else favourite(m))
    records = Records(field(8), corrected(matches, Spot(MAIN, 1, 1), (1, 2)))
    assert KNOCK_OUT.contradicted(records) == [Spot(MAIN, 2, 0), Spot(MAIN, 3, 0)]


@settings(deadline=None, max_examples=25)
@given(st.integers(4, 20), seeds_of_chance)
def test_first_matches_of_a_director_stay_and_nobody_is_lost(size, chance_seed):
    rng, entrants = Random(chance_seed), field(size)
    slots = {m.spot.slot for m in KNOCK_OUT.next_matches(Records(entrants)) if not m.is_bye}
    ids = [entrant.id for entrant in entrants]
    own = [MatchRecord(Spot(MAIN, 1, slot), tuple(rng.sample(ids, 2))) for slot in [rng.choice(sorted(slots))]]
    first = [*own, *(m for m in KNOCK_OUT.next_matches(Records(entrants, own)) if m.spot.round == 1)]
    assert sorted(entrant for match in first for entrant in match.entrants) == ids
    assert KNOCK_OUT.contradicted(Records(entrants, first)) == []


def test_a_bye_of_a_director_takes_the_place_of_the_lowest_bye():
    own = [MatchRecord(Spot(MAIN, 1, 3), (103,), (1,), "bye")]
    first = {m.spot.slot: m.entrants for m in KNOCK_OUT.next_matches(Records(field(6), own))}
    assert first == {0: (101,), 1: (104, 105), 2: (102, 106)}


def test_a_match_that_is_not_in_the_draw_is_objected_to():
    records = Records(field(8), forbidden=frozenset([frozenset((101, 102))]))
    assert KNOCK_OUT.objections(records, [MatchRecord(Spot(MAIN, 1, 0), (101, 102))]) == [
        "According to the draw @101 and @108 would play in quarter-final 1.",
        "@101 and @102 may not be paired.",
    ]
    assert KNOCK_OUT.objections(records, [MatchRecord(Spot(MAIN, 1, 0), (108, 101))]) == []


def test_the_draw_names_who_will_come():
    (section,) = KNOCK_OUT.draw(Records(field(6), []))
    semi_final = section.columns[1].cells[0]
    assert (semi_final.title, [side.text for side in semi_final.sides]) == (
        "Semi-final 1",
        ["Winner of quarter-final 1", "Winner of quarter-final 2"],
    )
    assert [side.text for side in section.columns[0].cells[0].sides] == ["", "bye"]


def test_one_entrant_is_champion_without_a_match():
    assert KNOCK_OUT.is_over(Records(field(1), []))
    assert KNOCK_OUT.standings(Records(field(1), []))[0].reason == "champion"


def test_nobody_is_an_event_that_is_over():
    assert KNOCK_OUT.is_over(Records([], []))
    assert KNOCK_OUT.draw(Records([], [])) == ()
