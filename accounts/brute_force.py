"""Brute-force protection: one limit for all forms that check a password or another secret.

Wrong attempts are counted by address, logged in or not and for all forms together, and by the name whose secret is
tried. Browsers that have logged in by a name before (`devices`), and sessions of that name, are counted apart, so that
a stranger who guesses can't keep the owner out; such a browser is not counted by address either.

What can't be guessed is not counted: tokens of calendar feeds and e-mails have 128 bits or more, and programs of many
people ask for them from one address.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import redis
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from accounts import devices
from accounts.throttle import RateCounter, address_of, count_all, too_many, uncount

ATTEMPT_WINDOW_SECONDS = 600
ATTEMPTS_PER_ADDRESS, ATTEMPTS_PER_NAME = 20, 10  # wrong tries in that time


class TooManyAttempts(Exception):
    """wait: seconds until the next attempt. who: whose attempts they were, "address" or "name"."""

    def __init__(self, wait: int, who: str) -> None:
        super().__init__(f"too many wrong tries by this {who}")
        self.wait, self.who = wait, who


class CannotCountAttempts(Exception):
    """Redis is down, so no secret is checked."""


@contextmanager
def secret_attempt(
    request: HttpRequest,
    name: str = "",
    *,
    apart: str = "",
    by_address: bool = True,
    wrong: type[Exception] = ValidationError,
) -> Iterator[None]:
    """Counts the check of a secret in the `with` block, unless it turns out right.

    It is counted before the check, so that concurrent attempts cannot slip through, and uncounted afterwards unless the
    block raises `wrong`.
    name: whose secret it is, "" for one without an owner. apart: a label for those who are counted apart from
    strangers.
    :raises TooManyAttempts: nothing was checked.
    :raises CannotCountAttempts: nothing was checked.
    """
    counters = [RateCounter("wrong-name", f"{name}:{apart}", ATTEMPTS_PER_NAME, ATTEMPT_WINDOW_SECONDS)] if name else []
    if by_address:
        counters.append(RateCounter("wrong-address", address_of(request), ATTEMPTS_PER_ADDRESS, ATTEMPT_WINDOW_SECONDS))
    try:
        waits = count_all(counters)
    except redis.RedisError as error:
        raise CannotCountAttempts from error
    if any(waits):
        _take_back(counters)
        wait, counter = max(zip(waits, counters, strict=True))
        raise TooManyAttempts(wait, counter.name.removeprefix("wrong-"))
    is_wrong = False
    try:
        yield
    except wrong:
        is_wrong = True
        raise
    finally:
        if not is_wrong:
            _take_back(counters)


def _take_back(counters: list[RateCounter]) -> None:
    with suppress(redis.RedisError):  # then it stays counted
        uncount(counters)


def password_attempt(request: HttpRequest, username: str) -> AbstractContextManager[None]:
    """`secret_attempt` for an account's password, or for a name that does not exist."""
    return _attempt_at_account(request, "user", username)


def second_factor_attempt(request: HttpRequest, username: str) -> AbstractContextManager[None]:
    """`secret_attempt` for an account's second factor."""
    return _attempt_at_account(request, "second-factor", username)


def _attempt_at_account(request: HttpRequest, what: str, username: str) -> AbstractContextManager[None]:
    name = username.lower()
    is_known = devices.is_known_device(request, name)
    is_own = request.user.is_authenticated and request.user.username.lower() == name
    apart = "device" if is_known else "session" if is_own else ""
    return secret_attempt(request, f"{what}:{name}", apart=apart, by_address=not is_known)


class TooManyAttemptsPage(MiddlewareMixin):
    """Middleware: the page for an attempt that was not checked, 429, or 503 without Redis."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooManyAttempts):
            return too_many(request, exception.wait, who=exception.who)
        if isinstance(exception, CannotCountAttempts):
            return render(request, "accounts/cannot_count_attempts.html", status=503)
        return None
