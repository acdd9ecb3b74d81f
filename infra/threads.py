"""Database calls from an event loop: in one of the few threads that keep their connections (`cardsite.web.handler`)."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.core.exceptions import SynchronousOnlyOperation
from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    def called() -> T:
        close_old_connections()
        try:
            return call(*arguments, **named)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(None, called)


async def at_hand(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """At once if this process remembers all that it takes. Django refuses to ask the database here: a thread does."""
    try:
        return call(*arguments, **named)
    except SynchronousOnlyOperation:
        return await in_thread(call, *arguments, **named)
