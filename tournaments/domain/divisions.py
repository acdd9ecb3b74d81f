"""Divisions of a league: who goes up and down after a season, and who plays in which division next.

The best `up` of a division go up and the last `down` go down. A player who leaves counts as one of those who go down
from their division and from each one below, so that the last places are safe there instead, and only the last division
gets smaller. If more leave than would go down, more come up from the division below.
Newcomers begin in the last division; it is split once it has enough players for two, and joined to the one above if it
has fewer than two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

Move: TypeAlias = Literal["up", "down", "stays", "new"]
FEWEST = 2  # players in a division


@dataclass(frozen=True, slots=True)
class DivisionPlayer:
    """A player of a division that is over. has_left: plays no more."""

    person: int
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Placing:
    """A player of a coming division, and how they came there."""

    person: int
    move: Move


@dataclass(frozen=True, slots=True)
class DivisionRules:
    """size: of a division, as far as the number of players allows."""

    size: int
    up: int
    down: int


def next_divisions(
    tables: Sequence[Sequence[DivisionPlayer]], newcomers: Sequence[int], rules: DivisionRules
) -> list[list[Placing]]:
    """The coming divisions, the highest first, each in the order of its seeds.

    tables: the divisions that are over, the highest first, best players first; () for a new league.
    newcomers: the strongest first.
    """
    if not tables:
        return [[Placing(person, "new") for person in division] for division in _split(newcomers, rules.size)]
    staying = [[one.person for one in table if not one.has_left] for table in tables]
    gone = [*accumulate(len(table) - len(rest) for table, rest in zip(tables, staying, strict=True))]
    bottom, rising, falling = len(tables) - 1, [], []
    for level, rest in enumerate(staying):
        up = rules.up + max(gone[level - 1] - rules.down, 0) if level else 0
        down = max(rules.down - gone[level], 0) if level < bottom else 0
        rising.append(rest[:up])
        falling.append(rest[max(up, len(rest) - down) :])
    coming: list[list[int]] = []
    for level, rest in enumerate(staying):
        moved = {*rising[level], *falling[level]}
        from_above = falling[level - 1] if level else []
        from_below = rising[level + 1] if level < bottom else []
        coming.append([*from_above, *(one for one in rest if one not in moved), *from_below])
    coming[-1] += newcomers
    if len(coming[-1]) >= 2 * rules.size:
        coming[-1:] = _split(coming[-1], rules.size)
    elif len(coming) > 1 and len(coming[-1]) < FEWEST:
        coming[-2:] = [coming[-2] + coming[-1]]
    before = {person: level for level, rest in enumerate(staying) for person in rest}
    return [
        [Placing(one, move_between(before.get(one), level)) for one in division]
        for level, division in enumerate(coming)
    ]


def move_between(before: int | None, level: int) -> Move:
    """How a player came to a division. before: the level of their last one, None if they were in none."""
    if before is None:
        return "new"
    return "stays" if before == level else "up" if level < before else "down"


def _split(players: Sequence[int], size: int) -> list[list[int]]:
    """Into divisions of this size; the last one has the rest, or is longer where the rest is less than half of it."""
    count = max((len(players) + size // 2) // size, 1)
    cuts = [size * number for number in range(count)]
    return [[*players[cut : cut + size]] for cut in cuts[:-1]] + [[*players[cuts[-1] :]]]
