"""What scores in a deal of Cribbage, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from games.core.cribbage import Count, Pegged
from games.engines.partnership_cribbage.moves import AFTER

HEELS = 2
NEVER = 1000  # more than a deal can give
SKUNK_LINES = {121: (90, 60), 61: (30,)}  # by target: at or below the first line one skunk, the second two


@cache
def show_order(seats: int, dealer: int, by_team: bool) -> tuple[tuple[int, bool], ...]:
    """Whose hand is counted when, and last the dealer's crib (True)."""
    order = AFTER[seats][dealer]
    if by_team:
        order = sorted(order, key=lambda seat: seat % 2 == dealer % 2)
    return (*((seat, False) for seat in order), (dealer, True))


Line: TypeAlias = tuple[str, int]  # short id of a rule, points


class Pegging(NamedTuple):
    """Points pegged during the play. deeds: how many cards and gos of this deal came before."""

    deeds: int
    seat: int
    rule: str
    points: int


class Shown(NamedTuple):
    """A hand or crib that was counted. points: what it gave to the side of `seat`, an opponent after a muggins."""

    owner: int
    is_crib: bool
    seat: int
    points: int


@cache
def peg_lines(gained: Pegged) -> tuple[Line, ...]:
    lines = (
        ("peg-fifteen", gained.fifteen),
        ("peg-pair", gained.pair),
        ("peg-run", gained.run),
        ("thirty-one", gained.thirty_one),
    )
    return tuple(line for line in lines if line[1])


def show_lines(count: Count, *, is_crib: bool) -> list[Line]:
    lines = [
        ("show-fifteen", count.fifteens),
        ("show-pair", count.pairs),
        ("show-run", count.runs),
        ("crib-flush" if is_crib else "show-flush", count.flush),
        ("his-nobs", count.nobs),
    ]
    return [line for line in lines if line[1]]


def up_to(lines: Iterable[Line], points: int) -> Iterator[Line]:
    """The lines as far as there are points for them."""
    for rule, worth in lines:
        if points:
            yield rule, min(worth, points)
            points -= min(worth, points)


BY_CARD = ("peg-fifteen", "peg-pair", "peg-run", "thirty-one")
