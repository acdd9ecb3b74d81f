"""Things that are made once for all who ask for them, also at the same moment."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache

from infra.release import release

T = TypeVar("T")
KEPT_SECONDS = 300
PATIENCE_SECONDS = 10  # whoever makes it may have been killed
LOOK_AGAIN_SECONDS = 0.05


def once(key: str, make: Callable[[], T]) -> T:
    """What `make` answers, from the cache where somebody has made it already or is making it now; it is never None.

    Another release of the site makes it anew.
    """
    key = f"{release()}:{key}"
    value: T | None = cache.get(key)
    if value is None and not cache.add(f"{key}:making", True, PATIENCE_SECONDS):
        value = _waited_for(key)
    if value is None:
        try:
            value = make()
            cache.set(key, value, KEPT_SECONDS)
        finally:
            cache.delete(f"{key}:making")
    return value


def _waited_for(key: str) -> Any:
    """None if it has not come in time, or if whoever made it has failed."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and cache.get(f"{key}:making"):
        time.sleep(LOOK_AGAIN_SECONDS)
    return cache.get(key)
