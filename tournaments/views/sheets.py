"""Sheets to print, and the page for a projector."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from infra.numbers import read_number
from tournaments.models import Event
from tournaments.presentation.sheets import SHEETS, EventSheets
from tournaments.queries.permissions import EventRank, event_rank


@require_GET
def printable_sheet(request: HttpRequest, pk: int, sheet: str) -> HttpResponse:
    """A sheet for paper; `?round=` chooses another round than the newest."""
    if sheet not in SHEETS:
        raise Http404(f"There is no sheet {sheet!r}.")
    sheets = EventSheets(get_object_or_404(Event, pk=pk), read_number(request.GET.get("round", ""), None))
    if sheets.number not in (0, *sheets.numbers):
        raise Http404("This round isn't published.")
    context = {"section": "events", "event": sheets.event, "sheets": sheets, "title": SHEETS[sheet], "sheet": sheet}
    if sheets.event.fee and event_rank(request.user, sheets.event) > EventRank.NOBODY:
        context |= {"shows_fees": True, "paid_count": sum(entry.has_paid for entry in sheets.entries)}
    return render(request, f"tournaments/sheets/{sheet}.html", context)


@require_GET
def projector(request: HttpRequest, pk: int) -> HttpResponse:
    """A page that needs no hand all evening: round, clock, pairings, standings, announcements."""
    return render(request, "tournaments/projector.html", _projected(pk))


@require_GET
def projector_live_part(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "tournaments/_projector.html", _projected(pk))


def _projected(pk: int) -> dict[str, object]:
    event = get_object_or_404(Event, pk=pk)
    sheets = EventSheets(event)
    return {"event": event, "sheets": sheets, "draw": sheets.draw, "announcements": event.announcements.shown()[:3]}
