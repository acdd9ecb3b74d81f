"""Operations of the HTTP API about calls for the director: a player calls, and takes it back; directors read them."""

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest
from games.api.schemas import RowId
from tournaments import services
from tournaments.api.directing import directed_event
from tournaments.api.events import CallFacts, EventDetails, call_facts, read_tournament
from tournaments.api.routing import router
from tournaments.models import LONGEST_CALL_REASON, DirectorCall, Event
from tournaments.queries.permissions import EventRank


class Calling(Schema):
    reason: str = Field("", max_length=LONGEST_CALL_REASON, description="Only directors and helpers read it")


NO_REASON = Calling.model_validate({})  # of a request without a body


class EventCall(CallFacts):
    id: int = Field(description="The `call` of the action `answer-call`")
    match: int
    title: str = Field(description="Who plays in the match")
    reason: str


@router.post(
    "/tournaments/{event_id}/matches/{match_id}/call",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Call the director",
)
def call_director(request: ApiRequest, event_id: RowId, match_id: RowId, sent: Calling = NO_REASON) -> dict[str, Any]:
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
    about = {"id": call.pk, "match": call.match_id, "title": str(call.match), "reason": call.reason}
    return about | call_facts(call)


def _require_match(event_id: int, match_id: int) -> None:
    """:raises Http404: the event has no such match."""
    get_object_or_404(get_object_or_404(Event, pk=event_id).matches.published(), pk=match_id)
