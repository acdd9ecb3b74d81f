"""The deals of a game, all together: a page for everybody, and the numbers to take away."""

import csv

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games import dealt
from games.dealstats import FEWEST_DECKS
from games.lobby_views import game_or_404


@require_GET
def deals_page(request: HttpRequest, slug: str) -> HttpResponse:
    rules, sheets = game_or_404(slug), dealt.sheets_of(slug)
    context = {
        "game": rules,
        "sheets": sheets,
        "decks": sum(sheet.decks for sheet in sheets),
        "is_enough": any(sheet.is_enough for sheet in sheets),
        "fewest": FEWEST_DECKS,
        "section": "games",
    }
    return render(request, "games/dealt.html", context)


@require_GET
def counts_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(dealt.as_json(game_or_404(slug), dealt.sheets_of(slug)))


@require_GET
def counts_csv(request: HttpRequest, slug: str) -> HttpResponse:
    game_or_404(slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    csv.writer(response).writerows([dealt.COUNT_COLUMNS, *dealt.count_rows(dealt.sheets_of(slug))])
    return response


@require_GET
def decks_list(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """One line of JSON for each table."""
    game_or_404(slug)
    return StreamingHttpResponse(dealt.deck_lines(slug), content_type="application/x-ndjson")
