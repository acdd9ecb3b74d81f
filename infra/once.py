"""Cache with a lock, so that concurrent requests compute a value once, also in different processes."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import LockError

from infra.redis_client import redis_client
from infra.release import release

T = TypeVar("T")
CACHED_SECONDS = 300
LOCK_SECONDS = 10  # the process that computes the value may have been killed
LOOK_AGAIN_SECONDS = 0.05


def once(key: str, compute: Callable[[], T]) -> T:
    """The value of `compute`, which is never None, from the cache if another request has computed it or does so now.

    Another release of the site computes it again.
    """
    key = f"{release()}:{key}"
    value: T | None = cache.get(key)
    if value is not None:
        return value
    server = redis_client(settings.LIVE_REDIS_URL)
    lock = server.lock(f"once:{key}", LOCK_SECONDS, sleep=LOOK_AGAIN_SECONDS, blocking_timeout=LOCK_SECONDS)
    has_lock = lock.acquire()
    try:
        value = cache.get(key)
        if value is None:
            value = compute()
            cache.set(key, value, CACHED_SECONDS)
    finally:
        if has_lock:
            with suppress(LockError):  # it has run out, and another process may hold it
                lock.release()
    return value
