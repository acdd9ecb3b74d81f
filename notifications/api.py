"""Operations of the HTTP API about what an account is told: the stream of its games and notices, and its webhooks.

Webhooks are made on the site, where their secrets are shown.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import Field

from accounts import tokens
from accounts.api_access import NEEDS, ApiRequest
from accounts.models import User
from games import live
from games.api.schemas import RowId
from games.api.streams import CLOSED, RESUMED_STREAM, StreamEvent, stream_response, token_check, versions
from games.models import Table
from games.presentation.plain_table import table_summary
from games.services import people_to_move
from infra.http_api.problems import Problem
from infra.threads import in_thread
from notifications import webhooks
from notifications.models import Notice

router = Router(tags=["Account"])


class WebhookSummary(Schema):
    id: int
    url: str
    kinds: list[str] = Field(description="When messages are sent, such as event.started")
    is_on: bool
    off_because: str = Field(description="Why the site has turned it off, empty if it hasn't")
    created_at: datetime


@router.get("/webhooks", response=list[WebhookSummary], auth=NEEDS["read"], summary="List your webhooks")
def list_webhooks(request: ApiRequest) -> list[dict[str, Any]]:
    """All of them, the oldest first. Make and delete them on the site."""
    return [webhooks.as_json(hook) for hook in request.user.webhooks.all()]


class SentMessage(Schema):
    id: str = Field(description="The `id` in the message")
    kind: str
    created_at: datetime


@router.post("/webhooks/{webhook_id}/test", response=SentMessage, auth=NEEDS["read"], summary="Test a webhook")
def test_webhook(request: ApiRequest, webhook_id: RowId) -> dict[str, Any]:
    """Sends it a message of the kind `test`, whatever kinds it takes. The page of the webhook shows the answer."""
    hook = get_object_or_404(request.user.webhooks, pk=webhook_id)
    try:
        delivery = webhooks.send_test(hook)
    except webhooks.WebhookRefused as error:
        raise Problem(422, "refused", str(error)) from None
    return {"id": str(delivery.uid), "kind": delivery.kind, "created_at": delivery.created_at}


# The stream of an account

LISTED_GAMES = 100  # running ones, that a new stream begins with


@router.get(
    "/stream", auth=NEEDS["read"], tags=["Streams"], summary="Follow your account", openapi_extra=RESUMED_STREAM
)
def stream_account(request: ApiRequest) -> live.EventStream:
    """Sends what concerns you, until the token is revoked. Follow a table for its moves.

    Events: `game` with a table as lists show it and `is_your_turn`, first for each of your running games, then when one
    starts, waits for your move or ends; in real-time games with a connection a person's turn comes on the stream of the
    table alone. `notice` with `id`, `text`, `url` and `created_at` for each new notification: challenges, invitations,
    tournaments. `still` every ten seconds, `closed`. `?seen=` (or `Last-Event-ID`) is the last notice that you know.
    """
    return stream_response(request, account_events(request, seen=live.seen_version(request)))


async def account_events(request: ApiRequest, *, seen: int) -> AsyncGenerator[StreamEvent]:
    user, newest = request.user, request.user.notices.values_list("pk", flat=True)
    own = live.own_channel(user.pk)
    events = versions(
        live.stream(
            own,
            lambda: newest.first() or 0,
            own=own,
            also={live.games_channel(user.pk): "game"},
            holds=token_check(request),
        )
    )
    is_first = True
    async with aclosing(events):
        async for heard in events:
            if heard.name in ("still", "closed"):
                yield heard
                continue
            if not await in_thread(tokens.still_works, request.token):
                yield CLOSED
                return
            if is_first and seen < 0:
                seen = heard.data
            for event in await in_thread(news_of, user, heard, seen):
                seen = event.id or seen
                yield event
            if is_first:
                is_first = False
                for game in await in_thread(shown_games, user):
                    yield StreamEvent("game", game)


def news_of(user: User, heard: StreamEvent, seen: int) -> list[StreamEvent]:
    """What an announcement means for this user: a game, or the notices after `seen`."""
    if heard.name == "game":
        return [StreamEvent("game", game) for game in shown_games(user, heard.data)]
    return [StreamEvent("notice", notice, notice["id"]) for notice in notices_after(user, seen)]


def shown_games(user: User, table_id: int | None = None) -> list[dict[str, Any]]:
    """A table of this user as `game` events show it; without `table_id` all that are running, newest first."""
    tables = Table.objects.by_todays_rules().of(user).with_seats()
    found = tables.running().order_by("-pk")[:LISTED_GAMES] if table_id is None else tables.filter(pk=table_id)
    return [table_summary(table) | {"is_your_turn": is_turn_of(user, table)} for table in found]


def is_turn_of(user: User, table: Table) -> bool:
    return any(seat.user_id == user.pk for seat in people_to_move(table))


def notices_after(user: User, seen: int) -> list[dict[str, Any]]:
    notices = Notice.objects.filter(user=user, pk__gt=seen).order_by("pk")
    return [{**notice} for notice in notices.values("id", "text", "url", "created_at")]
