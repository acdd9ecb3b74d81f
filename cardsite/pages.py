"""The home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.engines import GAMES

# Two cards for each game's tile; a game without an entry gets the aces.
TILE_CARDS = {
    "casino": ("TD", "2S"),
    "gin-rummy": ("7H", "8H"),
    "vatican": ("XR", "KS"),
}


def home(request: HttpRequest) -> HttpResponse:
    games = [(game, TILE_CARDS.get(game.slug, ("AS", "AH"))) for game in GAMES]
    return render(request, "cardsite/home.html", {"games": games})
