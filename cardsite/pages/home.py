"""Home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.engines import FAMILIES
from games.models import Table
from tournaments.views.events import calendar_context

OWN_TABLES = 3


def home(request: HttpRequest) -> HttpResponse:
    """The home page; first the visitor's games that wait for a move, and their next event."""
    calendar = calendar_context(request)
    tables = Table.objects.none()
    if request.user.is_authenticated:
        seated = Table.objects.running().filter(seats__user=request.user, seats__has_left=False)
        tables = seated.with_seats().order_by("-started_at")[:OWN_TABLES]
    entered = next((event for event in calendar["upcoming"] if event.pk in calendar["own"]), None)
    context = {**calendar, "families": FAMILIES, "tables": tables, "entered": entered}
    return render(request, "cardsite/home.html", context)
