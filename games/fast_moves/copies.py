"""Shallow copy of a table with its seats, to be changed while the one that other requests look at stays as it is."""

import weakref
from copy import copy
from typing import Any

from games.models import Table


def copy_with_seats(table: Table) -> Table:
    """A move makes one, so nothing in it may refer back to it: Python frees circles of objects only now and then."""
    copied, seats = copy(table), [copy(seat) for seat in table.seat_rows]
    reference: Any = weakref.proxy(copied)
    for seat in seats:
        seat.table = reference
    seat_rows: Any = copy(table.seat_rows)
    seat_rows._result_cache = seats
    copied.__dict__["_prefetched_objects_cache"] = {"seats": seat_rows}
    copied.known_seats = seat_rows
    return copied
