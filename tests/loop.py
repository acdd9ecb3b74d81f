"""What the web process does in its event loop, for tests that wait for it."""

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from games.fast_moves.connections import close_pool

ALLOWED = "DJANGO_ALLOW_ASYNC_UNSAFE"


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Its result. The event loop is its own, leaves no connection behind, and must not wait for Django's.

    Tests in a browser allow that, since they are in an event loop themselves.
    """

    async def whole() -> Any:
        try:
            return await work
        finally:
            await close_pool()

    allowed = os.environ.pop(ALLOWED, None)
    try:
        return asyncio.run(whole())
    finally:
        if allowed is not None:
            os.environ[ALLOWED] = allowed
