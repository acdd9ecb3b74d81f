"""Shared deals and "what if": pages to play the cards of a finished game again."""

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import services
from games.bots import LEVELS
from games.core.contract import GameError
from games.models import Table
from games.queries import shared_deals
from games.record import playback
from games.views.access import table_or_404, while_hidden
from games.views.lobby import remembered_level
from infra.numbers import read_number

LISTED_DEALS = 40


@require_POST
@limit_posts("tables")
@while_hidden(players_may=False)
def what_if(request: HttpRequest, table: Table) -> HttpResponse:
    """Starts a "what if" from a position of the game against bots."""
    at, level = read_number(request.POST.get("at", ""), -1), request.POST.get("level", "")
    try:
        return redirect(
            services.branch_off(
                table=table,
                at=at,
                user=ensure_person(request),
                seat=read_number(request.POST.get("seat", ""), -1),
                level=level,
            )
        )
    except GameError as error:
        messages.error(request, str(error))
        return redirect(f"{reverse('games:replay', args=[table.code])}?at={max(at, 0)}")


@require_GET
def source(request: HttpRequest, code: str) -> HttpResponse:
    """Where the cards of a table come from: the moment of another game, or the page of an offered deal."""
    table = table_or_404(code)
    if table.branch_of is not None:
        return redirect(f"{reverse('games:replay', args=[table.branch_of.code])}?at={table.branch_at}")
    if table.same_deal_as is not None:
        return redirect("games:deal", table.same_deal_as.code)
    raise Http404("This table has its own cards.")


@require_POST
@while_hidden(players_may=True)
def offer(request: OwnRequest, table: Table) -> HttpResponse:
    try:
        services.offer_deal(table_id=table.pk, user=request.user)
    except GameError as error:
        messages.error(request, str(error))
        return redirect("games:result", table.code)
    return redirect("games:deal", table.code)


@require_GET
def deals(request: HttpRequest) -> HttpResponse:
    """The newest deals that anyone may play."""
    tables = list(shared_deals.offered_deals()[:LISTED_DEALS])
    own = Table.objects.none()
    if request.user.is_authenticated:
        own = Table.objects.of(request.user).filter(
            Q(same_deal_as__in=tables) | Q(pk__in=[table.pk for table in tables])
        )
    played = {first or pk for pk, first in own.values_list("pk", "same_deal_as")}
    return render(request, "games/deals.html", {"tables": tables, "played": played, "section": "play"})


def offered_or_404(code: str) -> Table:
    table = table_or_404(code)
    if not (table.offers_deal and table.rules_version == table.rules.rules_version):
        raise Http404("These cards haven't been shared.")
    return table


@require_GET
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """An offered deal: play it, and see all results on it."""
    table = offered_or_404(code)
    own = shared_deals.tables_with_deals(table.pk).of(request.user).first() if request.user.is_authenticated else None
    context = {
        "table": table,
        "game": table.rules,
        "own_table": own,
        "is_shown": shared_deals.may_see_cards(table, request.user),
        "sheets": shared_deals.seat_sheets(table),
        "has_scores": playback.playback_of(table).state_at(0).view(None).has_scores,
        "levels": LEVELS.items(),
        "level": remembered_level(request),
        "share_url": request.build_absolute_uri(),
        "section": "play",
    }
    return render(request, "games/deal.html", context)


@require_POST
@limit_posts("tables")
def play_deal(request: HttpRequest, code: str) -> HttpResponse:
    table = offered_or_404(code)
    seat, level = read_number(request.POST.get("seat", ""), -1), request.POST.get("level", "")
    try:
        user = ensure_person(request)
        return redirect(services.play_same_deal(table_id=table.pk, user=user, seat=seat, level=level))
    except GameError as error:
        messages.error(request, str(error))
        return redirect("games:deal", table.code)


@require_POST
@limit_posts("shown-deals")
def show_deal(request: HttpRequest, code: str) -> HttpResponse:
    table = offered_or_404(code)
    try:
        services.show_deal(table=table, user=ensure_person(request))
    except GameError as error:
        messages.error(request, str(error))
    return redirect("games:deal", table.code)
