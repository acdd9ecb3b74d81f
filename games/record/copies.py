"""Shallow copies of a table and its seats, to be changed while those that other requests look at stay as they are."""

import weakref
from collections.abc import Iterable
from copy import copy
from typing import Any

from games.models import Seat, Table


def copy_with_seats(table: Table) -> Table:
    copied = copy(table)
    give_copies(copied, table.seat_rows)
    return copied


def give_copies(table: Table, seats: Iterable[Seat]) -> None:
    """Gives a table copies of its seats, as they are in another object of the same table.

    A move makes them, so nothing in it may refer back to it: Python frees circles of objects only now and then.
    """
    reference: Any = weakref.proxy(table)
    table.known_seats = [copy(seat) for seat in seats]
    for seat in table.known_seats:
        seat.table = reference
