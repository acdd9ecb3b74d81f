"""The home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.engines import GAMES
from tournaments.views import calendar_context


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "cardsite/home.html", {"games": GAMES, **calendar_context(request)})
