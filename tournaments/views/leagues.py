"""Pages of bot leagues: all of them, one with its nights, a night with every game."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.throttle import limit_posts
from games import live
from games.bots import LEVELS
from games.core.contract import GameError
from games.models import Rating
from infra.numbers import read_number
from infra.once import once
from tournaments.domain import league as pure
from tournaments.domain.league import LevelStanding
from tournaments.models import BotLeague, LeagueGame, LeagueNight
from tournaments.services import league as services

NIGHTS_LISTED = 30
DEALS_ON_A_PAGE = 25


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A row of a results table, in whole per cent. The bar goes from `low` to `high`, cut to 0 ... 100."""

    title: str
    row: LevelStanding

    @property
    def share(self) -> int:
        return round(100 * self.row.share)

    @property
    def low(self) -> int:
        return max(round(100 * self.row.low), 0)

    @property
    def high(self) -> int:
        return min(round(100 * self.row.high), 100)

    @property
    def width(self) -> int:
        return self.high - self.low


def standings_of(night: LeagueNight) -> list[LevelRow]:
    return [LevelRow(LEVELS[row.level], row) for row in services.league_standings(night)]


# All leagues, and one


@require_GET
def league_list(request: HttpRequest) -> HttpResponse:
    nights = LeagueNight.objects.filter(league=OuterRef("pk"), status=LeagueNight.Status.FINISHED)
    rows = BotLeague.objects.annotate(newest=Subquery(nights.values("pk")[:1])).order_by("name")
    newest = LeagueNight.objects.in_bulk([league.newest for league in rows if league.newest])
    listed = [(league, newest.get(league.newest)) for league in rows]
    context = {
        "section": "events",
        "leagues": [(league, night, standings_of(night)[:1] if night else []) for league, night in listed],
    }
    return render(request, "tournaments/leagues.html", context)


@require_GET
def league_page(request: HttpRequest, pk: int) -> HttpResponse:
    league = get_object_or_404(BotLeague, pk=pk)
    nights = list(league.nights.all()[:NIGHTS_LISTED])
    newest = next((night for night in nights if night.is_finished), None)
    bots = Rating.objects.filter(game=league.game, user__house_bot__game=league.game).select_related("user__house_bot")
    context = {
        "section": "events",
        "league": league,
        "newest": newest,
        "lines": standings_of(newest) if newest else [],
        "nights": [(night, standings_of(night) if night.is_finished else []) for night in nights],
        "ratings": bots.order_by("-mu"),
    }
    return render(request, "tournaments/league.html", context)


# A night


@dataclass(frozen=True, slots=True)
class MirroredDeal:
    """A mirrored match. share: of the first level, in whole per cent. games: each with the names of its players."""

    number: int
    share: int
    games: tuple[tuple[LeagueGame, str], ...]


@require_GET
def night_page(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "tournaments/league_night.html", night_context(request, pk))


@require_GET
def night_live_part(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of a night's page that changes."""
    return HttpResponse(night_context(request, pk)["public"])


@require_GET
def night_stream(request: HttpRequest, pk: int) -> HttpResponseBase:
    get_object_or_404(LeagueNight, pk=pk)
    return live.respond(request, f"night:{pk}", lambda: services.night_version(pk))


def night_context(request: HttpRequest, pk: int) -> dict[str, Any]:
    """`?pairing=` is one of the night's pairings, from 0; `?page=` of its deals, from 1."""
    night = get_object_or_404(LeagueNight.objects.select_related("league"), pk=pk)
    pairing, page = (read_number(request.GET.get(name, ""), 0) for name in ("pairing", "page"))
    return {
        "section": "events",
        "night": night,
        "seen": services.night_version(night.pk),
        "query": request.GET.urlencode(),
        "public": public_night_html(night, min(pairing, len(pure.level_pairings(night.levels)) - 1), max(page, 1)),
    }


def public_night_html(night: LeagueNight, pairing: int, page: int) -> SafeString:
    """What all visitors see of a night, rendered once for each of its versions."""
    key = f"night:{night.pk}:{services.night_version(night.pk)}:{night.status}:{pairing}:{page}"
    html = once(
        key, lambda: render_to_string("tournaments/_league_night.html", public_night_context(night, pairing, page))
    )
    return mark_safe(html)  # rendered by a template


def public_night_context(night: LeagueNight, pairing: int, page: int) -> dict[str, Any]:
    results = services.night_results(night)
    pairs = list(results)
    titles = [f"{LEVELS[first]} against {LEVELS[second]}" for first, second in pairs]
    deals = Paginator(range(1, night.deals + 1), DEALS_ON_A_PAGE).get_page(page)
    return {
        "night": night,
        "played": sum(map(len, results.values())),
        "planned": night.deals * len(pairs),
        "lines": standings_of(night),
        "pairings": [
            LevelRow(title, pure.level_standing(pair[0], results[pair]))
            for title, pair in zip(titles, pairs, strict=True)
            if results[pair]
        ],
        "titles": titles,
        "title": titles[pairing],
        "chosen": pairing,
        "first": LEVELS[pairs[pairing][0]],
        "page": deals,
        "deals": deals_of(night, *pairs[pairing], deals.object_list),
    }


def deals_of(night: LeagueNight, first: str, second: str, numbers: Iterable[int]) -> list[MirroredDeal]:
    games = LeagueGame.objects.filter(chunk__night=night, chunk__first=first, chunk__second=second, deal__in=numbers)
    rows = list(games.select_related("chunk").defer("moves").order_by("deal", "turn"))
    users = User.objects.in_bulk({user for row in rows for user in row.players})
    return [
        MirroredDeal(number, round(100 * played[0].share), tuple((game, game_headline(game, users)) for game in played))
        for number, played in ((number, list(group)) for number, group in groupby(rows, key=lambda row: row.deal))
    ]


def game_headline(game: LeagueGame, users: dict[int, User]) -> str:
    """The game's players with their scores, in seat order: "Pip 21, Tierce 14"."""
    names = (users[user].display_name if user in users else "somebody" for user in game.players)
    return ", ".join(f"{name} {score}" for name, score in zip(names, game.scores, strict=True))


@limit_posts("replays")
@require_POST
def open_bot_game(request: HttpRequest) -> HttpResponse:
    """Opens a game as a replay."""
    game = get_object_or_404(LeagueGame, pk=read_number(request.POST.get("game", ""), 0))
    try:
        table = services.open_replay(game_id=game.pk)
    except GameError:
        messages.error(request, "The rules have changed, so this game can no longer be replayed.")
        return redirect(game.chunk.night)
    return redirect("games:replay", table.code)
