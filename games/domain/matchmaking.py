"""Matchmaking: finds players whose wishes fit together. Pure.

A wish leaves open what its player does not mind. The other players' wishes settle it; what no one minds follows the
usual rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.core.contract import BadOption, Game, OptionValue

USUAL_PACE = "standard"


@dataclass(frozen=True)
class Wish:
    """What one player wants.

    person: their id. seats: acceptable sizes of table. paces: acceptable keys of `games.domain.clocks.PACES`.
    is_rated: None if both are fine. options: those that must have these values.
    rating: the player's own; low, high: limits for the others' ratings, None without a limit.
    avoids: ids of people not to meet.
    """

    person: int
    seats: frozenset[int]
    paces: frozenset[str]
    is_rated: bool | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    rating: int = 1500
    low: int | None = None
    high: int | None = None
    avoids: frozenset[int] = frozenset()

    def accepts(self, other: "Wish") -> bool:
        is_near = (self.low is None or self.low <= other.rating) and (self.high is None or other.rating <= self.high)
        return is_near and self.person != other.person and other.person not in self.avoids


@dataclass(frozen=True)
class TableTerms:
    """The terms of a table. options: all of them."""

    seats: int
    pace: str
    is_rated: bool
    options: Mapping[str, OptionValue]


def agreed_terms(game: Game[Any, Any, Any], wishes: Sequence[Wish], seats: int) -> TableTerms | None:
    """The terms that these players agree on for a table of this size; None if they do not."""
    paces = frozenset.intersection(*(wish.paces for wish in wishes))
    rated = {wish.is_rated for wish in wishes} - {None}
    chosen = {choice for wish in wishes for choice in wish.options.items()}
    like_each_other = all(one.accepts(other) for one in wishes for other in wishes if one is not other)
    agree = all(seats in wish.seats for wish in wishes) and paces and len(rated) < 2 and like_each_other
    if not agree or len(dict(chosen)) < len(chosen):
        return None
    try:
        options = game.read_options(dict(chosen), seats)
    except BadOption:  # not with so many seats
        return None
    pace = USUAL_PACE if USUAL_PACE in paces else min(paces)
    return TableTerms(seats, pace, rated == {True}, options)


def find_opponents(
    game: Game[Any, Any, Any], together: Sequence[Wish], others: Sequence[Wish], *, seats: int, people: int
) -> tuple[Wish, ...] | None:
    """A group of `people` players who agree on a table of this size: those `together`, and some of the others.

    Earlier ones in `others` are preferred. None: there is no such group.
    """
    if agreed_terms(game, together, seats) is None:
        return None
    if len(together) >= people:
        return tuple(together)
    for number, wish in enumerate(others):
        found = find_opponents(game, (*together, wish), others[number + 1 :], seats=seats, people=people)
        if found:
            return found
    return None
