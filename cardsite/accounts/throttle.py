"""A limit on what one address may post before it has an account."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

View = Callable[..., HttpResponse]


def limit_posts(name: str, *, count: int, seconds: int) -> Callable[[View], View]:
    """Answers 429 to more than `count` POSTs in `seconds` from one address by people without an account."""

    def decorate(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            has_account = request.user.is_authenticated and not request.user.is_guest
            if request.method == "POST" and not has_account and _times(request, name, seconds) > count:
                return render(request, "accounts/too_many.html", {"minutes": -(-seconds // 60)}, status=429)
            return view(request, *args, **kwargs)

        return limited

    return decorate


def _times(request: HttpRequest, name: str, seconds: int) -> int:
    """How often this address has posted here since the count began, this time included."""
    key = f"posts:{name}:{request.META['REMOTE_ADDR']}"
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out in between
        return 1
