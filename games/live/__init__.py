"""Server-sent events: a Redis pub/sub channel announces a new version, and each stream renders its reader's own view.

An announcement never contains what has changed. It may be lost, say with the process that has just stored a move: the
next one, a reconnect, or the next heartbeat makes up for it.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import NamedTuple

import redis
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, StreamingHttpResponse

from accounts import sessions
from games.live.hub import CLOSE, Inbox, current_hub, next_message, version_of
from infra import metrics
from infra.after_commit import nonblocking
from infra.numbers import read_number
from infra.redis_client import redis_client
from infra.threads import in_thread, inline_or_in_thread

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 10
RETRY_MILLISECONDS = 1000
EVENT_STREAM = "text/event-stream"
KEEPALIVE = "event: still\ndata:\n\n"  # an event, not a comment, so that a page in the background gets it
ACCESS_ENDED = "event: closed\ndata:\n\n"  # the reader lost access: the page reloads and checks again


@nonblocking
def announce(channel: str, version: int, *, shown_to: int | None = None, stored: str = "") -> None:
    """Publishes a new version to all streams of `channel`. Call it on commit.

    shown_to: the user whose own request shows it. stored: the change as text for the other processes of the site
    (`games.signals.table_stored`); it may be secret, so no stream gets it.
    """
    shown = own_channel(shown_to) if shown_to else ""
    text = f"{version} {shown} {time.time():.3f}\n{stored}" if stored else f"{version} {shown}".strip()
    _publisher.publish(channel, text)


def end_streams(user_id: int) -> None:
    """Ends the streams of a user who logs out; browsers reconnect by themselves if they still have access."""
    redis_client(settings.LIVE_REDIS_URL).publish(own_channel(user_id), CLOSE)


class Publisher(threading.local):
    """Publishes to Redis without waiting for the reply, over one connection for each thread."""

    url = ""

    def publish(self, channel: str, text: str) -> None:
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
            self.publish(channel, text)

    def connect(self) -> None:
        url = settings.LIVE_REDIS_URL
        self.connection = redis_client(url).connection_pool.make_connection()
        self.connection.connect()  # type: ignore[no-untyped-call]
        self.connection.send_command("CLIENT", "REPLY", "OFF")  # type: ignore[no-untyped-call]
        self.url = url


_publisher = Publisher()


def moment() -> int:
    """Version for a channel that has no counter: the time in milliseconds."""
    return time.time_ns() // 1_000_000


def own_channel(user_id: int) -> str:
    """Channel of one user's notices; the version is the id of the notice."""
    return f"user:{user_id}"


def games_channel(user_id: int) -> str:
    """Channel of one user's games that start, wait for a move or end; the version is the id of the table."""
    return f"games:{user_id}"


def chat_channel(code: str, *, of_watchers: bool = False) -> str:
    """Channel of a table's chat, or of its spectators' chat."""
    return f"{'watchers' if of_watchers else 'chat'}:{code}"


def director_channel(code: str) -> str:
    """Channel of the calls for the director at the table of an event."""
    return f"director:{code}"


class RenderedBoard(NamedTuple):
    """The board of one version as HTML, for one reader."""

    version: int
    html: str


RenderBoard = Callable[[int], RenderedBoard | None]
"""Renders the reader's board at a version; None if the page has to request it."""


async def stream(
    channel: str,
    current: Callable[[], int] | None,
    *,
    seen: int = -1,
    own: str = "",
    also: Mapping[str, str] | None = None,
    show: RenderBoard | None = None,
    holds: Callable[[int], bool] | None = None,
) -> AsyncGenerator[str]:
    """Server-sent events named `moved`, one for each version newer than `seen`.

    current: reads the version from the database, once the channel is subscribed and at every heartbeat, so that no
    version is missed; None for a channel that has no counter.
    own: the reader's own channel, whose announcements arrive as events named `notice`.
    also: further channels with the event name of each.
    show: sends the reader's board as events named `board`; where it returns None, `moved` is sent instead.
    holds: access check with the newest version, called at every keepalive; if it fails, the stream ends with the
    event `closed`.
    The stream also ends when the web server shuts down or the reader's own channel says so; browsers then reconnect.
    """
    loop = asyncio.get_running_loop()
    named = {**(also or {}), own: "notice"}
    channels = {*filter(None, (channel, *named, settings.LIVE_SYSTEM_CHANNEL))}
    hub, inbox = current_hub(), Inbox()
    try:
        await hub.join(channels, inbox)
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        version = await in_thread(current) if current else moment()
        if version > seen:
            yield _moved(version)
        reader = _Reader(own, show, current is not None, seen=max(version, seen), newest=version)
        beats_at = loop.time() + HEARTBEAT_SECONDS
        while True:
            name, data = await next_message(inbox, until=beats_at)
            is_due = loop.time() >= beats_at
            if holds and (is_due or (name, data) == (own, CLOSE)) and not await in_thread(holds, reader.newest):
                yield ACCESS_ENDED
                return
            if is_due:
                beats_at = loop.time() + HEARTBEAT_SECONDS
                yield KEEPALIVE
                if current and (version := await in_thread(_version_or, reader.newest, current)) > reader.newest:
                    inbox.put_nowait((channel, b"%d" % version))
            if data == CLOSE:
                return
            if data and name != channel:
                yield f"event: {named[name]}\ndata: {int(data)}\n\n"
            elif data and (event := await reader.event(data)):
                yield event
    finally:
        await hub.leave(channels, inbox)


@dataclass(slots=True)
class _Reader:
    """The reader of a stream. own, show: see `stream`. seen: the version shown last. newest: the one known last."""

    own: str
    show: RenderBoard | None
    has_counter: bool
    seen: int
    newest: int

    async def event(self, announced: bytes) -> str:
        """The event for a version that was announced, "" if it is no news."""
        version = version_of(announced)
        if self.has_counter and version == self.newest:
            return ""  # read from the database before its announcement came
        self.newest, (shown_to, moved_at) = version, _marks(announced)
        if self.show is None or (self.own and shown_to == self.own):
            return _moved(self.newest)
        if self.newest <= self.seen:
            return ""
        board = await inline_or_in_thread(self.show, self.newest)
        self.seen = board.version if board else self.newest
        if board and moved_at:
            metrics.boards.observe(max(time.time() - moved_at, 0))
        return board_event(board) if board else _moved(self.seen)


def _version_or(known: int, current: Callable[[], int]) -> int:
    """The version now, or the known one while the database does not answer."""
    try:
        return current()
    except Error:
        logger.warning("could not read the version of a stream; the next heartbeat tries again", exc_info=True)
        return known


def _marks(message: bytes) -> tuple[str, float]:
    """The own channel of the user who sees this version already, and when it was stored; "" and 0 if not said."""
    _, shown_to, moved_at = [*message.decode().split(" "), "", ""][:3]
    return shown_to, float(moved_at or 0)


def _moved(version: int) -> str:
    return f"event: moved\nid: {version}\ndata: {version}\n\n"


def board_event(shown: RenderedBoard) -> str:
    lines = shown.html.replace("\n", "\ndata: ")
    return f"event: board\nid: {shown.version}\ndata: {lines}\n\n"


def access_check(login: sessions.Login | None, may_read: Callable[[int], bool] | None) -> Callable[[int], bool] | None:
    """Access check for `stream`: whether login and permission still hold; None if neither can change."""
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
    """Streaming response that closes its generator together with its own iterator, not at garbage collection.

    Django closes only its wrappers around the generator. A reader may leave while it is suspended in a `yield`, because
    a slow network takes no more; then nothing else would end it.
    """

    def __init__(self, events: AsyncGenerator[str], *, content_type: str = EVENT_STREAM) -> None:
        super().__init__(events, content_type=content_type, charset="utf-8")
        self.events = events
        self["Cache-Control"] = "no-cache"
        self["X-Accel-Buffering"] = "no"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with metrics.open_streams.track_inprogress():
            async with aclosing(self.events) as events:
                async for event in events:
                    yield self.make_bytes(event)


def seen_version(request: HttpRequest) -> int:
    """The newest version that the reader says to know, -1 without one."""
    marks = (request.headers.get("Last-Event-ID", ""), request.GET.get("seen", ""))
    return max(read_number(mark, -1) for mark in marks)


def respond(
    request: HttpRequest,
    channel: str,
    current: Callable[[], int] | None,
    *,
    also: Mapping[str, str] | None = None,
    show: RenderBoard | None = None,
    may_read: Callable[[int], bool] | None = None,
) -> StreamingHttpResponse:
    """The response of a stream view. current, also, show: see `stream`.

    It ends once the reader's session or account is no longer valid, or `may_read` refuses the newest version.
    `?seen=` is the version of the page, `Last-Event-ID` that of a page that reconnects.
    """
    seen = seen_version(request)
    own = own_channel(request.user.pk) if request.user.is_authenticated else ""
    holds = access_check(sessions.login_of(request), may_read)
    events = stream(channel, current, seen=seen, own=own, also=also, show=show, holds=holds)
    return EventStream(events)
