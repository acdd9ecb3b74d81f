"""Leaderboards."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.queries import leaderboard
from games.queries.ratings import ratings_of
from games.views.lobby import game_or_404


def leaderboard_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The leaderboard of a game, with the visitor's own place. `?who=people` leaves out the bots."""
    rules = game_or_404(slug)
    with_bots = request.GET.get("who") != "people"
    context = {
        "game": rules,
        "with_bots": with_bots,
        "rows": leaderboard.leaderboard_rows(slug, with_bots=with_bots),
        "section": "games",
    }
    if request.user.is_authenticated and request.user.has_account:
        own = ratings_of([request.user], slug)[request.user.pk]
        context |= {"own": own, "own_place": leaderboard.leaderboard_place(request.user, own, with_bots=with_bots)}
    return render(request, "games/leaderboard.html", context)
