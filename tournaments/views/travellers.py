"""Travellers: pages with all results of each deal of a duplicate event."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from tournaments.models import Entry, Event
from tournaments.presentation.travellers import sheets_of_deal, traveller_sheets
from tournaments.queries.duplicate import closed_rounds

STILL_PLAYED = "These cards are still being played. All results are shown once the last table is over."


@require_GET
def traveller_list(request: HttpRequest, pk: int) -> HttpResponse:
    """The deals of all rounds that are over, with the results of the reader's own entry."""
    event, own = _duplicate_event(pk), _own_entry(request, pk)
    context = {
        "section": "events",
        "event": event,
        "own": own,
        "deals": [(sheet, sheet.results_of(own)) for sheet in traveller_sheets(event)],
    }
    return render(request, "tournaments/travellers/index.html", context)


@require_GET
def traveller_page(request: HttpRequest, pk: int, round_id: int, deal: int) -> HttpResponse:
    """A deal as it was played at every table."""
    event = _duplicate_event(pk)
    sheets = sheets_of_deal(event, round_id, deal)
    if not sheets:
        if not event.matches.filter(round=round_id, games__deal=deal).exists():
            raise Http404("There is no such deal.")
        if not closed_rounds(event).filter(pk=round_id).exists():
            raise PermissionDenied(STILL_PLAYED)
        messages.info(request, "No table played this deal to its end, so there is nothing to compare.")
        return redirect("tournaments:travellers", event.pk)
    context = {"section": "events", "event": event, "own": _own_entry(request, pk), "deal": deal, "sheets": sheets}
    context["has_reviews"] = any(sheet.is_reviewed for sheet in sheets)
    return render(request, "tournaments/travellers/deal.html", context)


def _duplicate_event(pk: int) -> Event:
    return get_object_or_404(Event, pk=pk, dealing=Event.Dealing.SAME)


def _own_entry(request: HttpRequest, pk: int) -> Entry | None:
    return Entry.objects.filter(event=pk).of(request.user).first() if request.user.is_authenticated else None
