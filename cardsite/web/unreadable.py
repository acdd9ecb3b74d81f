"""NUL characters: refuses requests with one in path, query, form or cookies, since PostgreSQL takes none in text."""

from collections.abc import Callable, Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase


def refuse_nul_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, before the first one that queries the database. Forms refuse NUL only field by field."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if any("\0" in text for text in request_texts(request)):
            raise BadRequest("A NUL character in the request.")
        return get_response(request)

    return middleware


def request_texts(request: HttpRequest) -> Iterator[str]:
    """All text of a request that a view may read."""
    yield request.path_info
    yield from request.COOKIES
    yield from request.COOKIES.values()
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield name
            yield from values
