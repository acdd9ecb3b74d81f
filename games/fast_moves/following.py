"""Following: a table in memory changes as other processes store moves, so that it need not be read and replayed anew.

A process hears of the tables that it has streams of, and of those at which a move came in on the fast path. If it
misses a version, it reads the table when it is next asked for.
"""

import asyncio
import logging
from typing import Any

import redis

from games.live import hub
from games.record import changes, replay, table_store
from games.record.copies import copy_with_seats
from games.record.table_store import Snapshot

logger = logging.getLogger(__name__)

_subscribing: set[asyncio.Task[None]] = set()


def take_over(sender: object, channel: str, version: int, stored: bytes, **kwargs: Any) -> None:
    """Receives `games.signals.table_stored`, in the event loop."""
    known = table_store.cached_snapshot(channel.rpartition(":")[2])
    if known is None or known.table.version != version - 1:
        return
    change = changes.decode(stored)
    if change is None:
        return
    after = copy_with_seats(known.table)
    change.apply_to(after)
    replay.cache_row(after.code, change.row)
    table_store.cache_snapshot(Snapshot(after, known.trusted_until))


def follow(channel: str) -> None:
    """From soon on, this process hears what others store of the table with this channel. Call it in the event loop."""
    if not hub.is_following(channel):
        task = asyncio.create_task(_follow(channel))
        _subscribing.add(task)
        task.add_done_callback(_subscribing.discard)


async def _follow(channel: str) -> None:
    try:
        await hub.follow(channel)
    except redis.RedisError:
        logger.warning("cannot follow %s", channel, exc_info=True)
