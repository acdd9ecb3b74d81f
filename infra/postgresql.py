"""Connections to PostgreSQL for which the event loop itself waits, for the one statement that every move makes.

Django's own wait in threads, and to change to one and back costs more than the statement.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections

MOST = 4  # beside those of the threads (cardsite.web.handler)
CONNECT_SECONDS = 3


class Pool:
    """The connections of one event loop; each statement on them is a transaction."""

    def __init__(self) -> None:
        self.free: list[psycopg.AsyncConnection] = []
        self.places = asyncio.Semaphore(MOST)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[psycopg.AsyncConnection]:
        """One that nobody else uses.

        :raises psycopg.OperationalError: the server is away, or has been since the last time.
        """
        async with self.places:
            connection = self.free.pop() if self.free else await connect()
            try:
                yield connection
            except BaseException:  # also if nobody waits for the answer any more: it would meet the next statement
                await connection.close()
                raise
            self.free.append(connection)

    async def close(self) -> None:
        while self.free:
            await self.free.pop().close()


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


def pool() -> Pool:
    """That of this event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        _pools[loop] = Pool()
    return _pools[loop]


async def connect() -> psycopg.AsyncConnection:
    """As Django does, but for the cursor: the server binds the values, and knows the statement from the last time."""
    parameters = connections[DEFAULT_DB_ALIAS].get_connection_params()
    own = {"cursor_factory", "prepare_threshold"}
    kept = {name: value for name, value in parameters.items() if name not in own}
    async with asyncio.timeout(CONNECT_SECONDS):
        return await psycopg.AsyncConnection.connect(**kept, autocommit=True)
