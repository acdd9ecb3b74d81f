"""Ladder: who may challenge whom, and how places change. Pure functions of the order of its players, the top first."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def in_reach(order: Sequence[int], player: int, reach: int) -> list[int]:
    """Players at most `reach` places above, the highest first; [] for a player who isn't on the ladder."""
    if player not in order:
        return []
    own = order.index(player)
    return [*order[max(own - reach, 0) : own]]


def take_place(order: Sequence[int], winner: int, loser: int) -> list[int]:
    """The winner takes the place of the loser, and those from there on slide down by one.

    A winner who is above the loser already stays there, and a player who has left takes or gives no place.
    """
    if winner not in order or loser not in order or order.index(winner) <= order.index(loser):
        return [*order]
    rest = [player for player in order if player != winner]
    place = rest.index(loser)
    return [*rest[:place], winner, *rest[place:]]


def drop_idle(order: Sequence[int], idle: Collection[int]) -> list[int]:
    """Each idle player drops one place, below the next player who is active; those at the bottom stay."""
    dropped = [*order]
    for upper in reversed(range(len(dropped) - 1)):
        if dropped[upper] in idle and dropped[upper + 1] not in idle:
            dropped[upper : upper + 2] = [dropped[upper + 1], dropped[upper]]
    return dropped


def new_places(before: Sequence[int], after: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
    """Old and new place, from 1, of each player whose place changes; None: not on the ladder."""
    old = {player: place for place, player in enumerate(before, start=1)}
    new = {player: place for place, player in enumerate(after, start=1)}
    return {
        player: (old.get(player), new.get(player))
        for player in dict.fromkeys([*after, *before])
        if old.get(player) != new.get(player)
    }
