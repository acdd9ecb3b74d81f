"""Log context: the request, table or task that a log line is about, in every line that is written meanwhile.

Threads of the event loop (`infra.threads`) and the tasks that are queued take it along.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any

_fields: ContextVar[Mapping[str, str]] = ContextVar("log_fields")
_tasks: dict[str, Token[Mapping[str, str]]] = {}  # by id, of the tasks that this process runs


def log_fields() -> Mapping[str, str]:
    """Such as {"request_id": "5f0c…", "table": "k3xq"}."""
    return _fields.get({})


@contextmanager
def logged_with(**fields: str) -> Iterator[None]:
    token = _fields.set({**log_fields(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


class ContextFilter(logging.Filter):
    """Gives a log record the fields of its context."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.__dict__ |= log_fields()
        return True


# Tasks


def send_along(headers: dict[str, object], **kwargs: object) -> None:
    """Receiver of `before_task_publish`: the request that queues a task is named in its message."""
    headers["log_fields"] = dict(log_fields())


def begin_task(task_id: str, task: Any, **kwargs: object) -> None:
    """Receiver of `task_prerun`. A task that runs inside its caller keeps the fields of that."""
    queued_by = getattr(task.request, "log_fields", None) or log_fields()
    _tasks[task_id] = _fields.set({**queued_by, "task": task.name, "task_id": task_id})


def end_task(task_id: str, **kwargs: object) -> None:
    """Receiver of `task_postrun`."""
    if (token := _tasks.pop(task_id, None)) is not None:
        _fields.reset(token)
