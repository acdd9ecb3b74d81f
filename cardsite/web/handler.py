"""ASGI handler: Django with one thread for a whole request.

Django's own handler goes through every middleware in the event loop and changes to a thread and back for each of them,
which costs more than a move does. Here the middlewares and the view, all of which are synchronous, run like under WSGI
in one of a few threads that keep their database connections. The event loop sends live streams, and plays the moves of
pages with script (`games.fast_moves.asgi`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import perf_counter
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from cardsite.web.security import headers_of_every_page
from games.fast_moves.asgi import FastMoves
from games.live import presence
from infra import metrics, tracing
from infra.threads import in_thread

FAST_MOVE = "fast move"  # in place of a route
THREADS = 8  # fewer than the database has connections for us (cardsite.environment)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Handler(ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.fast_moves = FastMoves() if settings.FAST_MOVES else None
        self.headers: dict[str | None, dict[str, str] | None] = {}
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"Only HTTP is spoken here, not {scope['type']}.")
        if scope["path"].startswith(presence.HEARTBEAT_PATH):
            await presence.heartbeat_response(scope, send)
            return
        asyncio.get_running_loop().set_default_executor(self.threads)
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            response = await self.answer(scope, body)
            if not response.streaming:
                await self.send_response(response, send)
                return
            try:
                await self.stream(response, receive, send)
            finally:
                await in_thread(response.close)

    async def answer(self, scope: Scope, body: Any) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        request, refusal = self.create_request(scope, body)
        if request is None:
            assert refusal is not None, "a request that cannot be read has an answer"
            return refusal
        method, started = request.method or "", perf_counter()
        with tracing.span(method, {"http.request.method": method}, kind="server"):
            response, route = await self.fast_answer(request), FAST_MOVE
            if response is None:
                response = await in_thread(self.respond, scope, request, body)
                route = request.resolver_match.view_name if request.resolver_match else ""
            status = response.status_code
            tracing.describe(
                {"http.route": route, "http.response.status_code": status},
                name=f"{method} {route}".strip(),
                has_failed=status >= 500,
            )
        metrics.requests.labels(route, str(status)).observe(perf_counter() - started)
        return response

    async def fast_answer(self, request: ASGIRequest) -> HttpResponseBase | None:
        """The answer to a move on the fast path; None, and nothing has happened, for everything else."""
        if self.fast_moves is None or not self.fast_moves.is_fast_move(request):
            return None
        headers = self.headers_for(request)
        if headers is None:
            return None
        response: HttpResponse | None = await self.fast_moves.answer(request)
        if response is None or response.status_code != 200:
            return None
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        response.headers["Content-Length"] = str(len(response.content))
        return response

    def headers_for(self, request: ASGIRequest) -> dict[str, str] | None:
        """The security headers of every page, computed once for each scheme; None if a middleware would answer by
        itself.
        """
        if request.scheme not in self.headers:
            self.headers[request.scheme] = headers_of_every_page(request)
        return self.headers[request.scheme]

    def respond(self, scope: Scope, request: ASGIRequest, body: Any) -> HttpResponseBase:
        """The response; unless it is a stream it is complete, and the request is closed."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        response = self.get_response(request)
        if response.status_code == 200 and self.fast_moves is not None:
            self.fast_moves.remember_login(request)
        if isinstance(response, FileResponse):
            with closing(response):
                return in_one_piece(response)
        if not response.streaming:
            response.close()
        return response

    async def stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Sends the stream to its end, or until the client disconnects."""
        tasks = [
            asyncio.create_task(self.send_response(response, send)),
            asyncio.create_task(self.listen_for_disconnect(receive)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, RequestAborted):
                raise result


def in_one_piece(response: FileResponse) -> HttpResponse:
    """A file, all of which are small, as an answer that is no stream, which would change threads three times more."""
    answer = HttpResponse(b"".join(response), status=response.status_code)
    answer.headers = response.headers
    return answer
