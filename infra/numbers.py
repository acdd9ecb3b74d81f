"""Whole numbers that visitors send, in addresses, queries, forms and headers: one parser with bounds for all of them.

Python refuses to read more than 4,300 digits and the database to store more than 64 bits, both with an exception.
"""

from typing import TypeVar

LARGEST = 2**63 - 1
"""The largest id that a row can have."""

YEARS = range(2000, 2100)
"""In which something may be planned: `datetime` ends at 9999, and some zones or minutes before that it overflows."""

D = TypeVar("D", int, None)


def read_number(text: str, default: D, *, most: int = LARGEST) -> int | D:
    """The number from 0 to `most` that a text holds; `default` for a larger one and for anything else."""
    if not text.isdecimal() or len(text) > len(str(most)):
        return default
    number = int(text)
    return number if number <= most else default
