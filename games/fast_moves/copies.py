"""Shallow copy of a table with its seats, to be changed while the one that other requests look at stays as it is."""

import weakref
from copy import copy
from typing import Any

from games.models import Table


def copy_with_seats(table: Table) -> Table:
    """A move makes one, so nothing in it may refer back to it: Python frees circles of objects only now and then."""
    copied, places = copy(table), [copy(place) for place in table.places]
    reference: Any = weakref.proxy(copied)
    for place in places:
        place.table = reference
    seats: Any = copy(table.places)
    seats._result_cache = places
    copied.__dict__["_prefetched_objects_cache"] = {"seats": seats}
    copied.known_seats = seats
    return copied
