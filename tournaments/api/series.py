"""Operations of the HTTP API about series and seasons of tournaments, and bot leagues."""

from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Schema
from pydantic import Field

from games.api.schemas import RowId
from tournaments.api.events import EventSummary, event_summary
from tournaments.api.routing import router
from tournaments.models import BotLeague, LeagueNight, Season, Series
from tournaments.presentation import facts_of
from tournaments.queries import calendar as calendar_queries
from tournaments.queries.seasons import table_of_season
from tournaments.views.leagues import standings_of


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
