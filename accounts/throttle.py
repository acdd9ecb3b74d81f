"""Throttle: limits how often something may be done, by one user or from one address."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from infra.redis_client import redis_client

ViewFunction = Callable[..., HttpResponseBase]

MOST_PROXY_WARNINGS = 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PostLimit:
    """How often a form may be sent from one address by visitors without an account: `count` times in `seconds`.

    accounts_too: also by one account. by_address: accounts are counted by their address, too.
    """

    count: int
    seconds: int
    accounts_too: bool = False
    by_address: bool = False


LIMITS = {
    "sign-up": PostLimit(10, 3600),
    "password-reset": PostLimit(10, 3600, by_address=True),
    "guest-name": PostLimit(20, 3600),
    "export": PostLimit(5, 3600, accounts_too=True),
    "blocks": PostLimit(60, 3600, accounts_too=True),
    "tokens": PostLimit(30, 3600, accounts_too=True),
    "address-confirmations": PostLimit(5, 3600, accounts_too=True),
    "webhooks": PostLimit(30, 3600, accounts_too=True),
    "reports": PostLimit(10, 3600, accounts_too=True),
    "tables": PostLimit(30, 600, accounts_too=True),
    "seats": PostLimit(60, 600, accounts_too=True),
    "seeks": PostLimit(60, 600, accounts_too=True),
    "challenges": PostLimit(20, 600, accounts_too=True),
    "vacations": PostLimit(30, 3600, accounts_too=True),
    "asks": PostLimit(60, 600),
    "notes": PostLimit(120, 600, accounts_too=True),
    "coach": PostLimit(30, 600, accounts_too=True),
    "shown-deals": PostLimit(60, 600),
    "lessons": PostLimit(600, 600),
    "puzzles": PostLimit(600, 600),
    "entries": PostLimit(30, 600),
    "ladders": PostLimit(60, 600),
    "replays": PostLimit(120, 600),
}
"""By name, which is also that of the counter. The same operations of the API count with the forms."""


def limit_posts(name: str) -> Callable[[ViewFunction], ViewFunction]:
    """Decorator: 429 for more POSTs than `LIMITS` allows."""
    limit = LIMITS[name]

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            has_account = request.user.is_authenticated and request.user.has_account and not limit.by_address
            poster = f"account-{request.user.pk}" if has_account else address_of(request)
            is_counted = request.method == "POST" and (limit.accounts_too or not has_account)
            wait = count_one(name, poster, count=limit.count, seconds=limit.seconds) if is_counted else 0
            if wait:
                who, is_for_all = "you" if has_account else "address", limit.accounts_too or limit.by_address
                return too_many(request, wait, who=who, is_for_all=is_for_all)
            return view(request, *args, **kwargs)

        return limited

    return decorate


def too_many(request: HttpRequest, wait: int, *, who: str, is_for_all: bool = True) -> HttpResponse:
    """The 429 page. wait: in seconds. who: whose count it is, "you", "address" or "name"."""
    context = {"wait": wait_in_words(wait), "who": who, "is_for_all": is_for_all}
    answer = render(request, "accounts/too_many_requests.html", context, status=429)
    answer["Retry-After"] = str(wait)
    return answer


# Addresses


def address_of(request: HttpRequest) -> str:
    """The visitor's IP address as limits count it: of IPv6 the /64 network, since one visitor can use all of it.

    The web server has read X-Forwarded-For where the request came from a trusted proxy. A Unix socket, which only a
    proxy on this machine opens, has no address: there the proxy's own entry counts, the last one.
    """
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    text: str = request.META.get("REMOTE_ADDR", "")
    if not text:
        text = forwarded.rpartition(",")[2].strip()
    elif forwarded and text not in forwarded:
        _warn_of_proxy(text)
    try:
        address = ip_address(text)
    except ValueError:
        return text[:60]
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
    return str(address)


_untrusted: set[str] = set()


def _warn_of_proxy(address: str) -> None:
    """Warns of an untrusted proxy, once for each of the first addresses."""
    if address in _untrusted or len(_untrusted) == MOST_PROXY_WARNINGS:
        return
    _untrusted.add(address)
    logger.warning(
        "A request from %s names another visitor in X-Forwarded-For, which is ignored: FORWARDED_ALLOW_IPS does not "
        "name this address. If it is your proxy, add it there; until then all visitors share one limit.",
        address,
    )


# Counting


@dataclass(frozen=True, slots=True, order=True)
class RateCounter:
    """A counter of what one user or address does. It starts again `seconds` after the first time."""

    name: str
    poster: str
    count: int
    seconds: int

    @property
    def key(self) -> str:
        return str(cache.make_key(f"posts:{self.name}:{self.poster}"))


def count_one(name: str, poster: str, *, count: int, seconds: int) -> int:
    """Counts once more. 0 for the first `count` times, then the seconds to wait.

    The count starts again `seconds` after the first time.
    """
    [wait] = count_all([RateCounter(name, poster, count, seconds)])
    return wait


def count_all(counters: Sequence[RateCounter]) -> list[int]:
    """Counts once more in each, atomically. The seconds to wait of each, 0 below the limit.

    :raises redis.RedisError:
    """
    return [quota.reset if quota.is_used_up else 0 for quota in use_quotas(counters)]


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit as clients are told it. left: below 0 once it is used up. reset: seconds until it starts again."""

    limit: int
    left: int
    reset: int

    @property
    def is_used_up(self) -> bool:
        return self.left < 0

    @property
    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.left)),
            "RateLimit-Reset": str(self.reset),
        }


def use_quotas(counters: Sequence[RateCounter]) -> list[Quota]:
    """Counts once more in each, atomically. :raises redis.RedisError:"""
    pipe = _server().pipeline()
    for counter in counters:
        pipe.set(counter.key, 0, ex=counter.seconds, nx=True)
        pipe.incr(counter.key)
        pipe.pttl(counter.key)
    done = pipe.execute()
    return [
        Quota(counter.count, counter.count - times, max(1, math.ceil(left / 1000)))
        for counter, times, left in zip(counters, done[1::3], done[2::3], strict=True)
    ]


def uncount(counters: Sequence[RateCounter]) -> None:
    """Counts once less in each; 0 where the period is over. :raises redis.RedisError:"""
    pipe = _server().pipeline()
    for counter in counters:
        pipe.set(counter.key, 1, ex=counter.seconds, nx=True)
        pipe.decr(counter.key)
    pipe.execute()


def _server() -> redis.Redis:
    entry: dict[str, Any] = settings.CACHES["default"]
    return redis_client(entry["LOCATION"], **settings.CACHE_TIMEOUTS)


def wait_in_words(seconds: int) -> str:
    """The wait, rounded up: "40 seconds", "3 minutes"."""
    size, unit = (1, "second") if seconds < 100 else (60, "minute")
    count = -(-seconds // size)
    return f"{count} {unit}{'s' if count != 1 else ''}"
