"""Refuses requests with a NUL character in their path, query, form or cookies: PostgreSQL takes none in any text."""

from collections.abc import Callable, Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase


def refuse_nul(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, before the first one that looks for something in the database. Forms only refuse it by field."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if any("\0" in text for text in texts(request)):
            raise BadRequest("A NUL character in the request.")
        return get_response(request)

    return middleware


def texts(request: HttpRequest) -> Iterator[str]:
    """All that a view may read as text."""
    yield request.path_info
    yield from request.COOKIES
    yield from request.COOKIES.values()
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield name
            yield from values
