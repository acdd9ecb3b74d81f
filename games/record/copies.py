"""Shallow copies of a table and its seats, to be changed while those that other requests look at stay as they are."""

import weakref
from copy import copy
from typing import Any

from games.models import Table


def copy_with_seats(table: Table) -> Table:
    """A copy of a table, with copies of its seats.

    Every move makes one, so nothing in it refers back to it: Python frees circles of objects only now and then.
    """
    copied = copy(table)
    reference: Any = weakref.proxy(copied)
    copied.known_seats = [copy(seat) for seat in table.seat_rows]
    for seat in copied.known_seats:
        seat.table = reference
    return copied
