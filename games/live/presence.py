"""Who has the page of a table open, as the pages say themselves: a dropped network closes no connection.

The page of somebody who sits at a table posts a sign of life every few seconds, to an address that names both and is
signed. `answer` takes it in the event loop, without session, middleware or database; what has come within half a second
is written to Redis at once. There a sorted set says of each until when the person counts as there, so that several
pages of one person are one, and one look finds all who are away. Pages of those who watch say so, too, and are counted
for each table.
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

PATH = "/here/"
SIGN_SECONDS = 15  # a sign holds so long; pages give one every ten seconds
REQUEST_SECONDS = 120  # the same without a script, where nothing but the next request says that somebody is there
KEPT_SECONDS = 3600
WRITE_SECONDS = 0.5
HERE, LISTENING = "presence:here", "presence:listening"
HEARD = ("presence:latest", "sign")  # key and member of a sorted set, in which the latest moment stays
WATCHER = "w"  # stands before the number of somebody who only watches

logger = logging.getLogger(__name__)


@cache
def _signer() -> signing.Signer:
    return signing.Signer(salt="games.live.presence", sep=".")


def address(table_id: int, user_id: int) -> str:
    """Where the page of this person at this table posts its signs of life."""
    return PATH + _signer().sign(member(table_id, user_id))


def member(table_id: int, user_id: int) -> str:
    return f"{table_id}-{user_id}"


def watching_address(table_id: int, visitor: int | str) -> str:
    """The same for a watcher's page. visitor: user id, or the IP address of a visitor who is not logged in.

    All pages of one visitor have the same: they count as one.
    """
    name = visitor if isinstance(visitor, int) else f"x{salted_hmac('games.live.presence', visitor).hexdigest()[:12]}"
    return PATH + _signer().sign(f"{table_id}-{WATCHER}{name}")


def _watchers_key(table_id: int | str) -> str:
    return f"presence:watchers:{table_id}"


# Hearing

_heard: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, float]] = WeakKeyDictionary()


async def answer(scope: dict[str, Any], send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """ASGI: 204 to a sign of life, 403 to a forged one. It says nothing, so there is nothing more to answer."""
    try:
        _hear(_signer().unsign(scope["path"].removeprefix(PATH)))
        status = 204
    except signing.BadSignature:
        status = 403
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _hear(sender: str) -> None:
    loop = asyncio.get_running_loop()
    heard = _heard.setdefault(loop, {})
    if not heard:
        loop.call_later(WRITE_SECONDS, lambda: loop.run_in_executor(None, write, _heard.pop(loop), time.time()))
    heard[sender] = time.time() + SIGN_SECONDS


def write(until: dict[str, float], now: float) -> None:
    """Stores what has been heard: by table and person, or watcher, until when it counts, in seconds since 1970."""
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    seated = {sender: moment for sender, moment in until.items() if WATCHER not in sender}
    if seated:
        pipe.zadd(HERE, seated)
    for sender in until.keys() - seated.keys():
        table_id, _, watcher = sender.partition("-")
        pipe.zadd(_watchers_key(table_id), {watcher: until[sender]})
        pipe.expire(_watchers_key(table_id), KEPT_SECONDS)
    pipe.zremrangebyscore(HERE, "-inf", now - KEPT_SECONDS)
    key, sign = HEARD
    pipe.zadd(key, {sign: now}, gt=True)  # whoever writes, with whatever clock, it never goes back
    try:
        pipe.execute()
    except redis.RedisError:
        logger.warning("%s signs of life are lost", len(until), exc_info=True)


def has_asked(table_id: int, user_id: int) -> None:
    """Somebody has asked for a page of the table, perhaps with a browser that runs no scripts. Others soon say more."""
    now = time.time()
    write({member(table_id, user_id): now + REQUEST_SECONDS}, now)


# Looking


@dataclass(frozen=True, slots=True)
class Signs:
    """until: by table and user, until when they count as there (seconds since 1970), None for who never gave a sign.

    listening_since: since when signs have been heard without a break; what is missing before that says nothing.
    """

    until: dict[tuple[int, int], float | None]
    listening_since: float


def signs(of: Collection[tuple[int, int]], *, now: float) -> Signs:
    """What is known of these pairs of table and user ids, in one round trip."""
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    pipe.zscore(*HEARD)
    pipe.get(LISTENING)
    if of:
        pipe.zmscore(HERE, [member(*pair) for pair in of])
    heard, since, *scores = pipe.execute()
    if since is None or heard is None or now - heard > SIGN_SECONDS:
        redis_client(settings.LIVE_REDIS_URL).set(LISTENING, now)  # nobody is heard: it may be us
        since = now
    return Signs(dict(zip(of, scores[0] if of else [], strict=True)), float(since))


def are_here(table_id: int, user_ids: Collection[int]) -> set[int]:
    """Those of them who have the page of the table open."""
    now = time.time()
    known = signs([(table_id, user) for user in user_ids], now=now).until
    return {user for (_, user), until in known.items() if until is not None and until > now}


def watchers(seated: Mapping[int, Collection[int | None]], *, now: float) -> dict[int, int]:
    """How many visitors watch each of these tables, in one round trip.

    seated: by table the user ids of those who sit there, who do not count even if an older page of theirs watches.
    """
    pipe = redis_client(settings.LIVE_REDIS_URL).pipeline()
    for table_id in seated:
        pipe.zrangebyscore(_watchers_key(table_id), now, "+inf")
    found = zip(seated.items(), pipe.execute(), strict=True)
    return {
        table_id: len({*watching} - {f"{WATCHER}{user_id}".encode() for user_id in user_ids})
        for (table_id, user_ids), watching in found
    }
