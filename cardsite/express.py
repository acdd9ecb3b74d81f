"""The short way of a move: nothing but what it needs of the middlewares, who asks and that the page is ours.

A page with script sends it, and puts the answer into itself; the page has gone through all middlewares.
"""

import re

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from cardsite.accounts import sessions
from games import views

MOVES = re.compile(r"/tables/(\w+)/moves/")


class Express:
    def __init__(self) -> None:
        self.csrf = CsrfViewMiddleware(views.move)
        self.answer = convert_exception_to_response(self._answer)

    @staticmethod
    def takes(request: HttpRequest) -> bool:
        """A move by htmx: no other site can make a browser send that header, nor can a form without script."""
        is_move = request.method == "POST" and MOVES.fullmatch(request.path_info)
        return bool(is_move) and request.META.get("HTTP_HX_REQUEST") == "true"

    def _answer(self, request: HttpRequest) -> HttpResponseBase | None:
        """None where it takes all middlewares to find out who asks, or more than one statement to do what he wants."""
        self.csrf.process_request(request)
        if refusal := self.csrf.process_view(request, views.move, (), {}):
            return refusal
        login = sessions.known_login(request)
        if login is None:
            return None
        code = MOVES.fullmatch(request.path_info)[1]
        return views.move_at_once(request, code, user_id=login.user_id, still=login.still)
