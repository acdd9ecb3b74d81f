"""LRU cache for all threads of a process: what it knows already, instead of asking for it or making it again."""

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import cachetools

K = TypeVar("K")
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """The `size` values that were used last."""

    def __init__(self, size: int) -> None:
        self._values: cachetools.LRUCache[K, V] = cachetools.LRUCache(size)
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of this key, which counts as used."""
        with self._lock:
            return self._values.get(key)

    def set(self, key: K, value: V, *, unless: Callable[[V], Any] | None = None) -> None:
        """unless: called with the value that the key has; if it returns something true, that value stays."""
        with self._lock:
            known = self._values.get(key)
            if unless is None or known is None or not unless(known):
                self._values[key] = value

    def delete(self, key: K) -> None:
        """Forgets this key, if it is there."""
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
