"""Limits on how often something may be done, by one person or from one address."""

import math
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

View = Callable[..., HttpResponse]


def limit_posts(name: str, *, count: int, seconds: int, accounts_too: bool = False) -> Callable[[View], View]:
    """Answers 429 to more than `count` POSTs in `seconds` from one address by people without an account.

    accounts_too: also to more of them by one account.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            has_account = request.user.is_authenticated and request.user.has_account
            poster = f"account-{request.user.pk}" if has_account else request.META["REMOTE_ADDR"]
            is_counted = request.method == "POST" and (accounts_too or not has_account)
            wait = count_one(name, poster, count=count, seconds=seconds) if is_counted else 0
            if wait:
                return too_many(request, wait, who="you" if has_account else "address", is_for_all=accounts_too)
            return view(request, *args, **kwargs)

        return limited

    return decorate


def too_many(request: HttpRequest, wait: int, *, who: str, is_for_all: bool = True) -> HttpResponse:
    """The page that says when to try again. wait: in seconds. who: "you", "address" or "name", whose count it is."""
    context = {"wait": wait_in_words(wait), "who": who, "is_for_all": is_for_all}
    answer = render(request, "accounts/too_many.html", context, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def count_one(name: str, poster: str, *, count: int, seconds: int) -> int:
    """Counts what this poster does now. 0 for the first `count` times, then the seconds until it counts anew.

    It counts anew `seconds` after the first time.
    """
    key = f"posts:{name}:{poster}"
    if cache.add(key, 0, seconds):
        cache.set(f"{key}:until", time.time() + seconds, seconds)
    try:
        times = cache.incr(key)
    except ValueError:  # it ran out in between
        return 0
    return seconds_left(name, poster) if times > count else 0


def wait_for(name: str, poster: str, *, count: int) -> int:
    """As `count_one` would answer now; nothing is counted."""
    return seconds_left(name, poster) if cache.get(f"posts:{name}:{poster}", 0) >= count else 0


def seconds_left(name: str, poster: str) -> int:
    """Until it counts anew; 1 at least."""
    return max(1, math.ceil(cache.get(f"posts:{name}:{poster}:until", 0) - time.time()))


def wait_in_words(seconds: int) -> str:
    """So that whoever waits that long has waited long enough: "40 seconds", "3 minutes"."""
    size, unit = (1, "second") if seconds < 100 else (60, "minute")
    count = -(-seconds // size)
    return f"{count} {unit}{'s' if count != 1 else ''}"
