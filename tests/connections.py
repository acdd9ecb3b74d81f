"""Several database connections in one test: work in one of its own, and the moment at which one waits for another."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

PATIENCE_SECONDS = 30
WAITERS = "SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"


def in_own_connection(act: Callable[..., object], *arguments: object, **named: object) -> object:
    """As another thread, or process, would do it."""
    try:
        return act(*arguments, **named)
    finally:
        connection.close()


def at_once(*calls: Callable[[], object]) -> None:
    """Calls all at the same time, each in a connection of its own. An error of one of them passes through."""
    with ThreadPoolExecutor(len(calls)) as threads:
        for done in [threads.submit(in_own_connection, call) for call in calls]:
            done.result(timeout=PATIENCE_SECONDS)


def wait_for_a_lock() -> None:
    """Until another connection waits for what this one has locked. PostgreSQL only: SQLite does not tell."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute(WAITERS)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.02)
    raise AssertionError("no connection waits for this one")
