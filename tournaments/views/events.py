"""Pages of events: the calendar, a series, an event."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from accounts.models import User
from games import live
from tournaments import presentation, services
from tournaments.forms.calendar import CalendarFilterForm
from tournaments.forms.entries import EnterForm, PartnerForm
from tournaments.models import Event, Season, Series
from tournaments.presentation.own_entries import own_entry_panel
from tournaments.queries import calendar as calendar_queries
from tournaments.queries import permissions
from tournaments.queries.divisions import division_of_event
from tournaments.queries.group_draws import draws_groups
from tournaments.queries.permissions import EventRank
from tournaments.queries.seasons import seasons_of_event

# The calendar


@require_GET
def event_calendar(request: HttpRequest) -> HttpResponse:
    context = {"seen": live.moment(), "may_plan": permissions.may_plan(request.user), **calendar_context(request)}
    return render(request, "tournaments/index.html", context)


@require_GET
def calendar_part(request: HttpRequest) -> HttpResponse:
    """The part of the calendar that changes."""
    return render(request, "tournaments/_calendar.html", calendar_context(request))


@require_GET
def calendar_stream(request: HttpRequest) -> HttpResponseBase:
    return live.respond(request, services.CALENDAR_CHANNEL, None)


def calendar_context(request: HttpRequest) -> dict[str, Any]:
    form = CalendarFilterForm(request.GET)
    chosen = form.chosen()
    return {
        "section": "events",
        "filter_form": form,
        "filter": chosen,
        "query": request.GET.urlencode(),
        **_listed(calendar_queries.calendar_listing(chosen, _visitor(request))),
    }


def _listed(found: calendar_queries.EventListing) -> dict[str, Any]:
    return {"running": found.running, "upcoming": found.upcoming, "finished": found.finished, "own": found.own}


def _visitor(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


@require_GET
def series_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Coming events of a series, and its winners."""
    found = get_object_or_404(Series, pk=pk)
    context = {
        "section": "events",
        "series": found,
        "may_change": permissions.may_change_series(request.user, found),
        "may_plan": permissions.may_plan(request.user),
        "seasons": Season.objects.filter(series=found),
        "facts": presentation.facts_of(found),
        "fame": calendar_queries.hall_of_fame(found),
        **_listed(calendar_queries.series_listing(found, _visitor(request))),
    }
    return render(request, "tournaments/series.html", context)


# An event


@require_GET
def event_page(request: HttpRequest, pk: int) -> HttpResponse:
    context = event_context(request, pk)
    event = context["event"]
    context |= {
        "seasons": seasons_of_event(event),
        "division": division_of_event(event),
        "draws_groups": draws_groups(event),
    }
    return render(request, "tournaments/event.html", context)


@require_GET
def event_live_part(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of an event's page that changes."""
    return render(request, "tournaments/_event_live.html", event_context(request, pk))


@require_GET
def event_stream(request: HttpRequest, pk: int) -> HttpResponseBase:
    versions = Event.objects.filter(pk=pk).values_list("version", flat=True)
    get_object_or_404(versions)
    return live.respond(request, f"event:{pk}", lambda: versions.first() or 0)


@require_GET
def printable_results(request: HttpRequest, pk: int) -> HttpResponse:
    """Every result on one page, for paper."""
    event = get_object_or_404(Event.objects.select_related("series"), pk=pk)
    part = mark_safe(presentation.printable_event_html(event))  # rendered by a template
    context = {"section": "events", "event": event, "facts": presentation.facts_of(event), "part": part}
    return render(request, "tournaments/print.html", context)


def event_context(request: HttpRequest, pk: int) -> dict[str, Any]:
    event = get_object_or_404(Event.objects.select_related("series"), pk=pk)
    look = presentation.EventPageQuery.of_query(request.GET)
    return {
        "section": "events",
        "event": event,
        "runs_it": permissions.event_rank(request.user, event) > EventRank.NOBODY,
        "facts": presentation.facts_of(event),
        "round_times": event.round_times.all(),
        "own_entry": own_entry_panel(event, _visitor(request)),
        "enter_form": EnterForm(event=event),
        "partner_form": PartnerForm(),
        "look": look,
        "public": mark_safe(presentation.public_event_html(event, look)),  # rendered by a template
    }
