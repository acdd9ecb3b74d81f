"""Draws from pots: every group gets one of each pot, and everyone can check it."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.contract import Entrant, Records
from tournaments.formats.groups import Groups
from tournaments.formats.pots import draw_steps, fill_pots


@pytest.mark.parametrize(
    ("entrants", "pots"),
    [(0, []), (3, [[1], [2], [3]]), (8, [[1, 2], [3, 4], [5, 6], [7, 8]]), (7, [[1, 2], [3, 4], [5, 6], [7]])],
)
def test_seeds_fill_the_pots_in_their_order(entrants, pots):
    assert fill_pots(range(1, entrants + 1), 4) == pots


def test_the_lowest_lot_of_a_pot_goes_to_the_first_group():
    steps = [*draw_steps([11, 12, 13, 14, 15, 16], 2, "published")]
    assert [step.pot for step in steps] == [1, 1, 1, 2, 2, 2]
    assert [step.group for step in steps] == [0, 1, 2, 0, 1, 2]
    for step in steps:
        assert step.lot == sha256(f"published|draw|{step.entrant}".encode()).hexdigest()
    for pot in (steps[:3], steps[3:]):
        assert [step.lot for step in pot] == sorted(step.lot for step in pot)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 40), st.integers(2, 8), st.text(max_size=4))
def test_each_group_gets_at_most_one_of_each_pot_and_sizes_differ_by_one(entrants, size, text):
    seeds = list(range(100, 100 + entrants))
    steps = [*draw_steps(seeds, size, text)]
    assert sorted(step.entrant for step in steps) == seeds
    assert len({(step.pot, step.group) for step in steps}) == len(steps)
    in_group = Counter(step.group for step in steps).values()
    assert not steps or (max(in_group) <= size and max(in_group) - min(in_group) <= 1)
    for number, pot in enumerate(fill_pots(seeds, size), start=1):
        assert {step.entrant for step in steps if step.pot == number} == {*pot}


def test_the_groups_of_an_event_are_those_that_were_drawn():
    plan = Groups(group_size=3, qualifiers=1, drawn="pots")
    records = Records([Entrant(10 + seed, seed) for seed in range(1, 8)], lots="published")
    drawn: dict[str, set[int]] = {}
    for step in plan.group_draw(records):
        drawn.setdefault(f"group-{'abc'[step.group]}", set()).add(step.entrant)
    met: dict[str, set[int]] = {}
    for match in plan.next_matches(records):
        met.setdefault(match.spot.section, set()).update(match.entrants)
    assert met == drawn
    assert plan.group_draw(Records(records.entrants, lots="another")) != plan.group_draw(records)
    assert Groups(group_size=3).group_draw(records) == []
