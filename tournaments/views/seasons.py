"""Pages of seasons: the table over several tournaments, and its form for directors."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.requests import OwnRequest
from infra.numbers import read_number
from tournaments.files.exports import CsvCell, rows_as_csv
from tournaments.formats.numbers import plain_number
from tournaments.forms.seasons import SeasonForm
from tournaments.models import Season, Series
from tournaments.presentation.page import EventPageQuery, paginate
from tournaments.presentation.seasons import SeasonLine, day_of_event, headings_of_events, season_facts
from tournaments.queries.permissions import for_planners, may_change_season, may_plan
from tournaments.queries.seasons import SeasonTable, table_of_season
from tournaments.services import seasons as services

NOT_OWN = "Only the director who made this season can change it."
ROWS_ON_A_PAGE = 100


@require_GET
def season_list(request: HttpRequest) -> HttpResponse:
    found = Season.objects.select_related("series")
    context = {
        "section": "events",
        "seasons": found,
        "may_plan": may_plan(request.user),
    }
    return render(request, "tournaments/seasons/index.html", context)


@require_GET
def season_page(request: HttpRequest, pk: int) -> HttpResponse:
    season = get_object_or_404(Season.objects.select_related("series"), pk=pk)
    table, look = table_of_season(season), EventPageQuery.of_query(request.GET)
    lines = paginate([SeasonLine.of_row(row) for row in table.rows], ROWS_ON_A_PAGE, look, by="page", anchor="table")
    context = {
        "section": "events",
        "season": season,
        "facts": season_facts(season),
        "table": table,
        "columns": list(
            zip(table.events, headings_of_events(table.events), map(day_of_event, table.events), strict=True)
        ),
        "lines": lines,
        "may_change": may_change_season(request.user, season),
    }
    return render(request, "tournaments/seasons/season.html", context)


@require_safe
def season_csv(request: HttpRequest, pk: int) -> HttpResponse:
    season = get_object_or_404(Season, pk=pk)
    response = HttpResponse(rows_as_csv(_csv_rows(table_of_season(season))), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(season.name) or "season"}.csv"'
    return response


def _csv_rows(table: SeasonTable) -> Iterator[list[CsvCell]]:
    """A heading, then a row for each person. The last column lists the tournaments whose result is dropped."""
    names = [f"{event.starts_at.astimezone(ZoneInfo(event.time_zone)):%Y-%m-%d} {event.name}" for event in table.events]
    yield ["Place", "Last place", "Name", "Points", "Bonus", *names, "Dropped"]
    for row in table.rows:
        line, standing = SeasonLine.of_row(row), row.standing
        dropped = [name for name, cell in zip(names, line.cells, strict=True) if cell.is_dropped]
        yield [
            standing.place, standing.last_place, row.user.display_name, plain_number(line.points), standing.bonus,
            *(plain_number(cell.points) for cell in line.cells), "; ".join(dropped),
        ]  # fmt: skip


@for_planners
def new_season(request: OwnRequest) -> HttpResponse:
    """`?series=` chooses a series."""
    series = Series.objects.filter(pk=read_number(request.GET.get("series", ""), 0)).first()
    name = f"{series.name}: season table" if series else ""
    return _season_form(request, Season(series=series, name=name))


@for_planners
def edit_season(request: OwnRequest, pk: int) -> HttpResponse:
    return _season_form(request, _own_season(request, pk))


@for_planners
@require_POST
def delete_season(request: OwnRequest, pk: int) -> HttpResponse:
    season = _own_season(request, pk)
    services.delete_season(season)
    messages.success(request, f"{season.name} is deleted. Its tournaments stay.")
    return redirect("tournaments:seasons")


def _season_form(request: OwnRequest, season: Season) -> HttpResponse:
    form = SeasonForm(request.POST or None, instance=season, user=request.user)
    if request.method == "POST" and form.is_valid():
        saved = services.save_season(form.save(commit=False), by=request.user)
        form.save_m2m()
        return redirect(saved)
    context = {"section": "events", "form": form, "season": season}
    return render(request, "tournaments/seasons/form.html", context, status=422 if form.errors else 200)


def _own_season(request: OwnRequest, pk: int) -> Season:
    season = get_object_or_404(Season, pk=pk)
    if not may_change_season(request.user, season):
        raise PermissionDenied(NOT_OWN)
    return season
