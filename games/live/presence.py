"""Presence by heartbeat: who has the page of a table open. An open connection proves nothing if the network is gone.

A player's page posts a heartbeat every few seconds to a signed URL that names table and user. `heartbeat_response`
takes it in the event loop, without session, middleware or database, and Redis gets those of half a second in one write.
A sorted set holds the moment until which each user counts as online, so several pages of one user count once, and one
query finds all who are away. Spectators' pages post heartbeats too; they are counted by table.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import redis
from django.conf import settings
from django.core import signing
from django.utils.crypto import salted_hmac

from infra.redis_client import redis_client

HEARTBEAT_PATH = "/here/"
ONLINE_SECONDS = 15  # after a heartbeat; pages send one every ten seconds
ONLINE_AFTER_REQUEST_SECONDS = 120  # after a page request, which is all that a browser without scripts sends
KEPT_SECONDS = 3600
WRITE_SECONDS = 0.5
ONLINE_UNTIL, LISTENING_SINCE = "presence:here", "presence:listening"
LAST_HEARTBEAT = ("presence:latest", "sign")  # key and member of a sorted set, which keeps the latest moment
WATCHER = "w"  # prefix of a spectator's id

logger = logging.getLogger(__name__)


@cache
def _signer() -> signing.Signer:
    return signing.Signer(salt="games.live.presence", sep=".")


def heartbeat_url(table_id: int, user_id: int) -> str:
    """URL to which this user's page of this table posts its heartbeats."""
    return HEARTBEAT_PATH + _signer().sign(heartbeat_member(table_id, user_id))


def heartbeat_member(table_id: int, user_id: int) -> str:
    return f"{table_id}-{user_id}"


def watcher_heartbeat_url(table_id: int, visitor: int | str) -> str:
    """Heartbeat URL of a spectator's page. visitor: user id, or the IP address of a visitor who is not logged in.

    All pages of one visitor have the same URL, so they count as one.
    """
    name = visitor if isinstance(visitor, int) else f"x{salted_hmac('games.live.presence', visitor).hexdigest()[:12]}"
    return HEARTBEAT_PATH + _signer().sign(f"{table_id}-{WATCHER}{name}")


def _watchers_key(table_id: int | str) -> str:
    return f"presence:watchers:{table_id}"


# Receiving

_unsaved: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, float]] = WeakKeyDictionary()


async def heartbeat_response(scope: dict[str, Any], send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """ASGI application for heartbeats: 204 without a body, 403 if the signature is wrong."""
    try:
        _record_heartbeat(_signer().unsign(scope["path"].removeprefix(HEARTBEAT_PATH)))
        status = 204
    except signing.BadSignature:
        status = 403
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _record_heartbeat(sender: str) -> None:
    loop = asyncio.get_running_loop()
    unsaved = _unsaved.setdefault(loop, {})
    if not unsaved:
        loop.call_later(WRITE_SECONDS, _store_unsaved, loop)
    unsaved[sender] = time.time() + ONLINE_SECONDS


def _store_unsaved(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_in_executor(None, store_heartbeats, _unsaved.pop(loop), time.time())


def store_heartbeats(until: dict[str, float], now: float) -> None:
    """Writes heartbeats to Redis. until: by `heartbeat_member` or spectator, when they expire (POSIX time)."""
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    seated = {sender: moment for sender, moment in until.items() if WATCHER not in sender}
    if seated:
        pipe.zadd(ONLINE_UNTIL, seated)
    for sender in until.keys() - seated.keys():
        table_id, _, watcher = sender.partition("-")
        pipe.zadd(_watchers_key(table_id), {watcher: until[sender]})
        pipe.expire(_watchers_key(table_id), KEPT_SECONDS)
    pipe.zremrangebyscore(ONLINE_UNTIL, "-inf", now - KEPT_SECONDS)
    key, sign = LAST_HEARTBEAT
    pipe.zadd(key, {sign: now}, gt=True)  # it never decreases, even if the clocks of two processes differ
    try:
        pipe.execute()
    except redis.RedisError:
        logger.warning("%s heartbeats are lost", len(until), exc_info=True)


def record_request(table_id: int, user_id: int) -> None:
    """Counts the request of a page as a heartbeat, for browsers without scripts; others soon post their own."""
    now = time.time()
    store_heartbeats({heartbeat_member(table_id, user_id): now + ONLINE_AFTER_REQUEST_SECONDS}, now)


def record_stream(table_id: int, user_id: int) -> None:
    """Counts an open stream of a program as a heartbeat; call it in the event loop, at every keepalive."""
    _record_heartbeat(heartbeat_member(table_id, user_id))


# Querying


@dataclass(frozen=True, slots=True)
class Heartbeats:
    """Heartbeats of some users. until: by table and user id, when they expire (POSIX time), None if there was none.

    listening_since: since when heartbeats have been received without a gap; before that a missing one means nothing.
    """

    until: dict[tuple[int, int], float | None]
    listening_since: float


def heartbeats(of: Collection[tuple[int, int]], *, now: float) -> Heartbeats:
    """The heartbeats of these pairs of table and user ids, in one round trip."""
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    pipe.zscore(*LAST_HEARTBEAT)
    pipe.get(LISTENING_SINCE)
    if of:
        pipe.zmscore(ONLINE_UNTIL, [heartbeat_member(*pair) for pair in of])
    heard, since, *scores = pipe.execute()
    if since is None or heard is None or now - heard > ONLINE_SECONDS:
        redis_client(settings.LIVE_REDIS_URL).set(
            LISTENING_SINCE, now
        )  # no heartbeat at all: this site may have been down
        since = now
    return Heartbeats(dict(zip(of, scores[0] if of else [], strict=True)), float(since))


def online_users(table_id: int, user_ids: Collection[int]) -> set[int]:
    """The users among these who have the page of the table open."""
    now = time.time()
    known = heartbeats([(table_id, user) for user in user_ids], now=now).until
    return {user for (_, user), until in known.items() if until is not None and until > now}


def count_watchers(seated: Mapping[int, Collection[int | None]], *, now: float) -> dict[int, int]:
    """Number of spectators by table, in one round trip.

    seated: by table the user ids of its players, who do not count even if an older page of theirs still watches.
    """
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    for table_id in seated:
        pipe.zrangebyscore(_watchers_key(table_id), now, "+inf")
    found = zip(seated.items(), pipe.execute(), strict=True)
    return {
        table_id: len({*watching} - {f"{WATCHER}{user_id}".encode() for user_id in user_ids})
        for (table_id, user_ids), watching in found
    }
