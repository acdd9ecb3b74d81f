"""A limit on what may be posted: from one address by people without an account, or by one account."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

View = Callable[..., HttpResponse]


def limit_posts(
    name: str, *, count: int, seconds: int, accounts_too: bool = False
) -> Callable[[View], View]:
    """Answers 429 to more than `count` POSTs in `seconds` from one address by people without an account.

    accounts_too: also to more of them by one account.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            has_account = request.user.is_authenticated and request.user.has_account
            poster = f"account-{request.user.pk}" if has_account else request.META["REMOTE_ADDR"]
            is_counted = request.method == "POST" and (accounts_too or not has_account)
            if is_counted and _times(name, poster, seconds) > count:
                return render(request, "accounts/too_many.html", {"minutes": -(-seconds // 60)}, status=429)
            return view(request, *args, **kwargs)

        return limited

    return decorate


def _times(name: str, poster: str, seconds: int) -> int:
    """How often this address or account has posted here since the count began, this time included."""
    key = f"posts:{name}:{poster}"
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out in between
        return 1
