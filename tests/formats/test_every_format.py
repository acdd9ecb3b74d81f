"""What the contract promises, held against every format in events in which everything happens that can."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import TypeAlias

import pytest

from tests.formats.playing import field
from tournaments.formats import FORMATS, make_format
from tournaments.formats.arena import SHOWN
from tournaments.formats.contract import Entrant, Format, MatchRecord, Records
from tournaments.formats.tie_breaks import TIE_BREAKS

OPTIONS = {
    "single-elimination": [{}, {"third_place": True}],
    "double-elimination": [{}, {"reset": False}],
    "round-robin": [{}, {"double": True}, {"double": True, "swaps_last": False}, {"leavers": "keep"}],
    "groups": [
        {"group_size": 3},
        {"group_size": 4, "drawn": "pots"},
        {"group_size": 5, "qualifiers": 3, "third_place": True},
    ],
    "swiss": [{}, {"planned_rounds": 5, "accelerated": True, "late_points": "half", "unplayed": "2024"}],
    "arena": [{}, {"streaks": False}],
    "pods": [{}, {"sizes": [3, 2], "planned_rounds": 4}],
}
PLANS = [make_format(slug, options) for slug, several in OPTIONS.items() for options in several]
SIZES = (*range(10), 5, 6, 7, 8, 11, 13)
ENOUGH = 400  # steps, in which the longest of these events is over
CLOSES_AFTER = 5  # steps of an arena
GIVEN = ("bye", "half-bye", "zero-bye")

Step: TypeAlias = tuple[Records, list[MatchRecord]]
"""What is known, and what is paired then."""

each_format = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.slug)


class Life:
    """An event in which results come in any order, people stay away, leave, return and come late."""

    def __init__(self, plan: Format, size: int, rng: Random) -> None:
        self.plan, self.rng = plan, rng
        self.entrants, self.matches = field(size), list[MatchRecord]()
        self.absent = rng.choice((0.02, 0.1, 0.5))  # how likely somebody stays away from a match
        self.is_closed = False

    @property
    def records(self) -> Records:
        return Records(tuple(self.entrants), tuple(self.matches), lots="lots", is_closed=self.is_closed)

    def steps(self) -> Iterator[Step]:
        """Until the event is over."""
        for number in range(ENOUGH):
            self.is_closed = number >= CLOSES_AFTER and not self.plan.rounds(len(self.entrants))
            records = self.records
            new = self.plan.next_matches(records)
            yield records, new
            if self.plan.is_over(records):
                return
            self.matches += new
            self.go_on()
        raise AssertionError("the event does not end")

    def go_on(self) -> None:
        self.come_and_go()
        waiting = [i for i, match in enumerate(self.matches) if match.places is None]
        some = self.rng.sample(waiting, self.rng.randint(min(len(waiting), 1), len(waiting)))
        for i, match in enumerate(self.matches):
            if match.places is None and (i in some or not all(map(self.is_here, match.entrants))):
                self.matches[i] = self.decided(match)

    @property
    def round(self) -> int:
        """The newest one."""
        return max((match.spot.round for match in self.matches), default=0)

    def come_and_go(self) -> None:
        """Only some formats let people in after the start; who comes back to another one is too late as well."""
        is_open, coming = self.plan.takes_late_entries, self.round + 1
        for i, entrant in enumerate(self.entrants):
            if entrant.is_active and self.rng.random() < 0.04:
                self.entrants[i] = replace(entrant, is_active=False)
            elif not entrant.is_active and is_open and self.rng.random() < 0.3:
                self.entrants[i] = replace(entrant, is_active=True, first_round=coming)
        if is_open and self.entrants and self.rng.random() < 0.05:
            seed = len(self.entrants) + 1
            self.entrants.append(Entrant(100 + seed, seed, first_round=coming))

    def is_here(self, entrant: int) -> bool:
        return next(e.is_active for e in self.entrants if e.id == entrant)

    def decided(self, match: MatchRecord) -> MatchRecord:
        """Whoever has left, or stays away this time, forfeits."""
        came = [self.is_here(entrant) and self.rng.random() >= self.absent for entrant in match.entrants]
        if not all(came):
            return replace(match, places=tuple(1 if is_here else 2 for is_here in came), how="forfeit")
        made = [self.rng.randrange(4) for _ in match.entrants]
        if self.plan.needs_winner_in(match.spot.section):
            made = self.rng.sample(range(4), len(match.entrants))
        return replace(match, places=tuple(1 + sum(other > own for other in made) for own in made))


@cache
def events(plan: Format) -> list[list[Step]]:
    """Some from their start to their end; always the same."""
    return [list(Life(plan, size, Random(number)).steps()) for number, size in enumerate(SIZES)]


def steps(plan: Format) -> list[Step]:
    return [step for event in events(plan) for step in event]


def ends(plan: Format) -> list[Records]:
    return [event[-1][0] for event in events(plan)]


def named_in(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"@(\d+)", text)}


# What is paired


@each_format
def test_asking_twice_gives_the_same_in_whatever_order_matches_are_kept(plan):
    rng = Random(1)
    for records, new in steps(plan):
        shuffled = replace(records, matches=rng.sample(records.matches, len(records.matches)))
        assert plan.next_matches(shuffled) == new
        assert plan.next_matches(replace(records, matches=[*records.matches, *new])) == []


@each_format
def test_a_match_has_a_spot_of_its_own_and_as_many_sides_as_the_format_says(plan):
    for records, new in steps(plan):
        spots = [match.spot for match in new]
        assert spots == sorted(set(spots) - records.by_spot.keys())
        for match in new:
            if match.is_bye:
                assert (match.places, match.how in GIVEN) == ((1,), True)
            else:
                assert (match.places, match.how, match.points) == (None, "played", ())
                assert len(set(match.entrants)) == len(match.entrants)
                assert len(match.entrants) in plan.sides


@each_format
def test_nobody_has_two_matches_at_once_or_two_in_a_round(plan):
    for records, new in steps(plan):
        matches = [*records.matches, *new]
        undecided = Counter(entrant for match in matches if match.places is None for entrant in match.entrants)
        in_rounds = Counter((m.spot.section, m.spot.round, entrant) for m in matches for entrant in m.entrants)
        assert set(undecided.values()) | set(in_rounds.values()) <= {1}
        assert undecided.keys() <= records.by_id.keys()


@each_format
def test_a_round_is_paired_once_all_before_it_is_decided_where_the_format_says_so(plan):
    for records, new in steps(plan):
        assert not (plan.by_rounds and new) or records.all_decided


@each_format
def test_every_pairing_says_why(plan):
    for records, new in steps(plan):
        for match in new:
            assert match.why or match.how in ("half-bye", "zero-bye")
            assert named_in(match.why) <= records.by_id.keys()


@each_format
def test_three_are_enough_to_begin(plan):
    starts = [event[0] for event in events(plan)]
    assert all(any(not match.is_bye for match in new) for records, new in starts if len(records.entrants) >= 3)


@each_format
def test_what_is_over_stays_over(plan):
    for records in ends(plan):
        assert records.all_decided
        assert plan.next_matches(records) == []


# How all stand


@each_format
def test_standings_have_everybody_once_with_places_that_fit_together(plan):
    for records, _ in steps(plan):
        standings = plan.standings(records)
        assert sorted(standing.entrant for standing in standings) == sorted(records.by_id)
        assert all(standing.reason or not records.matches for standing in standings)
        assert {e for standing in standings for e in named_in(standing.reason)} <= records.by_id.keys()
        assert len({tuple(figure.code for figure in standing.figures) for standing in standings}) <= 1
        ranked = [standing for standing in standings if standing.place is not None]
        assert [s.place for s in ranked] == sorted(s.place for s in ranked)
        for one, other in pairwise(ranked):
            assert (one.place, one.last_place) == (other.place, other.last_place) or one.last_place < other.place


@each_format
def test_in_the_end_places_are_counted_without_gaps(plan):
    for standings in map(plan.standings, ends(plan)):
        for standing in standings:
            assert standing.last_place == sum(other.place <= standing.place for other in standings)
            better = sum(other.place < standing.place for other in standings)
            assert standing.place == 1 + better or (standing.place, better, plan.needs_winner) == (2, 0, True)


@each_format
def test_the_champion_of_a_knock_out_is_first_and_nobody_else(plan):
    for standings in map(plan.standings, ends(plan) if plan.needs_winner else []):
        champions = [standing.entrant for standing in standings if standing.reason == "champion"]
        assert [standing.entrant for standing in standings if standing.place == 1] == champions


# The draw


@each_format
def test_the_draw_shows_every_match_with_its_sides_and_its_winner(plan):
    for records, new in steps(plan):
        everything = replace(records, matches=[*records.matches, *new])
        sections = plan.draw(everything)
        cells = [cell for section in sections for column in section.columns for cell in column.cells]
        by_spot = {cell.spot: cell for cell in cells}
        assert len(by_spot) == len(cells)
        assert len({section.id for section in sections}) == len(sections)
        assert all(cell.spot.section == section.id for section in sections for c in section.columns for cell in c.cells)
        for match in sorted(everything.matches, key=lambda match: match.spot)[0 if plan.rounds(2) else -SHOWN :]:
            sides = [side for side in by_spot[match.spot].sides if side.entrant is not None]
            assert tuple(side.entrant for side in sides) == match.entrants
            if match.places and not match.is_bye:
                assert [side.entrant for side in sides if side.has_won] == [match.winner] * (match.winner is not None)
        assert all(cell.title and all(side.entrant or side.text for side in cell.sides) for cell in cells)


@each_format
def test_columns_of_a_tree_lead_on_to_half_as_many_or_as_many(plan):
    trees = [section for records in ends(plan) for section in plan.draw(records) if section.is_tree]
    for tree in trees:
        for column, following in pairwise(tree.columns):
            assert len(column.cells) in (len(following.cells), 2 * len(following.cells))


# Directors


@each_format
def test_results_as_they_came_are_neither_contradicted_nor_objected_to(plan):
    for records, new in steps(plan):
        assert plan.contradicted(records) == []
        assert plan.objections(records, []) == []
        for match in new if plan.needs_winner or plan.all_play_all else []:
            others = [*records.matches, *(other for other in new if other != match)]
            assert plan.objections(replace(records, matches=others), [match]) == [], "as the draw, or the table, has it"


# Options


def test_every_format_is_known_by_its_slug_and_played_here():
    assert [kind.slug for kind in FORMATS] == list(OPTIONS)
    assert all(kind.name and kind.summary.endswith(".") for kind in FORMATS)


def test_there_is_no_other_format():
    with pytest.raises(LookupError):
        make_format("coin-toss", {})


@each_format
def test_options_come_back_from_json(plan):
    assert make_format(plan.slug, json.loads(json.dumps(asdict(plan)))) == plan


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.slug)
def test_every_option_can_be_asked_for_in_a_form(kind):
    for option in fields(kind):
        value, about = getattr(kind(), option.name), option.metadata
        assert about["label"]
        assert about.keys() <= {"label", "help", "choices", "low", "high", "only_with"}
        if "only_with" in about:
            assert isinstance(getattr(kind(), about["only_with"]), bool)
        assert isinstance(value, (bool, int, str, tuple))
        if isinstance(value, str):
            assert value in about["choices"]
        if isinstance(value, tuple):
            assert set(value) <= TIE_BREAKS.keys() if option.name == "tie_breaks" else {type(v) for v in value} == {int}
        if isinstance(value, int) and not isinstance(value, bool):
            assert about["low"] <= value <= about["high"]
