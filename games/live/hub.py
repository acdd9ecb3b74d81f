"""Pub/sub of this process: one connection to Redis for all streams of an event loop, and what is heard without one."""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
from django.conf import settings

from games.signals import table_stored

FOLLOWED = 500  # tables that a process caches (`games.record.table_store`)
CLOSE = b"bye"


Inbox = asyncio.Queue[tuple[str, bytes]]
"""Queue of one stream: channel and data of the messages that it has not handled yet."""


async def next_message(inbox: Inbox, *, until: float) -> tuple[str, bytes]:
    """The next message; ("", b"") if none comes until that time of the event loop's clock."""
    try:
        async with asyncio.timeout_at(until):
            return await inbox.get()
    except TimeoutError:
        return "", b""


@dataclass(slots=True)
class Subscription:
    """A subscribed channel. readers: the inboxes of its streams. is_confirmed: Redis has confirmed the subscription."""

    readers: set[Inbox] = field(default_factory=set)
    is_confirmed: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Pub/sub multiplexer: all streams of one event loop share one Redis connection.

    It lives as long as the loop. If Redis fails, all streams end; browsers reconnect, to a new hub.
    """

    def __init__(self) -> None:
        self.server = redis.asyncio.Redis.from_url(settings.LIVE_REDIS_URL)
        self.pubsub = self.server.pubsub()
        self.channels: dict[str, Subscription] = {}
        self.followed: OrderedDict[str, None] = OrderedDict()  # channels without readers, last used last
        self.dispatcher: asyncio.Task[None] | None = None
        self.lock = asyncio.Lock()  # keeps subscriptions and unsubscriptions in order
        self.is_over = False

    async def join(self, names: Collection[str], inbox: Inbox) -> None:
        """Subscribes an inbox to these channels; on return it receives their announcements."""
        async with self.lock:
            new = [name for name in names if name not in self.channels]
            for name in names:
                self.channels.setdefault(name, Subscription()).readers.add(inbox)
            await self._subscribe(new)
        for name in names:
            if not self.is_over:
                await self.channels[name].is_confirmed.wait()
        if self.is_over:
            inbox.put_nowait(("", CLOSE))

    async def leave(self, names: Collection[str], inbox: Inbox) -> None:
        """Unsubscribes an inbox from these channels."""
        async with self.lock:
            known = [name for name in names if name in self.channels]
            for name in known:
                self.channels[name].readers.discard(inbox)
            await self._drop(known)

    def is_following(self, name: str) -> bool:
        """Whether this channel is followed; counts as a use of it (LRU)."""
        if name not in self.followed:
            return False
        self.followed.move_to_end(name)
        return True

    async def follow(self, name: str) -> None:
        """Subscribes to this channel also without readers, until `FOLLOWED` others have been used since (LRU)."""
        self.followed[name] = None
        async with self.lock:
            if name not in self.channels:
                self.channels[name] = Subscription()
                await self._subscribe([name])
            while len(self.followed) > FOLLOWED:
                await self._drop([self.followed.popitem(last=False)[0]])

    async def _subscribe(self, names: Collection[str]) -> None:
        """Subscribes to new channels. The caller holds `lock`."""
        try:
            if names:
                await self.pubsub.subscribe(*names)
        except BaseException:
            self.is_over = True
            raise
        if self.dispatcher is None:
            self.dispatcher = asyncio.create_task(self.dispatch())

    async def _drop(self, names: Collection[str]) -> None:
        """Unsubscribes from those channels that have no readers and are not followed. The caller holds `lock`."""
        kept = {settings.LIVE_SYSTEM_CHANNEL, *self.followed}
        empty = [name for name in names if name not in kept and not self.channels[name].readers]
        for name in empty:
            del self.channels[name]
        if empty and not self.is_over:
            with suppress(redis.RedisError):
                await self.pubsub.unsubscribe(*empty)

    async def dispatch(self) -> None:
        """Puts messages into the inboxes of their channels, until the connection ends."""
        try:
            async for message in self.pubsub.listen():
                name = message["channel"].decode()
                if name not in self.channels:
                    continue
                if message["type"] == "subscribe":
                    self.channels[name].is_confirmed.set()
                elif message["type"] == "message":
                    announced, _, stored = message["data"].partition(b"\n")
                    if stored:
                        table_stored.send_robust(sender=Hub, channel=name, version=version_of(announced), stored=stored)
                    for inbox in self.channels[name].readers:
                        inbox.put_nowait((name, announced))
        finally:
            self.is_over = True
            for name, subscription in self.channels.items():
                subscription.is_confirmed.set()
                for inbox in subscription.readers:
                    inbox.put_nowait((name, CLOSE))
            await self.pubsub.aclose()  # type: ignore[no-untyped-call]
            await self.server.aclose()


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def current_hub() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs or _hubs[loop].is_over:
        _hubs[loop] = Hub()
    return _hubs[loop]


def is_following(channel: str) -> bool:
    """Whether this process receives the stored changes of this table; see `follow`."""
    return current_hub().is_following(channel)


async def follow(channel: str) -> None:
    """Makes this process receive the stored changes of a table (`games.signals.table_stored`), also without streams.

    :raises redis.RedisError:
    """
    await current_hub().follow(channel)


def version_of(message: bytes) -> int:
    return int(message.partition(b" ")[0])
