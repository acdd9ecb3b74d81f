"""The connections of the event loop: few, used again, and none that may still owe an answer."""

import asyncio

import psycopg
import pytest

from infra import postgresql
from tests.loop import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]


def test_one_connection_serves_one_statement_after_the_other():
    async def backends():
        found = []
        for _ in range(3):
            async with postgresql.pool().connection() as connection:
                found.append(connection.info.backend_pid)
        return found

    assert len(set(run(backends()))) == 1


def test_more_statements_than_connections_wait_for_each_other():
    async def backend():
        async with postgresql.pool().connection() as connection:
            await connection.execute("SELECT pg_sleep(0.02)")
            return connection.info.backend_pid

    async def many():
        return await asyncio.gather(*(backend() for _ in range(3 * postgresql.MOST)))

    found = run(many())
    assert len(found) == 3 * postgresql.MOST
    assert len(set(found)) == postgresql.MOST


@pytest.mark.parametrize("event", ["an error", "nobody waits any more"])
def test_a_connection_that_something_happened_to_is_not_used_again(event):
    async def two():
        pool = postgresql.pool()
        with pytest.raises((psycopg.Error, TimeoutError)):
            async with asyncio.timeout(0.1), pool.connection() as first:
                await first.execute("SELECT pg_sleep(5)" if event == "nobody waits any more" else "SELECT nothing")
        assert first.closed
        async with pool.connection() as second:
            return (await (await second.execute("SELECT 1")).fetchone())[0]

    assert run(two()) == 1


def test_after_the_server_has_ended_a_connection_the_next_one_is_new():
    async def again():
        pool = postgresql.pool()
        async with pool.connection() as connection:
            lost = connection.info.backend_pid
        async with pool.connection() as first, pool.connection() as other:
            await (other if first.info.backend_pid == lost else first).execute(
                "SELECT pg_terminate_backend(%s)", [lost]
            )
        with pytest.raises(psycopg.OperationalError):
            async with pool.connection() as connection, pool.connection() as another:
                await (connection if connection.info.backend_pid == lost else another).execute("SELECT 1")
        async with pool.connection() as connection:
            return (await (await connection.execute("SELECT 2")).fetchone())[0]

    assert run(again()) == 2
