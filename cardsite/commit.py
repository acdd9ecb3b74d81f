"""What follows once a change is stored."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import transaction

_waiting: ContextVar[list[Callable[[], None]] | None] = ContextVar("waiting", default=None)


def on_commit(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Calls once the change is stored. If it fails, without Redis say, the change stays all the same."""

    def called() -> None:  # not a partial: Django wants to name what failed
        call(*arguments, **named)

    waiting = _waiting.get()
    if waiting is None:
        transaction.on_commit(called, robust=True)
    else:
        waiting.append(called)


@contextmanager
def by_one_statement() -> Iterator[None]:
    """For a change that one statement stores, which needs no transaction: what follows waits for the end of the block.

    If the block fails, nothing follows.
    """
    calls: list[Callable[[], None]] = []
    token = _waiting.set(calls)
    try:
        yield
    finally:
        _waiting.reset(token)
    for called in calls:
        transaction.on_commit(called, robust=True)
