"""Plays events of any format without the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from tournaments.formats.contract import Entrant, Format, MatchRecord, Records, Spot

Result: TypeAlias = Callable[[MatchRecord], tuple[int, ...]]

seeds_of_chance = st.integers(0, 10_000)


def field(size: int) -> list[Entrant]:
    """Entrants whose ids differ from their seeds: seed 1 is id 101."""
    return [Entrant(100 + seed, seed) for seed in range(1, size + 1)]


def favourite(match: MatchRecord) -> tuple[int, ...]:
    """The lower id, which is the better seed, wins."""
    return tuple(1 if entrant == min(match.entrants) else 2 for entrant in match.entrants)


def upset_in(*spots: Spot) -> Result:
    """The favourite wins everywhere else."""
    return lambda match: favourite(match)[::-1] if match.spot in spots else favourite(match)


def chance(rng: Random, *, forfeits: bool = False, draws: bool = False) -> Result:
    results = [(1, 2), (2, 1)] + [(2, 2)] * forfeits + [(1, 1)] * draws
    return lambda match: rng.choice(results)


def by_spot(seed: int) -> Result:
    """The same chance for a match whenever it is played."""
    return lambda match: Random(f"{seed}{match.spot}").choice([(1, 2), (2, 1), (2, 2)])


def play(plan: Format, size: int, result: Result, *, rng: Random | None = None) -> list[MatchRecord]:
    """All matches of an event, decided one at a time; in random order where `rng` is given."""
    entrants, matches = field(size), []
    while not plan.is_over(Records(entrants, matches)):
        matches += plan.next_matches(Records(entrants, matches))
        assert not plan.next_matches(Records(entrants, matches)), "a match that exists is not paired again"
        waiting = [i for i, match in enumerate(matches) if match.places is None]
        if waiting:
            i = rng.choice(waiting) if rng else waiting[0]
            matches[i] = replace(matches[i], places=result(matches[i]))
    return matches


def corrected(matches: list[MatchRecord], spot: Spot, places: tuple[int, ...] | None) -> list[MatchRecord]:
    return [replace(match, places=places) if match.spot == spot else match for match in matches]
