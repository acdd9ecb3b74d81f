"""Pots: a draw of groups that everyone can check and watch.

The seeds fill the pots in their order, each with an entrant for every group; the last pot may have fewer. Pot by pot,
the lowest lot goes to group A, the next one to group B, and so on. So each group gets one entrant of every pot, and as
many as the others or one more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tournaments.formats import lots

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DrawStep:
    """An entrant comes out of a pot into a group. pot: from 1. group: from 0. lot: why they come now."""

    pot: int
    entrant: int
    group: int
    lot: str


def fill_pots(seeds: Sequence[T], size: int) -> list[list[T]]:
    """At most `size` pots, one for each place in a group of that size."""
    groups = number_of_groups(len(seeds), size)
    return [[*seeds[first : first + groups]] for first in range(0, len(seeds), groups or 1)]


def number_of_groups(entrants: int, size: int) -> int:
    return -(-entrants // size)


def lots_text(text: str) -> str:
    """The text of the draw: other lots than those that seeds and tie-breaks are drawn by."""
    return f"{text}|draw"


def draw_steps(seeds: Sequence[int], size: int, text: str) -> Iterator[DrawStep]:
    """seeds: entrants in the order of their seeds. text: the published text of the event."""
    text = lots_text(text)
    for pot, entrants in enumerate(fill_pots(seeds, size), start=1):
        for group, entrant in enumerate(lots.order_by_lot(text, entrants)):
            yield DrawStep(pot, entrant, group, lots.lot(text, entrant))
