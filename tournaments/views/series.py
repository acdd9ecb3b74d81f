"""Pages of a series for its director: repeat an event, change the series, look at its dates."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.requests import OwnRequest
from tournaments import services
from tournaments.domain.wall_clock import shifted_by_wall_clock, wall_time_of
from tournaments.forms.series import SeriesPlanForm
from tournaments.models import Event, Series
from tournaments.queries.permissions import EventRank, event_rank, for_planners, for_rank, may_change_series

PREVIEWED = 10
WEEK = timedelta(days=7)
NOT_OWN = "Only the director who planned this series can change it."


@for_planners
def repeat_event(request: OwnRequest, pk: int) -> HttpResponse:
    """Makes a series with the settings of an event. An event of the user's own that is to come is its first one."""
    event = get_object_or_404(Event, pk=pk)
    old, now = (wall_time_of(at, event.time_zone) for at in (event.starts_at, timezone.now()))
    weeks_ago = max((now - old) // WEEK + 1, 0)
    first = shifted_by_wall_clock(event.starts_at, weeks_ago * WEEK, event.time_zone)
    series = Series(name=event.name, time_zone=event.time_zone, first_start_at=first, created_by=request.user)
    for name, value in event.setting_values().items():
        setattr(series, name, value)
    return _series_form(request, series, {"event": event, "title": f"Repeat {event.name}"})


@for_planners
def edit_series(request: OwnRequest, pk: int) -> HttpResponse:
    series = _own_series(request, pk)
    return _series_form(request, series, {"title": f"Change {series.name}"})


def _series_form(request: OwnRequest, series: Series, context: dict[str, Any]) -> HttpResponse:
    """The form; the button `preview` shows the next dates and stores nothing."""
    form = SeriesPlanForm(request.POST or None, instance=series)
    dates: list[datetime] = []
    if request.method == "POST" and form.is_valid():
        if "preview" not in request.POST:
            event = context.get("event")
            if event is not None and event_rank(request.user, event) == EventRank.DIRECTOR:
                services.repeat_event(form.instance, event, now=timezone.now())
            else:
                services.save_series(form.instance, now=timezone.now())
            messages.success(request, "The series is saved. Its tournaments follow within a few seconds.")
            return redirect(form.instance)
        dates = form.instance.starts_after(timezone.now(), count=PREVIEWED)
    elif series.pk:
        dates = series.starts_after(timezone.now(), count=PREVIEWED)
    context |= {"section": "events", "form": form, "series": series, "dates": dates}
    return render(request, "tournaments/planning/series.html", context, status=422 if form.errors else 200)


@for_rank(EventRank.DIRECTOR)
@require_POST
def settings_for_series(request: OwnRequest, event: Event) -> HttpResponse:
    """Gives the series of an event its settings, for all that follow."""
    if event.series is None:
        raise PermissionDenied("This tournament belongs to no series.")
    series = _own_series(request, event.series.pk)
    services.take_settings_of(series, event, now=timezone.now())
    messages.success(request, "All coming tournaments of the series get these settings, until the first player enters.")
    return redirect(series)


def _own_series(request: OwnRequest, pk: int) -> Series:
    series = get_object_or_404(Series, pk=pk)
    if not may_change_series(request.user, series):
        raise PermissionDenied(NOT_OWN)
    return series
