"""Browsers with which somebody has logged in before.

Wrong passwords are counted apart for them, so that a stranger who guesses cannot keep the owner of a name out.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

DEVICE_COOKIE = "device"
ONE_YEAR_SECONDS = 31_536_000


def is_known_device(request: HttpRequest, name: str) -> bool:
    """Whether this browser was the last time logged in by this name, however that is capitalised."""
    return constant_time_compare(request.COOKIES.get(DEVICE_COOKIE, ""), _mark(name))


def remember_device(answer: HttpResponse, name: str) -> None:
    answer.set_cookie(
        DEVICE_COOKIE, _mark(name), max_age=ONE_YEAR_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def _mark(name: str) -> str:
    """Only this site can make it, and it does not tell the name."""
    return salted_hmac("accounts.devices", name.lower()).hexdigest()
