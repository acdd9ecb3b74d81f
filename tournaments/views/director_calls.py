"""Calling the director from the table of a match, or from the page of its event."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from infra.next_url import next_url
from infra.requests import HtmxRequest
from tournaments import services
from tournaments.forms.director_calls import CallForm
from tournaments.models import Match
from tournaments.presentation.director_calls import call_panel
from tournaments.views.entries import known_person

NO_CONTENT = 204

CallAct = Callable[[HttpRequest, Match], str]


def call_action(act: CallAct) -> Callable[..., HttpResponse]:
    """Decorator: a POST about the call in a match that returns to where it came from, with what was done or refused."""

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, pk: int, match_id: int) -> HttpResponse:
        match = get_object_or_404(Match.objects.select_related("event"), pk=match_id, event=pk)
        try:
            messages.success(request, act(request, match))
        except services.EventError as error:
            messages.error(request, str(error))
        return redirect(next_url(request) or match.event)

    return view


@require_http_methods(["GET", "POST"])
def director_call(request: HtmxRequest, pk: int, match_id: int) -> HttpResponse:
    """GET: the call as the reader sees it at the table. POST: a new call."""
    if request.method == "POST":
        return call_director(request, pk, match_id)
    match = get_object_or_404(Match.objects.select_related("event"), pk=match_id, event=pk)
    if not request.htmx:
        return redirect(match.event)
    panel = call_panel(match.pk, request.user) if request.user.is_authenticated else None
    if panel is None:
        return HttpResponse(status=NO_CONTENT)
    return render(request, "tournaments/director_calls/_at_table.html", {"director": panel})


@call_action
def call_director(request: HttpRequest, match: Match) -> str:
    form = CallForm(request.POST)
    if not form.is_valid():
        raise services.EventError("Your reason is too long, so no one was called.")
    services.call_director(match_id=match.pk, user=known_person(request), **form.cleaned_data)
    return "The director has been called. This doesn't stop the clocks."


@call_action
def take_back(request: HttpRequest, match: Match) -> str:
    services.take_back_call(match_id=match.pk, user=known_person(request))
    return "You have taken your call back."
