"""Operations of the HTTP API about calls for the director: a player calls, and takes it back; directors read them."""

from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest
from games.api.schemas import RowId
from tournaments import services
from tournaments.api.directing import directed_event
from tournaments.api.events import EventDetails, read_tournament
from tournaments.api.routing import router
from tournaments.models import LONGEST_CALL_REASON, DirectorCall, Event
from tournaments.queries.permissions import EventRank


class Calling(Schema):
    reason: str = Field("", max_length=LONGEST_CALL_REASON, description="Only directors and helpers read it")


class EventCall(Schema):
    id: int = Field(description="The `call` of the action `answer-call`")
    match: int
    title: str = Field(description="Who plays in the match")
    by: str
    reason: str
    called_at: datetime
    closed_at: datetime | None
    closed_because: str = Field(description="answered, result (the match has one), or empty while it is open")
    answered_by: str | None
    reply: str


@router.post(
    "/tournaments/{event_id}/matches/{match_id}/call",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Call the director",
)
def call_director(request: ApiRequest, event_id: RowId, match_id: RowId, sent: Calling) -> dict[str, Any]:
    """Calls the director to a match that you play now, or that your team plays. It doesn't stop the clocks.

    `own_entry.call` shows the call and its answer.
    """
    _require_match(event_id, match_id)
    services.call_director(match_id=match_id, user=request.user, reason=sent.reason)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/matches/{match_id}/call/back",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Take back a call",
)
def take_back_call(request: ApiRequest, event_id: RowId, match_id: RowId) -> dict[str, Any]:
    """Takes back your open call in a match."""
    _require_match(event_id, match_id)
    services.take_back_call(match_id=match_id, user=request.user)
    return read_tournament(request, event_id)


@router.get(
    "/tournaments/{event_id}/calls",
    response=list[EventCall],
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="List the calls",
)
def list_calls(request: ApiRequest, event_id: RowId) -> list[dict[str, Any]]:
    """The players' calls for the director that weren't taken back, newest first, except those in matches of your own.

    The action `answer-call` answers an open one, with its id as `call`.
    """
    event = directed_event(request, event_id, EventRank.HELPER)
    calls = DirectorCall.objects.standing().neutral_for(request.user).filter(match__event=event)
    return [_plain_call(call) for call in calls.select_related("match__event")]


def _plain_call(call: DirectorCall) -> dict[str, Any]:
    return {
        "id": call.pk,
        "match": call.match_id,
        "title": str(call.match),
        "by": call.by.display_name,
        "reason": call.reason,
        "called_at": call.called_at,
        "closed_at": call.closed_at,
        "closed_because": call.closed_because,
        "answered_by": call.answered_by and call.answered_by.display_name,
        "reply": call.reply,
    }


def _require_match(event_id: int, match_id: int) -> None:
    """:raises Http404: the event has no such match."""
    get_object_or_404(get_object_or_404(Event, pk=event_id).matches.published(), pk=match_id)
