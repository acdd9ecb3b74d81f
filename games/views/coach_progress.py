"""Progress with the coach: a player's reviewed games of one kind together."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.requests import OwnRequest
from games import engines
from games.models import Table
from games.presentation.coach_progress import COMPARED, progress_of
from games.queries.coach_reviews import own_reviews, reviewed_games

LOOKED_AT = 2 * COMPARED  # of the last games


@require_GET
@login_required
def progress(request: OwnRequest) -> HttpResponse:
    """The visitor's last games of `?game=`, else of the game that was played last."""
    slugs = reviewed_games(request.user)
    context: dict[str, Any] = {"section": "play", "reviewed": [engines.get(slug) for slug in slugs]}
    if slugs:
        slug = request.GET.get("game", "")
        rules = engines.get(slug if slug in slugs else slugs[0])
        of_game = own_reviews(request.user).filter(table__game=rules.slug)
        reviews = of_game.prefetch_related(Prefetch("table", Table.objects.with_seats()))[:LOOKED_AT]
        context |= {"game": rules, "progress": progress_of(rules, reviews), "compared": COMPARED}
    return render(request, "games/coach_progress.html", context)
