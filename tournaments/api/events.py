"""Operations of the HTTP API that read tournaments: their settings, entries, matches, standings, and a live stream."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Annotated, Any, Literal

from django.db.models import F
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Schema
from pydantic import Field

from accounts import tokens
from accounts.api_access import NEEDS, ApiRequest
from games import live
from games.api.lists import Cursor, Limit
from games.api.schemas import RowId
from games.api.streams import STREAM_ANSWER, StreamEvent, stream_response, token_check, versions
from infra.http_api.cursors import PAGE_LENGTH, cursor_page
from infra.numbers import LARGEST
from infra.threads import in_thread
from tournaments.api.routing import router
from tournaments.files.exports import entry_as_json
from tournaments.models import DirectorCall, Event
from tournaments.presentation import facts_of
from tournaments.presentation.director_calls import CallPanel
from tournaments.presentation.own_entries import own_entry_panel
from tournaments.queries import permissions
from tournaments.views.downloads import cached_event_json


class EventSummary(Schema):
    id: int
    name: str
    url: str
    game: str
    format: str
    status: str = Field(description="scheduled, registration, check-in, running, finished or cancelled")
    version: int = Field(description="Rises with every change")
    series: int | None
    starts_at: datetime
    finished_at: datetime | None
    has_pairs: bool
    has_teams: bool
    has_bots: bool = Field(description="The site's bots may play in it, and those of people may enter")
    bots_only: bool = Field(description="People can't enter: bots of people do, and the site's bots fill empty seats")


class EventPage(Schema):
    items: list[EventSummary]
    next: str | None


class CallFacts(Schema):
    """A call for the director, as the players of the match see it."""

    by: str
    called_at: datetime
    closed_at: datetime | None
    closed_because: str = Field(
        description="answered, result (the match has one), cancelled (the tournament is), or empty while it is open"
    )
    answered_by: str | None
    reply: str


class OwnCall(CallFacts):
    is_yours: bool


class OwnEntry(Schema):
    id: int
    status: str = Field(
        description="entered, checked-in, waiting (on the waiting list), ready (there, and checked in), playing, "
        "eliminated, champion, withdrawn, no-show or removed"
    )
    partner: str | None
    place: int | None
    table: str = Field(description="Address of the table of your match, `/tables/{code}/`, or empty")
    opponents: str
    match: int | None = Field(description="Your match now, or that of your team; null before it is paired")
    can_call: bool = Field(description="You can call the director to it")
    call: OwnCall | None = Field(description="The open call for the director in it, or the last one")
    line: int | None = Field(description="Place on the waiting list")


class EventDetails(EventSummary):
    description: str
    registration_at: datetime = Field(description="From then on you can enter")
    check_in_at: datetime | None = Field(
        description="From then until the start those who have entered must check in; null where they needn't"
    )
    settings: dict[str, str] = Field(description="What to know before entering, by name")
    own_entry: OwnEntry | None
    can_enter: bool
    unmet: list[str] = Field(description="Conditions of entry that you don't meet")
    questions: list[dict[str, Any]] = Field(description="What the tournament asks at entry: `label`, `choices`")
    rank: Literal["nobody", "helper", "director"] = Field(description="What you may do here as a director")


class EventStanding(Schema):
    entry: int
    place: int
    last_place: int | None
    points: float | None
    wins: int
    draws: int
    losses: int
    reason: str
    tie_breaks: list[dict[str, Any]]


class EventEntry(Schema):
    id: int
    team: str = Field("", description="Name of the team; empty where everyone plays alone or in pairs")
    players: list[str]
    is_bot: bool
    seed: int | None
    rating: int | None
    first_round: int
    status: str
    sits_out: bool
    place: int | None
    last_place: int | None


class EventMatch(Schema):
    id: int = Field(description="The `match` of actions of directors")
    section: str
    round: int
    table: int | None = Field(description="null for a bye")
    title: str
    status: str
    decided_by: str
    reason: str
    why_paired: str
    sides: list[dict[str, Any]]
    games: list[str] = Field(description="Addresses of its tables, which end with `/tables/{code}/`")
    boards: list[dict[str, Any]] = Field(
        [], description="Of a match between teams: each with `id`, `board`, `players` and so on"
    )


def event_summary(event: Event) -> dict[str, Any]:
    return {
        "id": event.pk,
        "name": event.name,
        "url": event.get_absolute_url(),
        "game": event.game,
        "format": event.format,
        "status": event.status,
        "version": event.version,
        "series": event.series_id,
        "starts_at": event.starts_at,
        "finished_at": event.finished_at,
        "has_pairs": event.has_pairs,
        "has_teams": event.has_teams,
        "has_bots": event.has_bots,
        "bots_only": event.bots_only,
    }


@router.get("/tournaments", response=EventPage, auth=None, tags=["Tournaments"], summary="List tournaments")
def list_tournaments(
    request: HttpRequest,
    phase: Literal["", "running", "upcoming", "finished"] = "",
    game: str = "",
    series: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
    bots_only: bool = False,
    cursor: Cursor = "",
    limit: Limit = PAGE_LENGTH,
) -> dict[str, Any]:
    """Tournaments, those planned last first; with `bots_only` those for bots alone. No token is needed."""
    found = getattr(Event.objects, phase)() if phase else Event.objects.all()
    filters = {"game": game, "series": series, "bots_only": bots_only}
    wanted = {name: value for name, value in filters.items() if value}
    return cursor_page(found.filter(**wanted), cursor=cursor, limit=limit, as_json=event_summary)


@router.get(
    "/tournaments/{event_id}", response=EventDetails, auth=NEEDS["read"], tags=["Tournaments"], summary="Read one"
)
def read_tournament(request: ApiRequest, event_id: RowId) -> dict[str, Any]:
    """A tournament with its settings, your entry, and what you may do."""
    return plain_event(request, get_object_or_404(Event.objects.select_related("series"), pk=event_id))


def plain_event(request: ApiRequest, event: Event) -> dict[str, Any]:
    panel = own_entry_panel(event, request.user)
    entry = panel.entry
    own = entry and {
        "id": entry.pk,
        "status": entry.status,
        "partner": next((str(player) for player in entry.players if player != request.user), None),
        "place": entry.place,
        "table": panel.coming.table_url if panel.coming else "",
        "opponents": panel.coming.opponents if panel.coming else "",
        "match": panel.coming and panel.coming.match_id,
        "can_call": panel.director is not None and panel.director.can_call,
        "call": _own_call(panel.director),
        "line": panel.line,
    }
    return event_summary(event) | {
        "description": event.description,
        "registration_at": event.registration_at,
        "check_in_at": event.check_in_at,
        "settings": dict(facts_of(event)),
        "own_entry": own,
        "can_enter": panel.can_enter,
        "unmet": panel.unmet,
        "questions": event.questions,
        "rank": permissions.event_rank(request.user, event).name.lower(),
    }


def _own_call(panel: CallPanel | None) -> dict[str, Any] | None:
    if panel is None or panel.call is None:
        return None
    return call_facts(panel.call) | {"is_yours": panel.is_own}


def call_facts(call: DirectorCall) -> dict[str, Any]:
    return {
        "by": call.by.display_name,
        "called_at": call.called_at,
        "closed_at": call.closed_at,
        "closed_because": call.closed_because,
        "answered_by": call.answered_by and call.answered_by.display_name,
        "reply": call.reply,
    }


def exported(request: HttpRequest, event_id: int) -> dict[str, Any]:
    """What the JSON file of an event says (`tournaments.files.exports`)."""
    data: dict[str, Any] = json.loads(cached_event_json(request, event_id))
    return data


@router.get(
    "/tournaments/{event_id}/entries",
    response=list[EventEntry],
    auth=None,
    tags=["Tournaments"],
    summary="List the entries",
)
def list_entries(request: HttpRequest, event_id: RowId) -> Any:
    """The entries of a tournament, also those on the waiting list, by seed. No token is needed."""
    entries = get_object_or_404(Event, pk=event_id).entries.entered().with_players()
    return [entry_as_json(entry) for entry in entries.order_by(F("seed").asc(nulls_last=True), "pk")]


@router.get(
    "/tournaments/{event_id}/standings",
    response=list[EventStanding],
    auth=None,
    tags=["Tournaments"],
    summary="Read the standings",
)
def read_standings(request: HttpRequest, event_id: RowId) -> Any:
    """The standings of a tournament, best first. No token is needed."""
    return exported(request, event_id)["standings"]


@router.get(
    "/tournaments/{event_id}/matches",
    response=list[EventMatch],
    auth=None,
    tags=["Tournaments"],
    summary="Read pairings and results",
)
def list_matches(request: HttpRequest, event_id: RowId) -> Any:
    """All pairings of a tournament with their results, in the order of the rounds. No token is needed."""
    return exported(request, event_id)["matches"]


@router.get(
    "/tournaments/{event_id}/export",
    response=dict[str, Any],
    auth=None,
    tags=["Tournaments"],
    summary="Export a tournament",
)
def export_tournament(request: HttpRequest, event_id: RowId) -> dict[str, Any]:
    """Everything about a tournament as on its page; `setup` makes a new one. No token is needed."""
    return exported(request, event_id)


@router.get(
    "/tournaments/{event_id}/stream",
    auth=NEEDS["read"],
    tags=["Streams"],
    summary="Follow a tournament",
    openapi_extra=STREAM_ANSWER,
)
def stream_tournament(request: ApiRequest, event_id: RowId) -> live.EventStream:
    """Sends the tournament, as `GET /tournaments/{event_id}` answers it, now and after each change.

    Events: `tournament`, `still` every ten seconds, `closed`. In the same two forms as the stream of a table.
    """
    event = get_object_or_404(Event, pk=event_id)
    return stream_response(request, event_events(request, event))


async def event_events(request: ApiRequest, event: Event) -> AsyncGenerator[StreamEvent]:
    numbers = Event.objects.filter(pk=event.pk).values_list("version", flat=True)
    own = live.own_channel(request.user.pk)
    events = versions(
        live.stream(f"event:{event.pk}", lambda: numbers.first() or 0, own=own, holds=token_check(request))
    )
    async with aclosing(events):
        async for heard in events:
            if heard.name == "moved":
                shown = await in_thread(shown_event, request, event.pk)
                if shown is None:
                    yield StreamEvent("closed")
                    return
                yield StreamEvent("tournament", shown, shown["version"])
            elif heard.name in ("still", "closed"):
                yield heard


def shown_event(request: ApiRequest, event_id: int) -> dict[str, Any] | None:
    event = Event.objects.filter(pk=event_id).select_related("series").first()
    return plain_event(request, event) if event and tokens.still_works(request.token) else None
