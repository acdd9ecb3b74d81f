"""Deal counts of a game: a public page, and the numbers for download."""

import csv

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.domain.shuffle_statistics import FEWEST_DECKS
from games.queries import deal_counts
from games.views.lobby import game_or_404


@require_GET
def deals_page(request: HttpRequest, slug: str) -> HttpResponse:
    rules, sheets = game_or_404(slug), deal_counts.sheets_of(slug)
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
    return JsonResponse(deal_counts.as_json(game_or_404(slug), deal_counts.sheets_of(slug)))


@require_GET
def counts_csv(request: HttpRequest, slug: str) -> HttpResponse:
    game_or_404(slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    csv.writer(response).writerows([deal_counts.COUNT_COLUMNS, *deal_counts.count_rows(deal_counts.sheets_of(slug))])
    return response


@require_GET
def decks_list(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """One line of JSON for each table."""
    game_or_404(slug)
    return StreamingHttpResponse(deal_counts.deck_lines(slug), content_type="application/x-ndjson")
