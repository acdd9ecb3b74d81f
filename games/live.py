"""The live channel: says that something moved and to which version, never what. Readers fetch their own view.

A channel is a Redis pub/sub channel. A notice may be lost: the next one, or a reconnect, makes up for it.
"""

import time
from collections.abc import AsyncIterator, Callable
from functools import cache

import redis
import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse

HEARTBEAT_SECONDS = 15
RETRY_MILLISECONDS = 1000
BYE = b"bye"


def announce(channel: str, version: int) -> None:
    """Tells everybody who watches `channel`. Call it on commit."""
    _server(settings.LIVE_REDIS_URL).publish(channel, version)


@cache
def _server(url: str) -> redis.Redis:
    return redis.Redis.from_url(url)


def moment() -> int:
    """A version for a channel that counts nothing: the time in milliseconds."""
    return time.time_ns() // 1_000_000


def own_channel(user_id: int) -> str:
    """Where one person is told something; the version is the number of the notice."""
    return f"user:{user_id}"


async def stream(
    channel: str, current: Callable[[], int], *, seen: int = -1, own: str = ""
) -> AsyncIterator[str]:
    """Server-sent events named `moved`, one for each version newer than `seen`.

    current: reads the version from the database, once the channel is heard, so that nothing falls in between.
    own: the reader's own channel; what is announced there arrives as events named `notice`.
    The stream ends when the web server says that it stops; browsers then come back by themselves.
    """
    server = redis.asyncio.Redis.from_url(settings.LIVE_REDIS_URL)
    try:
        async with server.pubsub() as hearing:
            await hearing.subscribe(*filter(None, (channel, own, settings.LIVE_SYSTEM_CHANNEL)))
            yield f"retry: {RETRY_MILLISECONDS}\n\n"
            version = await sync_to_async(_and_disconnect)(current)
            if version > seen:
                yield _moved(version)
            while True:
                message = await hearing.get_message(ignore_subscribe_messages=True, timeout=HEARTBEAT_SECONDS)
                if message is None:
                    yield ": still here\n\n"
                elif message["data"] == BYE:
                    return
                elif message["channel"].decode() == channel:
                    yield _moved(int(message["data"]))
                elif message["channel"].decode() == own:
                    yield f"event: notice\ndata: {int(message['data'])}\n\n"
    finally:
        await server.aclose()


def _moved(version: int) -> str:
    return f"event: moved\nid: {version}\ndata: {version}\n\n"


def _and_disconnect(read: Callable[[], int]) -> int:
    """Streams last for hours: one that kept its connection would use up the database's."""
    try:
        return read()
    finally:
        connections.close_all()


def respond(request: HttpRequest, channel: str, current: Callable[[], int]) -> StreamingHttpResponse:
    """The answer of a stream view.

    `?seen=` is the version of the page, `Last-Event-ID` that of a reader who returns.
    """
    marks = (request.headers.get("Last-Event-ID", ""), request.GET.get("seen", ""))
    seen = max((int(mark) for mark in marks if mark.isdecimal()), default=-1)
    own = own_channel(request.user.pk) if request.user.is_authenticated else ""
    events = stream(channel, current, seen=seen, own=own)
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response
