"""The live channel: says that something moved and to which version, never what. A stream shows its reader's own view.

A channel is a Redis pub/sub channel. A notice may be lost: the next one, or a reconnect, makes up for it.
"""

import asyncio
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, StreamingHttpResponse

from accounts import sessions
from games.signals import table_stored
from infra.after_commit import nonblocking
from infra.numbers import read_number
from infra.redis_client import redis_client
from infra.threads import in_thread, inline_or_in_thread

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 10
RETRY_MILLISECONDS = 1000
FOLLOWED = 500  # tables in the memory of a process (`games.record.table_store`)
BYE = b"bye"
STILL = "event: still\ndata:\n\n"  # an event and no comment, so that a page in the background hears it
CLOSED = "event: closed\ndata:\n\n"  # the reader may hear no more: the page asks again who may see what


@nonblocking
def announce(channel: str, version: int, *, shown_to: int | None = None, stored: str = "") -> None:
    """Tells everybody who watches `channel`. Call it on commit.

    shown_to: the user whose own request shows it. stored: what the processes of the site are to know of this version
    (`games.signals.table_stored`). It may be secret: no stream gets it.
    """
    shown = f" {own_channel(shown_to)}" if shown_to else ""
    _speaker.say(channel, f"{version}{shown}\n{stored}" if stored else f"{version}{shown}")


def end_streams(user_id: int) -> None:
    """Ends the streams of somebody who logs out; a browser that still may comes back by itself."""
    redis_client(settings.LIVE_REDIS_URL).publish(own_channel(user_id), BYE)


class Speaker(threading.local):
    """Tells Redis without waiting for an answer, which says nothing that matters: each thread on its own connection."""

    url = ""

    def say(self, channel: str, text: str) -> None:
        """:raises redis.RedisError:"""
        is_new = self.url != settings.LIVE_REDIS_URL
        if is_new:
            self.connect()
        try:
            self.connection.send_command("PUBLISH", channel, text, check_health=False)  # type: ignore[no-untyped-call]
        except redis.ConnectionError:
            self.url = ""
            if is_new:
                raise
            self.say(channel, text)

    def connect(self) -> None:
        url = settings.LIVE_REDIS_URL
        self.connection = redis_client(url).connection_pool.make_connection()
        self.connection.connect()  # type: ignore[no-untyped-call]
        self.connection.send_command("CLIENT", "REPLY", "OFF")  # type: ignore[no-untyped-call]
        self.url = url


_speaker = Speaker()


def moment() -> int:
    """A version for a channel that counts nothing: the time in milliseconds."""
    return time.time_ns() // 1_000_000


def own_channel(user_id: int) -> str:
    """Where one person is told something; the version is the number of the notice."""
    return f"user:{user_id}"


def talk_channel(code: str, *, of_watchers: bool = False) -> str:
    """Where a table's chat, or that of its watchers, is announced."""
    return f"{'watchers' if of_watchers else 'talk'}:{code}"


class Shown(NamedTuple):
    """What a reader sees of a version."""

    version: int
    html: str


Show = Callable[[int], Shown | None]
"""Draws what the reader may see now that the channel has come to a version; None if he should ask for it himself."""


async def stream(
    channel: str,
    current: Callable[[], int],
    *,
    seen: int = -1,
    own: str = "",
    also: Mapping[str, str] | None = None,
    show: Show | None = None,
    holds: Callable[[int], bool] | None = None,
) -> AsyncGenerator[str]:
    """Server-sent events named `moved`, one for each version newer than `seen`.

    current: reads the version from the database, once the channel is heard, so that nothing falls in between.
    own: the reader's own channel; what is announced there arrives as events named `notice`.
    also: further channels, with the name that the events of each have.
    show: with it the reader gets what he sees as events named `board`; `moved` is left for what it does not draw.
    holds: asked with every heartbeat, with the newest version, whether the reader may go on; if not, the stream ends
    with the event `closed`.
    The stream ends when the web server says that it stops, or the reader's own channel; browsers then come back by
    themselves.
    """
    loop = asyncio.get_running_loop()
    named = {**(also or {}), own: "notice"}
    channels = {*filter(None, (channel, *named, settings.LIVE_SYSTEM_CHANNEL))}
    hub, news = _hub(), News()
    try:
        await hub.join(channels, news)
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        version = await in_thread(current)
        if version > seen:
            yield _moved(version)
        seen, newest = max(version, seen), version
        beats_at = loop.time() + HEARTBEAT_SECONDS
        while True:
            told, data = await next_news(news, until=beats_at)
            is_due = loop.time() >= beats_at
            if holds and (is_due or (told, data) == (own, BYE)) and not await in_thread(holds, newest):
                yield CLOSED
                return
            if is_due:
                beats_at = loop.time() + HEARTBEAT_SECONDS
                yield STILL
            if not data:
                continue
            if data == BYE:
                return
            if told != channel:
                yield f"event: {named[told]}\ndata: {int(data)}\n\n"
                continue
            newest, shown_to = _version(data), data.decode().partition(" ")[2]
            if show is None or (own and shown_to == own):
                yield _moved(newest)
            elif newest > seen:
                board = await inline_or_in_thread(show, newest)
                seen = board.version if board else newest
                yield board_event(board) if board else _moved(seen)
    finally:
        await hub.leave(channels, news)


News = asyncio.Queue[tuple[str, bytes]]
"""Channel and data of what one stream has heard and not yet told."""


async def next_news(news: News, *, until: float) -> tuple[str, bytes]:
    """The next news, or ("", b"") if there is none until then by the clock of the event loop."""
    try:
        async with asyncio.timeout_at(until):
            return await news.get()
    except TimeoutError:
        return "", b""


@dataclass(slots=True)
class Heard:
    """A channel that some streams listen to. is_heard: Redis has confirmed it."""

    readers: set[News] = field(default_factory=set)
    is_heard: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Everything that the streams of one event loop hear comes over one connection.

    It stays for as long as the loop runs. Should Redis fail, all streams end and browsers come back, to a new one.
    """

    def __init__(self) -> None:
        self.server = redis.asyncio.Redis.from_url(settings.LIVE_REDIS_URL)
        self.hearing = self.server.pubsub()
        self.channels: dict[str, Heard] = {}
        self.followed: OrderedDict[str, None] = OrderedDict()  # channels without readers, last used last
        self.passing_on: asyncio.Task[None] | None = None
        self.asking = asyncio.Lock()  # Redis hears of who comes and goes in the order in which they do
        self.is_over = False

    async def join(self, names: Collection[str], news: News) -> None:
        """From the return on, what is announced in these channels is put into `news`."""
        async with self.asking:
            new = [name for name in names if name not in self.channels]
            for name in names:
                self.channels.setdefault(name, Heard()).readers.add(news)
            await self._subscribe(new)
        for name in names:
            if not self.is_over:
                await self.channels[name].is_heard.wait()
        if self.is_over:
            news.put_nowait(("", BYE))

    async def leave(self, names: Collection[str], news: News) -> None:
        async with self.asking:
            heard = [name for name in names if name in self.channels]
            for name in heard:
                self.channels[name].readers.discard(news)
            await self._drop(heard)

    def is_following(self, name: str) -> bool:
        """Counts as a use of this channel."""
        if name not in self.followed:
            return False
        self.followed.move_to_end(name)
        return True

    async def follow(self, name: str) -> None:
        """Hears this channel also without readers, until `FOLLOWED` others have been used since."""
        self.followed[name] = None
        async with self.asking:
            if name not in self.channels:
                self.channels[name] = Heard()
                await self._subscribe([name])
            while len(self.followed) > FOLLOWED:
                await self._drop([self.followed.popitem(last=False)[0]])

    async def _subscribe(self, names: Collection[str]) -> None:
        """The caller holds `asking`."""
        try:
            if names:
                await self.hearing.subscribe(*names)
        except BaseException:
            self.is_over = True
            raise
        if self.passing_on is None:
            self.passing_on = asyncio.create_task(self.pass_on())

    async def _drop(self, names: Collection[str]) -> None:
        """Ends those of these channels that have no readers and are not followed. The caller holds `asking`."""
        kept = {settings.LIVE_SYSTEM_CHANNEL, *self.followed}
        empty = [name for name in names if name not in kept and not self.channels[name].readers]
        for name in empty:
            del self.channels[name]
        if empty and not self.is_over:
            with suppress(redis.RedisError):
                await self.hearing.unsubscribe(*empty)

    async def pass_on(self) -> None:
        try:
            async for message in self.hearing.listen():
                name = message["channel"].decode()
                if name not in self.channels:
                    continue
                if message["type"] == "subscribe":
                    self.channels[name].is_heard.set()
                elif message["type"] == "message":
                    told, _, stored = message["data"].partition(b"\n")
                    if stored:
                        table_stored.send_robust(sender=Hub, channel=name, version=_version(told), stored=stored)
                    for news in self.channels[name].readers:
                        news.put_nowait((name, told))
        finally:
            self.is_over = True
            for name, heard in self.channels.items():
                heard.is_heard.set()
                for news in heard.readers:
                    news.put_nowait((name, BYE))
            await self.hearing.aclose()  # type: ignore[no-untyped-call]
            await self.server.aclose()


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def _hub() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs or _hubs[loop].is_over:
        _hubs[loop] = Hub()
    return _hubs[loop]


def is_following(channel: str) -> bool:
    """Whether this process hears what is stored of this table, as far as `follow` has been called."""
    return _hub().is_following(channel)


async def follow(channel: str) -> None:
    """From soon on this process hears what is stored of a table (`games.signals.table_stored`), also without streams.

    :raises redis.RedisError:
    """
    await _hub().follow(channel)


def _version(told: bytes) -> int:
    return int(told.partition(b" ")[0])


def _moved(version: int) -> str:
    return f"event: moved\nid: {version}\ndata: {version}\n\n"


def board_event(shown: Shown) -> str:
    lines = shown.html.replace("\n", "\ndata: ")
    return f"event: board\nid: {shown.version}\ndata: {lines}\n\n"


def still_may(login: sessions.Login | None, may_read: Callable[[int], bool] | None) -> Callable[[int], bool] | None:
    """Whether a reader who came by this login may go on, for `stream`; None where nothing can change that."""
    if login is None and may_read is None:
        return None

    def holds(version: int) -> bool:
        try:
            if login is not None and not sessions.still_holds(login):
                return False
            return may_read is None or may_read(version)
        except Error:
            logger.warning("could not check who may read a stream; the next heartbeat tries again", exc_info=True)
            return True

    return holds


class EventStream(StreamingHttpResponse):
    """Response that closes its events when its own iterator is closed, and not when the garbage collector comes by.

    Django closes only its wrappers around them. A reader may go away while the events are suspended in a `yield`,
    because a slow network takes no more; then nothing else would end them.
    """

    def __init__(self, events: AsyncGenerator[str]) -> None:
        super().__init__(events, content_type="text/event-stream", charset="utf-8")
        self.events = events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with aclosing(self.events) as events:
            async for event in events:
                yield self.make_bytes(event)


def respond(
    request: HttpRequest,
    channel: str,
    current: Callable[[], int],
    *,
    also: Mapping[str, str] | None = None,
    show: Show | None = None,
    may_read: Callable[[int], bool] | None = None,
) -> StreamingHttpResponse:
    """The answer of a stream view. `also`, `show`: see `stream`.

    It goes on only while the reader's session and account hold and, asked with the newest version, `may_read` does.
    `?seen=` is the version of the page, `Last-Event-ID` that of a reader who returns.
    """
    marks = (request.headers.get("Last-Event-ID", ""), request.GET.get("seen", ""))
    seen = max(read_number(mark, -1) for mark in marks)
    own = own_channel(request.user.pk) if request.user.is_authenticated else ""
    holds = still_may(sessions.login_of(request), may_read)
    events = stream(channel, current, seen=seen, own=own, also=also, show=show, holds=holds)
    response = EventStream(events)
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response
