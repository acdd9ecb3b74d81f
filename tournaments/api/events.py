"""Operations of the HTTP API about tournaments, series and bot leagues. Directors run the actions of the console."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import F
from django.forms import Form
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import Field

from accounts import tokens
from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games import live
from games.api.lists import Cursor, Limit
from games.api.schemas import RowId
from games.api.streams import STREAM_ANSWER, StreamEvent, stream_response, token_check, versions
from infra.http_api.cursors import PAGE_LENGTH, cursor_page
from infra.http_api.problems import Problem
from infra.numbers import LARGEST
from infra.threads import in_thread
from tournaments import services
from tournaments.console.actions import ACTIONS
from tournaments.console.actions.base import Action
from tournaments.domain.wall_clock import past_start
from tournaments.files.event_files import event_from_json
from tournaments.files.exports import entry_as_json
from tournaments.forms.entries import EnterForm
from tournaments.models import LONGEST_TEAM_NAME, BotLeague, Event, LeagueNight, Season, Series
from tournaments.presentation import facts_of
from tournaments.presentation.own_entries import own_entry_panel
from tournaments.queries import calendar as calendar_queries
from tournaments.queries import permissions
from tournaments.queries.permissions import EventRank
from tournaments.queries.seasons import table_of_season
from tournaments.services.adjudicating import Consequences
from tournaments.views.downloads import cached_event_json
from tournaments.views.entries import comes_back, password_limit
from tournaments.views.leagues import standings_of

router = Router()
CREATED = 201


# What can be read


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
    bots_only: bool = Field(description="People can't enter: bots of people do, and the site's bots fill empty places")


class EventPage(Schema):
    items: list[EventSummary]
    next: str | None


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
    section: str
    round: int
    table: int
    title: str
    status: str
    decided_by: str
    reason: str
    why_paired: str
    sides: list[dict[str, Any]]
    games: list[str] = Field(description="Addresses of its tables, which end with `/tables/{code}/`")
    boards: list[dict[str, Any]] = Field(
        [], description="Of a match between teams: each with `board`, `players` and so on"
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


# What players do


class Entering(Schema):
    password: str = Field("", max_length=128, description="Of the tournament, if it has one")
    partner: str = Field("", description="The name of the player you ask to play with you")
    team: str = Field("", max_length=LONGEST_TEAM_NAME, description="The name of your team, where teams play")
    answers: dict[str, str] = Field({}, description="To the `questions` of the tournament, by their labels")


class Withdrawing(Schema):
    after_round: bool = Field(False, description="Only after the round in play")


class ByeRequest(Schema):
    round: int = Field(ge=1, le=10_000)


@router.post(
    "/tournaments/{event_id}/enter", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Enter"
)
def enter_tournament(request: ApiRequest, event_id: RowId, sent: Entering) -> dict[str, Any]:
    """Enters a tournament, or joins its waiting list. Bots that people run enter tournaments that have bots."""
    limit_operation(request, "entries", count=30, seconds=600)
    event = get_object_or_404(Event, pk=event_id)
    form = EnterForm(entry_form_data(event, sent), event=event, comes_back=comes_back(event, request.user))
    if not form.is_valid():
        raise invalid_fields("You can't enter with these fields.", form)
    with password_limit(request, event):
        services.enter_event(event_id=event.pk, user=request.user, **form.cleaned_data)
    return read_tournament(request, event_id)


def entry_form_data(event: Event, sent: Entering) -> dict[str, str]:
    """What the form of the page sends for the same entry."""
    answers = {
        f"question-{number}": sent.answers.get(question["label"], "") for number, question in enumerate(event.questions)
    }
    return {"password": sent.password, "partner": sent.partner, "team": sent.team, **answers}


def invalid_fields(detail: str, form: Form) -> Problem:
    errors = {name: [str(one) for one in found] for name, found in form.errors.items()}
    return Problem(422, "invalid", detail, errors=errors)


@router.post(
    "/tournaments/{event_id}/withdraw",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Withdraw",
)
def withdraw_from_tournament(request: ApiRequest, event_id: RowId, sent: Withdrawing) -> dict[str, Any]:
    """Withdraws your entry, at once or after the round in play."""
    get_object_or_404(Event, pk=event_id)
    if sent.after_round:
        services.leave_after_round(event_id=event_id, user=request.user, is_leaving=True)
    else:
        services.withdraw_entry(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/check-in",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Check in",
)
def check_in(request: ApiRequest, event_id: RowId) -> dict[str, Any]:
    """Says that you are here, between `check_in_at` and the start. Entries that don't lose their place."""
    get_object_or_404(Event, pk=event_id)
    services.check_in_player(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/bye", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Sit out"
)
def request_bye(request: ApiRequest, event_id: RowId, sent: ByeRequest) -> dict[str, Any]:
    """Asks to sit out a round that is not paired yet."""
    get_object_or_404(Event, pk=event_id)
    services.request_bye(event_id=event_id, user=request.user, number=sent.round)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/back", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Be back"
)
def return_to_tournament(request: ApiRequest, event_id: RowId) -> dict[str, Any]:
    """Says that you are back after a match that you have missed."""
    get_object_or_404(Event, pk=event_id)
    services.return_to_play(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)


# What directors do


class NewTournament(Schema):
    setup: dict[str, Any] = Field(description="Settings by name, as in the `setup` of an exported tournament")
    starts_at: datetime


class ActionField(Schema):
    name: str
    label: str
    is_required: bool
    choices: list[str]


class DirectorAction(Schema):
    slug: str
    label: str
    rank: str
    fields: list[ActionField]


class ActionData(Schema):
    fields: dict[str, str | int | bool | list[str | int]] = Field({}, description="What the action is about, by name")
    seen: str = Field("", description="`key` of the preview that you have seen")


@router.post(
    "/tournaments",
    response={CREATED: EventDetails},
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="Plan a tournament",
)
def plan_tournament(request: ApiRequest, sent: NewTournament) -> Status[dict[str, Any]]:
    """Plans a tournament, which you then direct, if you may plan tournaments."""
    if not permissions.may_plan(request.user):
        raise PermissionDenied(permissions.NO_PLANNER)
    event = event_from_json(json.dumps({"setup": sent.setup}), starts_at=sent.starts_at)
    if reason := past_start(event.starts_at, event.time_zone, now=timezone.now()):
        raise Problem(422, "invalid", "These settings can't be used.", errors={"starts_at": [reason]})
    try:
        event.full_clean(exclude=["created_by", "lots"])
    except ValidationError as error:
        raise Problem(422, "invalid", "These settings can't be used.", errors=error.message_dict) from None
    services.save_event(event, by=request.user, now=timezone.now())
    return Status(CREATED, plain_event(request, event))


def directed_event(request: ApiRequest, event_id: int, needed: EventRank) -> Event:
    """:raises PermissionDenied:"""
    event = get_object_or_404(Event, pk=event_id)
    permissions.require_rank(request.user, event, needed)
    return event


@router.get(
    "/tournaments/{event_id}/actions",
    response=list[DirectorAction],
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="List the actions of directors",
)
def list_actions(request: ApiRequest, event_id: RowId) -> list[dict[str, Any]]:
    """The actions of the console that make sense now, for your rank, with their fields.

    Many are about a row, named by its id besides these fields: `entry`, `match` or `line` (of the log).
    """
    event = directed_event(request, event_id, EventRank.HELPER)
    rank = permissions.event_rank(request.user, event)
    return [plain_action(kind) for kind in ACTIONS.values() if kind.is_offered(event, request.user, rank)]


def plain_action(kind: type[Action]) -> dict[str, Any]:
    fields = [
        {
            "name": name,
            "label": str(field.label or name),
            "is_required": field.required,
            "choices": [str(value) for value, _ in getattr(field, "choices", ())],
        }
        for name, field in kind.base_fields.items()
    ]
    return {"slug": kind.slug, "label": kind.label, "rank": kind.rank.name.lower(), "fields": fields}


@router.post(
    "/tournaments/{event_id}/actions/{slug}",
    response=EventDetails,
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="Run an action of a director",
)
def run_action(request: ApiRequest, event_id: RowId, slug: str, sent: ActionData) -> dict[str, Any]:
    """Runs an action as the console does, by the same rules and with the same line in the log.

    One that bends rules or changes results answers the problem `preview` first, with what would follow; send it again
    with its `key` as `seen`.
    """
    kind = ACTIONS.get(slug)
    if kind is None:
        raise Http404("There is no such action.")
    event = directed_event(request, event_id, kind.rank)
    action = kind(event, request.user, as_form_data(sent.fields), is_sent=True)
    if not action.is_valid():
        raise invalid_fields("The action can't be run with these fields.", action)
    preview = action.preview()
    if preview is not None and sent.seen != action.preview_key():
        raise Problem(
            409,
            "preview",
            "Look at what follows, then confirm it.",
            key=action.preview_key(),
            bent_rules=[*preview.bent_rules],
            consequences=preview.consequences and plain_consequences(preview.consequences),
        )
    action.run()
    return read_tournament(request, event_id)


def plain_consequences(found: Consequences) -> dict[str, Any]:
    """What another result of a match changes: matches by their ids, new ones by those of their entries."""
    return {
        "places_changed": len(found.shifts),
        "matches_removed": [match.pk for match in found.unbegun],
        "matches_begun": [match.pk for match in found.begun],
        "matches_new": [[entry.pk for entry in match] for match in found.new],
        "is_round_again": found.is_round_again,
    }


def as_form_data(fields: dict[str, Any]) -> QueryDict:
    """The fields as a form of the console sends them."""
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        values = value if isinstance(value, list) else [value]
        data.setlist(name, [str(one) for one in values if one is not False])
    return data


# Series, seasons and leagues


class SeriesSummary(Schema):
    id: int
    name: str
    game: str
    rrule: str = Field(description="Recurrence rule (RFC 5545), read in the time zone")
    time_zone: str
    is_active: bool
    next: list[datetime]


class SeriesDetails(SeriesSummary):
    settings: dict[str, str]
    hall_of_fame: list[dict[str, Any]]


class SeasonSummary(Schema):
    id: int
    name: str
    series: int | None = Field(description="Its tournaments count, as far as they are within the season")
    first_day: date | None
    last_day: date | None


class SeasonPlace(Schema):
    place: int
    last_place: int
    player: str
    is_bot: bool
    points: float
    bonus: int
    results: list[float | None] = Field(description="Points by tournament, null where there are none")


class SeasonDetails(SeasonSummary):
    description: str
    tournaments: list[EventSummary] = Field(description="Those that are over, in the order of `results`")
    coming: list[EventSummary]
    standings: list[SeasonPlace]


class LeagueSummary(Schema):
    id: int
    name: str
    game: str


class LeagueNightData(Schema):
    id: int
    status: str
    standings: list[dict[str, Any]]


class LeagueDetails(LeagueSummary):
    nights: list[LeagueNightData]


def series_summary(series: Series) -> dict[str, Any]:
    return {
        "id": series.pk,
        "name": series.name,
        "game": series.game,
        "rrule": series.rrule,
        "time_zone": series.time_zone,
        "is_active": series.is_active,
        "next": series.starts_after(timezone.now(), count=3),
    }


@router.get("/series", response=list[SeriesSummary], auth=None, tags=["Series"], summary="List the series")
def list_series(request: HttpRequest) -> list[dict[str, Any]]:
    """All recurring tournaments. No token is needed."""
    return [series_summary(series) for series in Series.objects.order_by("name")]


@router.get("/series/{series_id}", response=SeriesDetails, auth=None, tags=["Series"], summary="Read a series")
def read_series(request: HttpRequest, series_id: RowId) -> dict[str, Any]:
    """A series with its settings and its winners; `GET /tournaments?series=` lists its tournaments."""
    series = get_object_or_404(Series, pk=series_id)
    fame = [
        {"name": row.user.display_name, "places": list(row.places)} for row in calendar_queries.hall_of_fame(series)
    ]
    return series_summary(series) | {"settings": dict(facts_of(series)), "hall_of_fame": fame}


def season_summary(season: Season) -> dict[str, Any]:
    return {
        "id": season.pk,
        "name": season.name,
        "series": season.series_id,
        "first_day": season.first_day,
        "last_day": season.last_day,
    }


@router.get("/seasons", response=list[SeasonSummary], auth=None, tags=["Series"], summary="List the seasons")
def list_seasons(request: HttpRequest) -> list[dict[str, Any]]:
    """Tables that add up the points of several tournaments. No token is needed."""
    return [season_summary(season) for season in Season.objects.order_by("name")]


@router.get("/seasons/{season_id}", response=SeasonDetails, auth=None, tags=["Series"], summary="Read a season")
def read_season(request: HttpRequest, season_id: RowId) -> dict[str, Any]:
    """A season with its table, best first. No token is needed."""
    season = get_object_or_404(Season, pk=season_id)
    table = table_of_season(season)
    standings = [
        {
            "place": row.standing.place,
            "last_place": row.standing.last_place,
            "player": row.user.display_name,
            "is_bot": not row.user.is_person,
            "points": row.standing.points,
            "bonus": row.standing.bonus,
            "results": [cell and cell.points for cell in row.cells],
        }
        for row in table.rows
    ]
    return season_summary(season) | {
        "description": season.description,
        "tournaments": [event_summary(event) for event in table.events],
        "coming": [event_summary(event) for event in table.coming],
        "standings": standings,
    }


@router.get("/leagues", response=list[LeagueSummary], auth=None, tags=["Leagues"], summary="List the bot leagues")
def list_leagues(request: HttpRequest) -> list[dict[str, Any]]:
    """The leagues of the site's own bots, played by night. People's bots meet in tournaments for bots (`bots_only`)."""
    return list(BotLeague.objects.order_by("name").values("id", "name", "game"))


@router.get("/leagues/{league_id}", response=LeagueDetails, auth=None, tags=["Leagues"], summary="Read a bot league")
def read_league(request: HttpRequest, league_id: RowId) -> dict[str, Any]:
    """A league with its last nights and their standings. No token is needed."""
    league = get_object_or_404(BotLeague, pk=league_id)
    nights = league.nights.all()[:30]
    return {
        "id": league.pk,
        "name": league.name,
        "game": league.game,
        "nights": [plain_night(night) for night in nights],
    }


def plain_night(night: LeagueNight) -> dict[str, Any]:
    rows = standings_of(night) if night.is_finished else []
    return {
        "id": night.pk,
        "status": night.status,
        "standings": [{"title": one.title, **asdict(one.row)} for one in rows],
    }
