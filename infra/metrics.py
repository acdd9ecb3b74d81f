"""Prometheus metrics that processes count while they work. `cardsite.web.metrics` prints those of all of them.

Every process of a machine keeps its numbers in files of one directory (PROMETHEUS_MULTIPROC_DIR, set by the settings),
so whichever web process is asked tells of all of them. Labels have few values: a route, a game, a task, never a person.
"""

from collections.abc import Callable
from typing import Any

from prometheus_client import Counter, Gauge, Histogram

from infra.after_commit import nonblocking

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

requests = Histogram("cardsite_request_seconds", "Time to answer a request", ["route", "status"], buckets=SECONDS)
moves = Counter("cardsite_moves", "Moves played", ["game", "by"])
bot_moves = Histogram("cardsite_bot_seconds", "Time in which a bot chose a move", ["game", "level"], buckets=SECONDS)
tasks = Histogram("cardsite_task_seconds", "Time of a task in a worker", ["task", "state"], buckets=SECONDS)
boards = Histogram("cardsite_board_seconds", "From a move to the boards of the others", buckets=SECONDS)
statements = Histogram("cardsite_statement_seconds", "Time of a statement of the database", buckets=SECONDS)
open_streams = Gauge("cardsite_open_streams", "Live streams open now", multiprocess_mode="livesum")


def time_statements(connection: Any, **kwargs: object) -> None:
    """Receiver of `connection_created`, which a connection sends each time it is opened again."""
    if _timed not in connection.execute_wrappers:
        connection.execute_wrappers.append(_timed)


def _timed(send: Callable[..., object], *statement: object) -> object:
    with statements.time():
        return send(*statement)


@nonblocking
def count_move(game: str, by: str) -> None:
    """by: person, bot or clock."""
    moves.labels(game, by).inc()
