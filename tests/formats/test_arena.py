from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import field, seeds_of_chance
from tournaments.formats.arena import ARENA, MAY_WAIT, SHOWN, Arena
from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot


def met(wave: int, *pairs: tuple[int, int], places: tuple[int, int] | None = (1, 2), how="played") -> list[MatchRecord]:
    """Matches of one wave, by default won by whoever is named first."""
    return [MatchRecord(Spot(ARENA, wave, slot), pair, places, how) for slot, pair in enumerate(pairs)]


def waves_of(
    arena: Arena, entrants: list[Entrant], rng: Random, *, waves=12, come_and_go=False, forbidden=frozenset()
) -> Iterator[tuple[Records, list[MatchRecord]]]:
    """An arena in which each match may end before each wave: the records, and what is paired."""
    matches: list[MatchRecord] = []
    for _ in range(waves):
        if come_and_go:
            entrants = [replace(e, is_active=rng.random() < 0.9) for e in entrants]
            entrants += [Entrant(101 + len(entrants), 1 + len(entrants))] if rng.random() < 0.3 else []
        matches = [result(match, rng) if match.places is None and rng.random() < 0.5 else match for match in matches]
        records = Records(entrants, matches, forbidden, "lots")
        new = arena.next_matches(records)
        yield records, new
        matches = [*matches, *new]


def result(match: MatchRecord, rng: Random) -> MatchRecord:
    places = rng.choice([(1, 2), (2, 1), (1, 1), (2, 2)])
    how = "forfeit" if places == (2, 2) else rng.choice(["played", "played", "played", "forfeit", "annulled"])
    return replace(match, places=places, how=how)


def free(records: Records) -> list[int]:
    """Who has no match, best first."""
    points: Counter[int] = Counter()
    for (spot, side), made in Arena().points(records).items():
        points[records.by_spot[spot].entrants[side]] += made
    busy = {e for match in records.matches if match.places is None for e in match.entrants}
    here = [e for e in records.entrants if e.is_active and e.id not in busy]
    return [e.id for e in sorted(here, key=lambda e: (-points[e.id], e.seed))]


def last_matches(records: Records) -> dict[int, MatchRecord]:
    counted = [match for match in records.matches if match.how != "annulled"]
    return {e: match for match in sorted(counted, key=lambda match: match.spot) for e in match.entrants}


def is_rematch(records: Records, pair: tuple[int, ...]) -> bool:
    last = last_matches(records)
    return any(e in last and set(last[e].entrants) == set(pair) for e in pair)


def perfect_pairings(people: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair an even number of people."""
    if not people:
        yield []
        return
    first, *others = people
    for other in others:
        for rest in perfect_pairings([e for e in others if e != other]):
            yield [(first, other), *rest]


# Worked examples: the sums that the rules of the large chess sites give, and some more


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ("WWD", [2, 2, 2]),
        ("WWWL", [2, 2, 4, 0]),
        ("WWWDWWW", [2, 2, 4, 2, 2, 2, 4]),
        ("WWLWWW", [2, 2, 0, 2, 2, 4]),
        ("WDWWLW", [2, 1, 2, 2, 0, 2]),
        ("DDDL", [1, 1, 1, 0]),
        ("WWbW", [2, 2, 2, 4]),
        ("WbWW", [2, 2, 2, 4]),
        ("WWaW", [2, 2, 0, 4]),
        ("WWnW", [2, 2, 0, 2]),
        ("fffff", [2, 2, 2, 2, 2]),
        ("WfWfW", [2, 2, 2, 2, 4]),
        ("WWffD", [2, 2, 2, 2, 2]),
        ("WWlWWW", [2, 2, 0, 2, 2, 4]),
    ],
)
def test_after_two_wins_in_a_row_everything_counts_double_until_one_is_missed(results, points):
    """b: a bye, a: annulled, n: nobody came, f: won by forfeit, l: lost by forfeit."""
    kinds = {"W": (1, 2), "D": (1, 1), "L": (2, 1), "a": (1, 2), "n": (2, 2), "f": (1, 2), "l": (2, 1)}
    hows = {"b": "bye", "a": "annulled", "n": "forfeit", "f": "forfeit", "l": "forfeit"}
    matches = [
        MatchRecord(
            Spot(ARENA, wave, 0),
            (101,) if kind == "b" else (101, 100 + wave),
            kinds.get(kind, (1,)),
            hows.get(kind, "played"),
        )
        for wave, kind in enumerate(results, start=2)
    ]
    records = Records(field(12), matches[::-1])
    given_out = Arena().points(records)
    assert [given_out.get((match.spot, 0), 0) for match in matches] == points
    single = Arena(streaks=False).points(records)
    assert max(single.values()) == 2 or "W" not in results
    assert Arena().standings(records)[0].points == sum(points)


def test_at_first_neighbours_in_seed_meet():
    pairs = [set(match.entrants) for match in Arena().next_matches(Records(field(6)))]
    assert pairs == [{101, 102}, {103, 104}, {105, 106}]


def test_those_who_are_free_meet_others_with_as_many_points():
    first = met(1, (101, 102), (103, 104), (105, 106), (107, 108))
    pairs = [set(match.entrants) for match in Arena().next_matches(Records(field(8), first))]
    assert pairs == [{101, 103}, {105, 107}, {102, 104}, {106, 108}]


# Properties


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 20), seeds_of_chance)
def test_everybody_who_is_free_is_paired_once_but_for_one_and_for_two_who_have_just_met(size, chance_seed):
    rng = Random(chance_seed)
    for records, new in waves_of(Arena(), field(size), rng, come_and_go=True):
        paired = [e for match in new for e in match.entrants]
        assert len(paired) == len(set(paired)) and set(paired) <= set(free(records))
        left = set(free(records)) - set(paired)
        assert len(left) <= 1 or (len(left) <= 3 and any(is_rematch(records, pair) for pair in combinations(left, 2)))
        assert not {match.spot for match in new} & {match.spot for match in records.matches}
        again = replace(records, matches=[*records.matches, *new])
        assert Arena().next_matches(again) == []
        assert not Arena().is_over(again)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 8), seeds_of_chance)
def test_nobody_meets_the_last_opponent_again_while_a_third_is_around(size, chance_seed):
    for records, new in waves_of(Arena(), field(size), Random(chance_seed)):
        assert size == 2 or not [match for match in new if is_rematch(records, match.entrants)]


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 8), seeds_of_chance)
def test_as_many_of_few_are_paired_as_can_be_without_a_rematch(size, chance_seed):
    for records, new in waves_of(Arena(), field(size), Random(chance_seed)):
        here = free(records)
        crowds = [[e for e in here if e != waiting] for waiting in here] if len(here) % 2 else [here]
        most = max(
            sum(size == 2 or not is_rematch(records, pair) for pair in pairs)
            for crowd in crowds
            for pairs in perfect_pairings(crowd)
        )
        assert len(new) >= most - 1
        assert len(here) != 3 or len(new) == most


@settings(deadline=None, max_examples=60)
@given(st.integers(3, 20), seeds_of_chance)
def test_who_waits_was_paired_later_than_nearly_all_others(size, chance_seed):
    for records, new in waves_of(Arena(), field(size), Random(chance_seed), come_and_go=True):
        last, paired = last_matches(records), {e for match in new for e in match.entrants}
        wave = {e: last[e].spot.round if e in last else 0 for e in free(records)}
        for waiting in set(wave) - paired:
            assert sum(wave[e] > wave[waiting] for e in paired) < MAY_WAIT


@settings(deadline=None, max_examples=30)
@given(st.integers(4, 16), seeds_of_chance)
def test_a_forbidden_pair_never_meets(size, chance_seed):
    rng = Random(chance_seed)
    forbidden = frozenset(frozenset(rng.sample(range(101, 101 + size), 2)) for _ in range(size))
    for _, new in waves_of(Arena(), field(size), rng, forbidden=forbidden):
        assert not {frozenset(match.entrants) for match in new} & forbidden


@settings(deadline=None, max_examples=30)
@given(st.integers(4, 20), seeds_of_chance)
def test_everybody_sits_first_about_as_often_as_last(size, chance_seed):
    firsts: Counter[int] = Counter()
    for records, new in waves_of(Arena(), field(size), Random(chance_seed), waves=20):
        firsts = Counter()
        for match in [*records.matches, *new]:
            if match.how != "annulled":
                firsts.update({match.entrants[0]: 1, match.entrants[1]: -1})
    assert max(map(abs, firsts.values())) <= 3


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 20), seeds_of_chance)
def test_partners_are_near_in_the_standings(size, chance_seed):
    for records, new in waves_of(Arena(), field(3 * size), Random(chance_seed), waves=6):
        paired = {e for match in new for e in match.entrants}
        ranking = [e for e in free(records) if e in paired]
        gaps = [abs(ranking.index(one) - ranking.index(other)) for one, other in (m.entrants for m in new)]
        moved = sum(is_rematch(records, pair) for pair in zip(ranking[::2], ranking[1::2], strict=True))
        assert sum(gaps) <= len(gaps) + 4 * moved


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 20), seeds_of_chance)
def test_what_the_format_pairs_meets_with_no_objection_but_a_rematch(size, chance_seed):
    for records, new in waves_of(Arena(), field(size), Random(chance_seed)):
        rematches = [match.entrants for match in new if is_rematch(records, match.entrants)]
        objections = Arena().objections(records, new)
        assert len(objections) == len(rematches) <= (size == 2)
        assert all("twice in a row" in objection for objection in objections)


# Cases


def test_two_who_have_just_met_wait_for_those_who_still_play():
    played = [*met(1, (101, 102)), *met(1, (103, 104), places=None)]
    assert Arena().next_matches(Records(field(4), played)) == []
    (match,) = Arena().next_matches(Records(field(5), played))
    assert 105 in match.entrants


@pytest.mark.parametrize("away", [{"is_active": False}, {"sits_out": True}])
def test_two_who_are_alone_play_again(away):
    entrants = [*field(2), Entrant(103, 3, **away), Entrant(104, 4, **away)]
    (again,) = Arena().next_matches(Records(entrants, met(1, (101, 102))))
    assert set(again.entrants) == {101, 102}
    assert "They meet again because no one else is available." in again.why


def test_two_who_may_meet_nobody_else_play_again():
    forbidden = frozenset(frozenset((one, 103)) for one in (101, 102))
    (again,) = Arena().next_matches(Records(field(3), met(1, (101, 102)), forbidden))
    assert set(again.entrants) == {101, 102}


def test_who_sits_out_is_not_paired():
    entrants = [*field(2), Entrant(103, 3, sits_out=True)]
    pairs = [set(match.entrants) for match in Arena().next_matches(Records(entrants))]
    assert pairs == [{101, 102}]
    proposed = [MatchRecord(Spot(ARENA, 1, 0), (101, 103))]
    assert Arena().objections(Records(entrants), proposed) == ["@103 sits out."]


def test_of_three_one_waits_so_that_nobody_meets_the_last_opponent():
    entrants = [*field(3), Entrant(104, 4, is_active=False)]
    matches = met(1, (101, 102)) + met(2, (103, 104))
    (match,) = Arena().next_matches(Records(entrants, matches))
    assert 103 in match.entrants, "though 103 was paired last"


def test_whoever_sat_first_more_often_sits_last_then_whoever_did_so_last_time():
    entrants = [Entrant(101, 1), Entrant(102, 2)]

    def order(*history: tuple[int, int]) -> tuple[int, ...]:
        matches = [match for wave, pair in enumerate(history, start=1) for match in met(wave, pair)]
        return Arena().next_matches(Records(entrants, matches))[0].entrants

    assert order((101, 103)) == (102, 101)
    assert order((102, 103)) == (101, 102)
    assert order((101, 103), (103, 101), (103, 102), (102, 103)) == (101, 102)
    assert order((102, 103), (103, 102), (103, 101), (101, 103)) == (102, 101)


def test_nothing_is_paired_once_the_time_is_up_and_it_ends_with_the_last_match():
    open_match = met(1, (101, 102), places=None)
    closed = Records(field(4), open_match, is_closed=True)
    assert Arena().next_matches(closed) == []
    assert not Arena().is_over(closed)
    assert Arena().is_over(replace(closed, matches=met(1, (101, 102))))


def test_an_arena_that_nobody_plays_in_goes_on_until_its_time_is_up():
    assert not Arena().is_over(Records([]))
    assert not Arena().is_over(Records(field(1)))
    assert Arena().is_over(Records([], is_closed=True))


def test_standings_say_what_decides():
    matches = met(1, (101, 102), (103, 104)) + met(2, (103, 101)) + met(3, (103, 102), places=(1, 1))
    standings = Arena().standings(Records(field(4), matches, lots="lots"))
    assert [(s.entrant, s.points, s.wins, s.draws, s.losses) for s in standings] == [
        (103, 6, 2, 1, 0),
        (101, 2, 1, 0, 1),
        (102, 1, 0, 1, 1),
        (104, 0, 0, 0, 1),
    ]
    assert standings[0].reason == "most points"
    assert standings[2].reason == "behind @101 by points: 1 to 2"


def test_the_draw_shows_the_latest_matches_first():
    matches = [match for wave in range(1, 31) for match in met(wave, (101, 102))]
    ((column,),) = [section.columns for section in Arena().draw(Records(field(2), matches))]
    assert [cell.spot.round for cell in column.cells] == list(range(30, 30 - SHOWN, -1))
    assert column.cells[0].title == "Match 30"
    assert [side.has_won for side in column.cells[0].sides] == [True, False]
    assert Arena().draw(Records(field(2))) == ()
    ((column,),) = [s.columns for s in Arena().draw(Records(field(2), met(1, (101, 102), how="annulled")))]
    assert [side.has_won for side in column.cells[0].sides] == [None, None]


def test_directors_are_told_which_rules_they_bend():
    entrants = [*field(5), Entrant(106, 6, is_active=False)]
    matches = met(1, (101, 102)) + met(2, (103, 104), places=None)
    records = Records(entrants, matches, frozenset([frozenset((101, 105))]))
    proposed = met(3, (101, 102), (103, 101), (106, 102), (101, 105), places=None)
    assert Arena().objections(records, proposed) == [
        "@101 and @102 would meet twice in a row.",
        "@103 is still playing.",
        "@106 has left.",
        "A director doesn't want @101 and @105 to meet.",
    ]
