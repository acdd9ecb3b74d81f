"""Idempotent forms: one that is sent twice, by Back or a double press, acts once.

A page gives its form a random id (`new_form_id`, in the field `form_id`). The first request with it acts.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.http import HttpRequest

FORM_ID = "form_id"
LONGEST_ID = 40
KEPT_SECONDS = 24 * 60 * 60


def new_form_id() -> str:
    return secrets.token_urlsafe(12)


def _key(request: HttpRequest) -> str:
    form_id = request.POST.get(FORM_ID, "")
    is_odd = len(form_id) > LONGEST_ID or not form_id.isascii() or not form_id.isprintable()
    return "" if not form_id or is_odd else f"form:{request.user.pk}:{form_id}"


@contextmanager
def acting(request: HttpRequest) -> Iterator[bool]:
    """Whether this form acts now for the first time, as always without an id. If it fails, it may be sent again."""
    key = _key(request)
    is_first = not key or cache.add(key, "", KEPT_SECONDS)
    try:
        yield is_first
    except BaseException:
        if key and is_first:
            cache.delete(key)
        raise


def remember_result(request: HttpRequest, address: str) -> None:
    """Notes the address of what the form has made."""
    if key := _key(request):
        cache.set(key, address, KEPT_SECONDS)


def result_of_first(request: HttpRequest) -> str:
    """The address of what the form has made before; "" if that is not known."""
    key = _key(request)
    return str(cache.get(key, "")) if key else ""
