"""Redis client: one for each address in a process."""

from functools import cache
from threading import Lock
from typing import Any

import redis

_lock = Lock()


def redis_client(url: str, **options: object) -> redis.Redis:
    """The same client for the same address and options, also if several threads ask for the first time at once.

    Without the lock each of them would make one, and the ones that are not kept would close their connections while
    they are in use.
    """
    with _lock:
        return _client(url, **options)


@cache
def _client(url: str, **options: object) -> redis.Redis:
    client: redis.Redis = redis.Redis.from_url(url, **options)
    return client


class SharedPool:
    """Connection pool of Django's Redis cache: that of `redis_client`.

    Under ASGI Django makes a cache for each request, with pools of its own, so each request would connect.
    """

    @classmethod
    def from_url(cls, url: str, **options: Any) -> redis.ConnectionPool:
        return redis_client(url, **options).connection_pool
