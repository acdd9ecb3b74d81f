"""What the web process does in its event loop, for tests that wait for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from cardsite import postgresql


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Its result. The event loop is its own, and leaves no connection behind."""

    async def whole() -> Any:
        try:
            return await work
        finally:
            await postgresql.pool().close()

    return asyncio.run(whole())
