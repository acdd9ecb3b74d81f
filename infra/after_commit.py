"""What follows once a change is stored."""

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


def at_once(call: F) -> F:
    """Marks a function that waits for nobody, no database and no answer: it may follow in an event loop."""
    call.is_at_once = True  # type: ignore[attr-defined]
    return call


def on_commit(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Calls once the change is stored. If it fails, without Redis say, the change stays all the same."""

    def called() -> None:  # not a partial: Django wants to name what failed
        call(*arguments, **named)

    waiting = _waiting.get()
    if waiting is None:
        transaction.on_commit(called, robust=True)
    else:
        waiting[not getattr(call, "is_at_once", False)].append(called)


class Follow:
    """What follows a change that one statement stores, which needs no transaction."""

    def __init__(self) -> None:
        self.quick: list[Call] = []
        self.slow: list[Call] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """What is to be called on commit within this block waits for `carry_out`."""
        token = _waiting.set((self.quick, self.slow))
        try:
            yield
        finally:
            _waiting.reset(token)

    async def carry_out(self) -> None:
        """The change is stored. What waits for others is done in a thread."""
        _call(self.quick)
        if self.slow:
            await in_thread(_call, self.slow)


def _call(calls: Sequence[Call]) -> None:
    for call in calls:
        try:
            call()
        except Exception:
            logger.exception("a change is stored, but %s failed after it", call.__qualname__)
