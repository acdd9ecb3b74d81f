"""Connection pool to PostgreSQL for the event loop, for the one statement that each move on the fast path makes.

Django's connections wait in threads, and to change to a thread and back costs more than the statement.
"""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg_pool import AsyncConnectionPool

MAX_SIZE = 4  # beside those of the threads (cardsite.web.handler)
TIMEOUT_SECONDS = 3

Pool = AsyncConnectionPool[psycopg.AsyncConnection[Any]]

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


async def connection_pool() -> Pool:
    """The pool of this event loop. A lost connection fails once (`psycopg.OperationalError`) and is replaced."""
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        pool: Pool = AsyncConnectionPool(
            kwargs=connection_parameters(), min_size=1, max_size=MAX_SIZE, timeout=TIMEOUT_SECONDS, open=False
        )
        _pools[loop] = pool
        await pool.open()
    return _pools[loop]


async def close_pool() -> None:
    """Closes the pool of this event loop, if it has one."""
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.close()


def connection_parameters() -> dict[str, Any]:
    """Django's, but each statement is a transaction, the server binds the values, and statements are prepared.

    Behind PgBouncer none is: the next transaction may get another connection, which does not know the statement.
    """
    parameters = connections[DEFAULT_DB_ALIAS].get_connection_params()
    own = {"cursor_factory"} if settings.PGBOUNCER else {"cursor_factory", "prepare_threshold"}
    return {name: value for name, value in parameters.items() if name not in own} | {"autocommit": True}
