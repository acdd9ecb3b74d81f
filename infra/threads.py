"""Threads for database calls of an event loop: the few that keep their connections (`cardsite.web.handler`)."""

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from typing import ParamSpec, TypeVar

from django.core.exceptions import SynchronousOnlyOperation
from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Calls in a thread, with the context variables of the caller."""

    def called() -> T:
        close_old_connections()
        try:
            return call(*arguments, **named)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(None, copy_context().run, called)


async def inline_or_in_thread(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Calls inline if memory has all it needs; otherwise in a thread, as Django refuses queries in an event loop."""
    try:
        return call(*arguments, **named)
    except SynchronousOnlyOperation:
        return await in_thread(call, *arguments, **named)
