"""After-commit callbacks: what follows once a change is stored."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from django.db import transaction

from infra.threads import in_thread

logger = logging.getLogger(__name__)

Call = Callable[[], None]
F = TypeVar("F", bound=Callable[..., object])

_waiting: ContextVar[tuple[list[Call], list[Call]] | None] = ContextVar("waiting", default=None)


def nonblocking(call: F) -> F:
    """Marks a function that waits for no database and no answer: an event loop may call it."""
    call.is_nonblocking = True  # type: ignore[attr-defined]
    return call


def on_commit(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Calls once the change is stored. If it fails, without Redis say, the change stays all the same."""

    def called() -> None:  # not a partial: Django wants to name what failed
        call(*arguments, **named)

    waiting = _waiting.get()
    if waiting is None:
        transaction.on_commit(called, robust=True)
    else:
        waiting[not getattr(call, "is_nonblocking", False)].append(called)


class DeferredCallbacks:
    """After-commit callbacks of a change that is stored without a transaction of Django's, by one statement."""

    def __init__(self) -> None:
        self.nonblocking: list[Call] = []
        self.blocking: list[Call] = []

    @contextmanager
    def capture(self) -> Iterator[None]:
        """What `on_commit` is given within this block waits for `run`."""
        token = _waiting.set((self.nonblocking, self.blocking))
        try:
            yield
        finally:
            _waiting.reset(token)

    async def run(self) -> None:
        """Calls them, once the change is stored; those that may block, in a thread."""
        _call(self.nonblocking)
        if self.blocking:
            await in_thread(_call, self.blocking)


def _call(calls: Sequence[Call]) -> None:
    for call in calls:
        try:
            call()
        except Exception:
            logger.exception("a change is stored, but %s failed after it", call.__qualname__)
