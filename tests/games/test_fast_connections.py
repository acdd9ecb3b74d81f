"""The connections of the event loop: few, used again, and none that may still owe an answer."""

import asyncio

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from games.fast_moves.connections import MAX_SIZE, connection_parameters, connection_pool
from tests import pgbouncer
from tests.loop import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]


async def filled_pool():
    """With its one connection made: a statement that comes before may get a second one, for it may be ready sooner."""
    pool = await connection_pool()
    await pool.wait()
    return pool


async def first_value(connection, sql):
    return (await (await connection.execute(sql)).fetchone())[0]


def test_one_connection_serves_one_statement_after_the_other():
    async def backends():
        pool, found = await filled_pool(), []
        for _ in range(3):
            async with pool.connection() as connection:
                found.append(connection.info.backend_pid)
        return found

    assert len(set(run(backends()))) == 1


def test_more_statements_than_connections_wait_for_each_other():
    async def backend():
        async with (await connection_pool()).connection() as connection:
            await connection.execute("SELECT pg_sleep(0.02)")
            return connection.info.backend_pid

    async def many():
        return await asyncio.gather(*(backend() for _ in range(3 * MAX_SIZE)))

    found = run(many())
    assert len(found) == 3 * MAX_SIZE
    assert len(set(found)) <= MAX_SIZE


@pytest.mark.parametrize("sql", ["SELECT nothing", "SELECT pg_sleep(5)"], ids=["an error", "the caller gives up"])
def test_after_a_failed_statement_the_next_gets_its_own_answer(sql):
    async def two():
        pool = await connection_pool()
        async with pool.connection() as connection:
            assert await first_value(connection, "SELECT 1") == 1
        with pytest.raises((psycopg.Error, TimeoutError)):
            async with asyncio.timeout(0.1), pool.connection() as first:
                await first.execute(sql)
        found = []
        for number in range(2 * MAX_SIZE):
            async with pool.connection() as connection:
                found.append(await first_value(connection, f"SELECT {number}"))
        return found

    assert run(two()) == [*range(2 * MAX_SIZE)]


def test_a_connection_that_the_server_has_ended_is_replaced():
    async def again():
        pool = await filled_pool()
        async with pool.connection() as connection:
            lost = connection.info.backend_pid
        async with await psycopg.AsyncConnection.connect(**pool.kwargs) as other:
            await other.execute("SELECT pg_terminate_backend(%s, 10000)", [lost])  # waits until it has ended
        failed, found = 0, []
        for number in range(3):
            try:
                async with pool.connection() as connection:
                    found.append(await first_value(connection, f"SELECT {number}"))
            except psycopg.OperationalError:
                failed += 1
        return failed, found

    failed, found = run(again())
    assert failed <= 1 and found == [*range(failed, 3)]


@pytest.mark.skipif(pgbouncer.PROGRAM is None, reason="PgBouncer is not installed, so nothing was sent through it")
def test_behind_pgbouncer_any_connection_to_the_server_will_do(processes_url, settings, tmp_path):
    """A statement that is prepared on one of them would be unknown to the next, or known by another text."""
    settings.PGBOUNCER = True

    async def many(address):
        parameters = connection_parameters() | conninfo_to_dict(address)
        clients = [await psycopg.AsyncConnection.connect(**parameters) for _ in range(2)]
        found = [await first_value(client, f"SELECT {number}") for number in range(20) for client in clients]
        found += [await first_value(client, "SELECT 20") for _ in range(20) for client in clients]
        for client in clients:
            await client.close()
        return found

    with pgbouncer.pooled(processes_url, tmp_path) as address:
        assert len(set(run(many(address)))) == 21
