"""Request ids: that of the proxy or a new one, in the answer (X-Request-ID) and in the log lines of the request."""

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from infra.log_context import logged_with

HEADER = b"x-request-id"
ALLOWED = re.compile(rb"[\w.-]{8,64}")
TABLE = re.compile(r"(?:/api/v1)?/tables/(\w{1,20})/")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class RequestIds:
    """ASGI middleware. It stands around the handler, whose fast path goes past Django's middlewares."""

    def __init__(self, application: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = next((value for name, value in scope.get("headers", ()) if name == HEADER), b"")
        request_id = given if ALLOWED.fullmatch(given) else secrets.token_hex(8).encode()

        async def send_with_id(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, request_id)]}
            await send(message)

        table = TABLE.match(scope.get("path", ""))
        fields = {"table": table[1]} if table else {}
        with logged_with(request_id=request_id.decode(), **fields):
            await self.application(scope, receive, send_with_id)
