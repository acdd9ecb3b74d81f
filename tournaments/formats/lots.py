"""Lots that everyone can check: drawn from a text that the event publishes when it is created.

The lot of an entry, or of anything with a number or a name, is SHA-256 of "text|name". The lowest comes first.
"""

import hashlib
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T", int, str)


def lot(text: str, name: int | str) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(f"{text}|{name}".encode()).hexdigest()


def order_by_lot(text: str, names: Iterable[T]) -> list[T]:
    """The names in the order of their lots."""
    return sorted(names, key=lambda name: lot(text, name))


def number_by_lot(text: str, name: int | str, below: int) -> int:
    """A number from 0 to below - 1; as even as it gets, since `below` is tiny beside 2 to the 256."""
    return int(lot(text, name), 16) % below
