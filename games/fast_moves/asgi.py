"""Fast path of a request: CSRF check and login from memory, then the move (`games.fast_moves.moves`).

A page with script sends it and shows the answer; the page itself went through all middlewares. Anything that is not
known from there takes the normal path, which also says what is wrong.
"""

import re
from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from games.fast_moves import following, logins
from games.fast_moves.moves import answer_move
from games.signals import table_stored
from games.views import table
from infra.cache import LRUCache

CACHED_PAGES = 10_000
CSRF_TOKEN = settings.CSRF_HEADER_NAME
CSRF_HEADERS = (CSRF_TOKEN, "HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_ORIGIN", "HTTP_REFERER")
"""All headers, beside the cookie, that Django's CSRF check reads."""

MOVES = re.compile(r"/tables/(\w+)/moves/")


class CsrfCheck(CsrfViewMiddleware):
    """Django's CSRF check, without a page for requests that fail it."""

    def _reject(self, request: HttpRequest, reason: str) -> str:
        return reason

    def passes(self, request: HttpRequest) -> bool:
        self.process_request(request)
        return self.process_view(request, table.move, (), {}) is None


class FastMoves:
    def __init__(self) -> None:
        self.csrf_check = CsrfCheck(table.move)  # type: ignore[arg-type]  # it never calls the view
        self.passed: LRUCache[tuple[str | None, ...], bool] = LRUCache(CACHED_PAGES)
        table_stored.connect(following.take_over)
        self.answer: Any = convert_exception_to_response(self._answer)  # type: ignore[arg-type]  # it may be None

    @staticmethod
    def is_fast_move(request: HttpRequest) -> bool:
        """A move sent by htmx: other sites cannot make a browser send that header, nor can a form without script."""
        is_move = request.method == "POST" and MOVES.fullmatch(request.path_info)
        return bool(is_move) and request.META.get("HTTP_HX_REQUEST") == "true"

    def passes_csrf(self, request: HttpRequest) -> bool:
        """The CSRF check; the headers of one page are checked once."""
        headers = (request.META.get(name) for name in CSRF_HEADERS)
        key = (request.scheme, request.COOKIES.get(settings.CSRF_COOKIE_NAME), *headers)
        if self.passed.get(key):
            return True
        passes = self.csrf_check.passes(request)
        if passes and CSRF_TOKEN in request.META:
            self.passed.set(key, True)
        return passes

    @staticmethod
    def remember_login(request: HttpRequest) -> None:
        """Call it after a request that went through all middlewares, in its thread."""
        logins.remember_login(request)

    async def _answer(self, request: HttpRequest) -> HttpResponseBase | None:
        """The board after the move; None, and nothing has happened, for what the normal path must look at."""
        login = logins.known_login(request)
        if login is None or not self.passes_csrf(request):
            return None
        code = request.path_info.split("/")[2]  # as `is_fast_move` has seen
        return await answer_move(request, code, login)
