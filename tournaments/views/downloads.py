"""Downloads: the results of an event as files."""

import json
from collections.abc import Callable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from infra.once import once
from tournaments.files import exports
from tournaments.models import Event
from tournaments.presentation import EventDraw, draw_of
from tournaments.queries.permissions import EventRank, for_rank


@require_safe
def standings_csv(request: HttpRequest, pk: int) -> HttpResponse:
    return _file(
        request, pk, "standings.csv", "text/csv", lambda draw: exports.rows_as_csv(exports.standings_table(draw))
    )


@for_rank(EventRank.DIRECTOR)
@require_safe
def entries_csv(request: HttpRequest, event: Event) -> HttpResponse:
    """For directors only, so it is in no cache."""
    text = exports.rows_as_csv(exports.entries_table(event))
    return _as_file(event, "entries.csv", "text/csv", text)


@require_safe
def results_csv(request: HttpRequest, pk: int) -> HttpResponse:
    return _file(request, pk, "results.csv", "text/csv", lambda draw: exports.rows_as_csv(exports.results_table(draw)))


@require_safe
def travellers_csv(request: HttpRequest, pk: int) -> HttpResponse:
    return _file(
        request,
        pk,
        "travellers.csv",
        "text/csv",
        lambda draw: exports.rows_as_csv(exports.travellers_table(draw.event)),
    )


@require_safe
def event_json(request: HttpRequest, pk: int) -> HttpResponse:
    return _file(request, pk, "event.json", "application/json", _event_json_of(request))


def cached_event_json(request: HttpRequest, pk: int) -> str:
    """The text of that file."""
    event = get_object_or_404(Event.objects.select_related("series"), pk=pk)
    return _cached(request, event, "event.json", _event_json_of(request))


def _event_json_of(request: HttpRequest) -> Callable[[EventDraw], str]:
    site = request.build_absolute_uri("/").rstrip("/")
    return lambda draw: _dumped(exports.event_as_json(draw, site=site))


@require_safe
def swiss_report(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(Event, pk=pk, format="swiss", team_boards=None)
    return _file(request, pk, "report.trf", "text/plain", exports.swiss_as_trf)


def _dumped(data: dict[str, Any]) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _file(
    request: HttpRequest, pk: int, name: str, content_type: str, write: Callable[[EventDraw], str]
) -> HttpResponse:
    event = get_object_or_404(Event.objects.select_related("series"), pk=pk)
    return _as_file(event, name, content_type, _cached(request, event, name, write))


def _as_file(event: Event, name: str, content_type: str, text: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(event.name) or "event"}-{name}"'
    return response


def _cached(request: HttpRequest, event: Event, name: str, write: Callable[[EventDraw], str]) -> str:
    """Cached for each version of the event and each site; addresses in it are of the site that was asked."""
    key = f"event:{event.pk}:{event.version}:{name}:{request.get_host()}"
    return once(key, lambda: write(draw_of(event)))
