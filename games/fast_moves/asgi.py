"""The short way of a move, in the event loop: no middlewares, only what they have found out before.

A page with script sends it, and puts the answer into itself; the page has gone through all middlewares. Whatever is
not remembered from there, or not as it should be, goes the long way, which says why.
"""

import re
from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from accounts import sessions
from games.fast_moves.moves import move_at_once
from games.views import table
from infra.cache import Recent

REMEMBERED = 10_000
TOKEN = settings.CSRF_HEADER_NAME
TOLD = (TOKEN, "HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_ORIGIN", "HTTP_REFERER")
"""All headers, beside the cookie, by which Django finds out whether a page of ours has sent the request."""

MOVES = re.compile(r"/tables/(\w+)/moves/")


class Judge(CsrfViewMiddleware):
    """Django's own check that a page of ours has sent a request, without a page for those that have not."""

    def _reject(self, request: HttpRequest, reason: str) -> str:
        return reason

    def finds_ours(self, request: HttpRequest) -> bool:
        self.process_request(request)
        return self.process_view(request, table.move, (), {}) is None


class Express:
    def __init__(self) -> None:
        self.judge = Judge(table.move)  # type: ignore[arg-type]  # it never calls the view
        self.found_ours: Recent[tuple[str | None, ...], bool] = Recent(REMEMBERED)
        self.answer: Any = convert_exception_to_response(self._answer)  # type: ignore[arg-type]  # it may be None

    @staticmethod
    def takes(request: HttpRequest) -> bool:
        """A move by htmx: no other site can make a browser send that header, nor can a form without script."""
        is_move = request.method == "POST" and MOVES.fullmatch(request.path_info)
        return bool(is_move) and request.META.get("HTTP_HX_REQUEST") == "true"

    def is_ours(self, request: HttpRequest) -> bool:
        """Whether a page of ours has sent it; the headers of a page are looked at only once."""
        headers = (request.scheme, request.COOKIES.get(settings.CSRF_COOKIE_NAME), *map(request.META.get, TOLD))
        if self.found_ours.find(headers):
            return True
        is_ours = self.judge.finds_ours(request)
        if is_ours and TOKEN in request.META:
            self.found_ours.keep(headers, True)
        return is_ours

    async def _answer(self, request: HttpRequest) -> HttpResponseBase | None:
        """None where it takes all middlewares to find out who asks, or more than one statement to do what he wants."""
        login = sessions.known_login(request)
        if login is None or not self.is_ours(request):
            return None
        code = request.path_info.split("/")[2]  # as `takes` has seen
        return await move_at_once(request, code, user_id=login.user_id, still=login.still)
