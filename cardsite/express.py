"""The short way of a move: nothing but what it needs of the middlewares, who asks and that the page is ours.

A page with script sends it, and puts the answer into itself; the page has gone through all middlewares.
"""

import re

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from cardsite.accounts import sessions
from games import views

REMEMBERED = 10_000
TOKEN = settings.CSRF_HEADER_NAME
TOLD = (TOKEN, "HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_ORIGIN", "HTTP_REFERER")
"""All headers, beside the cookie, by which Django finds out whether a page of ours has sent the request."""

MOVES = re.compile(r"/tables/(\w+)/moves/")


class Express:
    def __init__(self) -> None:
        self.csrf = CsrfViewMiddleware(views.move)
        self.found_ours: set[tuple[str | None, ...]] = set()
        self.answer = convert_exception_to_response(self._answer)

    @staticmethod
    def takes(request: HttpRequest) -> bool:
        """A move by htmx: no other site can make a browser send that header, nor can a form without script."""
        is_move = request.method == "POST" and MOVES.fullmatch(request.path_info)
        return bool(is_move) and request.META.get("HTTP_HX_REQUEST") == "true"

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        """Django's answer to a request that is not from a page of ours; it looks at the headers of a page only once."""
        headers = (request.scheme, request.COOKIES.get(settings.CSRF_COOKIE_NAME), *map(request.META.get, TOLD))
        if headers in self.found_ours:
            return None
        self.csrf.process_request(request)
        refusal = self.csrf.process_view(request, views.move, (), {})
        if refusal is None and TOKEN in request.META:
            if len(self.found_ours) >= REMEMBERED:
                self.found_ours.clear()
            self.found_ours.add(headers)
        return refusal

    def _answer(self, request: HttpRequest) -> HttpResponseBase | None:
        """None where it takes all middlewares to find out who asks, or more than one statement to do what he wants."""
        if refusal := self.refusal(request):
            return refusal
        login = sessions.known_login(request)
        if login is None:
            return None
        code = MOVES.fullmatch(request.path_info)[1]
        return views.move_at_once(request, code, user_id=login.user_id, still=login.still)
