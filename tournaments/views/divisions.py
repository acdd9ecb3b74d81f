"""Pages of leagues in divisions: the stages, and the form that makes the next one."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.requests import OwnRequest
from infra.numbers import read_number
from tournaments.domain.errors import EventError
from tournaments.forms.divisions import DivisionLeagueForm, StageForm
from tournaments.models import DivisionLeague, Season
from tournaments.queries import divisions as queries
from tournaments.queries.permissions import for_planners, may_change_season, may_plan
from tournaments.queries.seasons import table_of_season
from tournaments.services import divisions as services

NOT_OWN = "Only the director who made this league can change it."


@require_GET
def league_list(request: HttpRequest) -> HttpResponse:
    lines = queries.league_lines()
    context = {
        "section": "events",
        "groups": [
            ("In progress", [line for line in lines if not line.has_ended]),
            ("Ended", [line for line in lines if line.has_ended]),
        ],
        "may_plan": may_plan(request.user),
    }
    return render(request, "tournaments/divisions/index.html", context)


@require_GET
def league_page(request: HttpRequest, pk: int) -> HttpResponse:
    league = get_object_or_404(DivisionLeague, pk=pk)
    stages = queries.stages_with_players(league)
    context = {
        "section": "events",
        "league": league,
        "stages": stages,
        "has_ended": all(queries.is_over(division.event) for _, divisions in stages[:1] for division, _ in divisions),
        "may_change": may_change_season(request.user, league),
    }
    return render(request, "tournaments/divisions/league.html", context)


@for_planners
def new_league(request: OwnRequest) -> HttpResponse:
    """`?season=` takes the players of a season, best first."""
    return _league_form(request, DivisionLeague())


@for_planners
def edit_league(request: OwnRequest, pk: int) -> HttpResponse:
    return _league_form(request, _own_league(request, pk))


def _league_form(request: OwnRequest, league: DivisionLeague) -> HttpResponse:
    form = DivisionLeagueForm(request.POST or None, instance=league, user=request.user)
    season = read_number(request.GET.get("season", ""), 0)
    if request.method == "POST" and form.is_valid():
        saved = services.save_league(form.save(commit=False), by=request.user)
        if queries.latest_stage(saved):
            return redirect(saved)
        query = f"?season={season}" if season else ""
        return redirect(reverse("tournaments:next-stage", args=[saved.pk]) + query)
    context = {"section": "events", "form": form, "league": league}
    return render(request, "tournaments/divisions/form.html", context, status=422 if form.errors else 200)


@for_planners
def next_stage(request: OwnRequest, pk: int) -> HttpResponse:
    """The divisions of the next stage: shown first, then made with one press."""
    league, now = _own_league(request, pk), timezone.now()
    is_first = not queries.latest_stage(league)
    form = StageForm(
        request.POST or None,
        initial=_usual(request, league),
        missing=queries.players_who_missed_all(league),
        is_first=is_first,
    )
    plan, refusal = [], ""
    if not form.is_bound or form.is_valid():
        newcomers = form.cleaned_data["names"] if form.is_bound else []
        left_out = form.cleaned_data["left_out"] if form.is_bound else []
        try:
            if form.is_bound and "create" in request.POST:
                made = services.create_stage(
                    league_id=league.pk,
                    newcomers=newcomers,
                    left_out=left_out,
                    starts_at=form.cleaned_data["starts_at"],
                    time_zone=form.cleaned_data["time_zone"],
                    seen=request.POST.get("seen", ""),
                    by=request.user,
                    now=now,
                )
                messages.success(request, f"{len(made)} division{'s are' if len(made) > 1 else ' is'} planned.")
                return redirect(league)
            if form.is_bound or not is_first:
                plan = queries.plan_next_stage(league, newcomers, left_out)
        except EventError as error:
            refusal = str(error)
    context = {
        "section": "events",
        "league": league,
        "form": form,
        "is_first": is_first,
        "plan": plan,
        "seen": services.plan_fingerprint(plan),
        "refusal": refusal,
    }
    is_refused = form.is_bound and (form.errors or refusal)
    return render(request, "tournaments/divisions/next.html", context, status=422 if is_refused else 200)


def _usual(request: HttpRequest, league: DivisionLeague) -> dict[str, Any]:
    """Names of a season's players for a new league."""
    zone = league.template.time_zone if league.template else "UTC"
    last = queries.latest_stage(league)
    season = Season.objects.filter(pk=read_number(request.GET.get("season", ""), 0)).first()
    rows = table_of_season(season).rows if season else ()
    names = [row.user.username for row in rows if row.user.is_active and not (row.user.is_bot or row.user.is_guest)]
    return {"time_zone": last[0].event.time_zone if last else zone, "names": "\n".join(names)}


def _own_league(request: OwnRequest, pk: int) -> DivisionLeague:
    league = get_object_or_404(DivisionLeague.objects.select_related("template"), pk=pk)
    if not may_change_season(request.user, league):
        raise PermissionDenied(NOT_OWN)
    return league
