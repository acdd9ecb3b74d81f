"""Live streams of the HTTP API: each new version of a table as JSON, as server-sent events or as lines (NDJSON).

A stream sends what `GET /tables/{code}` answers at that moment, for the same reader by the same rules. Before each view
it asks again whether token and permission still hold.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest

from accounts import tokens
from accounts.api_access import NEEDS, ApiRequest
from games import live
from games.api.access import require_access, visible_table
from games.api.routing import router
from games.live import presence
from games.models import Table
from games.presentation.plain_table import plain_table
from games.record import table_store
from games.views.table import chat_channels
from infra.http_api.problems import Problem
from infra.threads import in_thread

NDJSON = "application/x-ndjson"
STREAM_ANSWER = {
    "responses": {
        200: {
            "description": "The stream, until the token is revoked, the client leaves, or all is over",
            "content": {
                live.EVENT_STREAM: {"schema": {"type": "string"}},
                NDJSON: {"schema": {"type": "string"}},
            },
        }
    }
}

RESUMED_STREAM = STREAM_ANSWER | {
    "parameters": [
        {
            "in": place,
            "name": name,
            "required": False,
            "schema": {"type": "integer"},
            "description": "The newest `id` that you know: what came after it is sent",
        }
        for place, name in (("query", "seen"), ("header", "Last-Event-ID"))
    ]
}
"""A stream that can be taken up again."""


class StreamEvent(NamedTuple):
    """An event of a stream. id: the version that it shows, if any."""

    name: str
    data: Any = None
    id: int | None = None

    def as_sse(self) -> str:
        mark = "" if self.id is None else f"id: {self.id}\n"
        return f"event: {self.name}\n{mark}data: {_json(self.data)}\n\n"

    def as_line(self) -> str:
        return f"{_json({'event': self.name, 'data': self.data})}\n"


def _json(data: Any) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False)


CLOSED = StreamEvent("closed")


def stream_response(request: HttpRequest, events: AsyncGenerator[StreamEvent]) -> live.EventStream:
    """The stream in the form that the client accepts: lines of JSON, or server-sent events."""
    if NDJSON in request.headers.get("Accept", ""):
        return live.EventStream(_written(events, StreamEvent.as_line), content_type=NDJSON)
    return live.EventStream(_written(events, StreamEvent.as_sse))


async def _written(events: AsyncGenerator[StreamEvent], write: Callable[[StreamEvent], str]) -> AsyncGenerator[str]:
    async with aclosing(events):
        async for event in events:
            yield write(event)


async def versions(events: AsyncGenerator[str]) -> AsyncGenerator[StreamEvent]:
    """The events of a stream of the site (`games.live.stream`), read again; those of its transport are left out."""
    async with aclosing(events):
        async for text in events:
            fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
            if "event" in fields:
                data = fields.get("data", "")
                yield StreamEvent(fields["event"], int(data) if data.isdecimal() else None)


def token_check(request: ApiRequest) -> Callable[[int], bool]:
    """Whether a stream may go on: its token still works."""
    return lambda version: tokens.still_works(request.token)


@router.get(
    "/tables/{code}/stream",
    auth=NEEDS["read"],
    tags=["Streams"],
    summary="Follow a table",
    openapi_extra=RESUMED_STREAM,
)
def stream_table(request: ApiRequest, code: str) -> live.EventStream:
    """Sends the table, as `GET /tables/{code}` answers it, now and after each change, until the game is over.

    Events: `table` with the table, `chat` when there are new lines, `still` every ten seconds, `closed` when you may no
    longer see the table. Server-sent events; with `Accept: application/x-ndjson` lines of `{"event", "data"}`.
    `?seen=` (or `Last-Event-ID`) is a version that you know already.
    """
    table = visible_table(request, code)
    return stream_response(request, table_events(request, table, seen=live.seen_version(request)))


async def table_events(request: ApiRequest, table: Table, *, seen: int) -> AsyncGenerator[StreamEvent]:
    channels = await in_thread(chat_channels, table, request.user)
    numbers = Table.objects.filter(pk=table.pk).values_list("version", flat=True)
    events = versions(
        live.stream(
            table.channel,
            lambda: numbers.first() or 0,
            seen=seen,
            own=live.own_channel(request.user.pk),
            also=dict.fromkeys(channels, "chat"),
            holds=token_check(request),
        )
    )
    is_present = False
    async with aclosing(events):
        async for event in events:
            if event.name == "moved" and event.data is not None and event.data > seen:
                shown = await in_thread(shown_table, request, table.code, event.data)
                if shown is None:
                    yield CLOSED
                    return
                seen, is_present = shown["version"], shown["own_seat"] is not None
                yield StreamEvent("table", shown, seen)
                if shown["finished_at"]:
                    return
            elif event.name in ("chat", "still", "closed"):
                yield event
            if is_present:
                presence.record_stream(table.pk, request.user.pk)


def shown_table(request: ApiRequest, code: str, version: int) -> dict[str, Any] | None:
    """The table at this version or a later one, None if the reader may not see it any longer."""
    if not tokens.still_works(request.token):
        return None
    try:
        table = table_store.table_since(code, version)
        require_access(table, request.user)
    except (Problem, Table.DoesNotExist):
        return None
    return plain_table(table, table.seat_of(request.user.pk))
