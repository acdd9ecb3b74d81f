"""Table pages: the board and moves. `services` acts, `board` draws."""

from functools import partial
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.preferences import preference
from accounts.requests import OwnRequest
from accounts.throttle import address_of
from games import live, services
from games.core.contract import GameError, NotYourTurn
from games.forms.board_input import LONGEST, entered_in, judged, written_move
from games.forms.tables import MoveForm, SeenForm
from games.live import presence
from games.models import Seat, Table
from games.presentation import invites, table_page
from games.presentation.board import Refusal
from games.presentation.game_list import listed_game
from games.queries import reliability
from games.queries.public_games import is_public_game
from games.record import replay
from games.services import StalePosition
from games.signals import move_refused
from games.views.access import assigned_seat, may_watch, seat_of, table_or_404, while_hidden
from infra.requests import HtmxRequest

REFUSED, STALE = 422, 409
UNMARKED = "No card is marked. Mark the cards first, then press the button."  # only without script


@require_GET
@while_hidden(players_may=True)
def table(request: HtmxRequest, table: Table) -> HttpResponse:
    return redirect(table.moved_to) if table.moved_to else render_table(request, table)


@require_GET
@while_hidden(players_may=True)
def board(request: HtmxRequest, table: Table) -> HttpResponse:
    """The part of the table page that changes."""
    if table.moved_to:
        return HttpResponseClientRedirect(table.moved_to.get_absolute_url())
    return render_table(request, table)


@require_GET
@while_hidden(players_may=True)
def table_events(request: HttpRequest, table: Table) -> HttpResponseBase:
    code, user = table.code, request.user
    versions = Table.objects.filter(pk=table.pk).values_list("version", flat=True)
    return live.respond(
        request,
        table.channel,
        lambda: versions.first() or 0,
        also=dict.fromkeys(chat_channels(table, user), "chat") | director_channels(table),
        show=partial(table_page.render_version, code, user.pk, token=get_token(request)),
        may_read=partial(may_watch, code, user),
    )


def chat_channels(table: Table, user: Any) -> list[str]:
    """The chat channels of the visitor; players hear nothing of the spectators' chat."""
    plays = table.seat_of(user.pk) is not None
    return [live.chat_channel(table.code), *([] if plays else [live.chat_channel(table.code, of_watchers=True)])]


def director_channels(table: Table) -> dict[str, str]:
    """The channel of calls for the director, with the name of its events; {} at a table of no event."""
    return {live.director_channel(table.code): "director"} if table.event_name else {}


@require_POST
def move(request: HtmxRequest, code: str) -> HttpResponseBase:
    """Plays a move. The response is the new board, also if the move was refused.

    The seat is read from memory; `play_move` checks it again.
    """
    form = MoveForm(request.POST)
    if not form.is_valid():
        is_unmarked = "is_selection" in request.POST and not request.POST.getlist("text")
        return refused(request, code, Refusal(UNMARKED if is_unmarked else "That's not a move."), status=REFUSED)
    version, held, is_arrangement = (form.cleaned_data[name] for name in ("version", "held", "is_arrangement"))
    table = table_or_404(code, since=version)
    seat = assigned_seat(request, table)
    if seat is None:
        return refused(request, code, Refusal("You don't have a seat at this table."), status=403)
    try:
        text = written_move(table.rules, lambda: replay.state_of(table).view(seat.number), request.POST)
        table = services.play_move(
            table_id=table.pk,
            seat=seat.number,
            user_id=request.user.pk,
            text=text,
            version=version,
            held=held,
            pace=preference(request, "pace"),
        )
    except StalePosition as error:
        return refused(request, code, Refusal.of(error), status=STALE)
    except GameError as error:
        refusal = Refusal.of(error)
        if refusal.rule and not isinstance(error, NotYourTurn):
            move_refused.send(sender=Table, user_id=seat.user_id, rule=refusal.rule)
        return refused(request, code, refusal, status=REFUSED, show_ways=not is_arrangement)
    return render_table(request, table) if request.htmx else redirect(table)


@require_POST
def seen(request: OwnRequest, code: str) -> HttpResponseBase:
    """Goes on from the end of a hand. The response is the live board."""
    table, form = table_or_404(code), SeenForm(request.POST)
    if not form.is_valid():
        return refused(request, code, Refusal("This game has no such hand."), status=REFUSED)
    if table.seat_of(request.user.pk) is None:
        return refused(request, code, Refusal("You don't have a seat at this table."), status=403)
    try:
        table = services.see_hand(
            table_id=table.pk,
            user=request.user,
            hand=form.cleaned_data["hand"],
            pace=preference(request, "pace"),
        )
    except GameError as error:
        return refused(request, code, Refusal.of(error), status=REFUSED)
    return render_table(request, table) if request.htmx else redirect(table)


@while_hidden(players_may=True)
def refused(request: HtmxRequest, table: Table, refusal: Refusal, **how: Any) -> HttpResponse:
    """The board with a refusal: what was not done, and why."""
    return render_table(request, table, refusal, **how)


def render_table(
    request: HtmxRequest,
    table: Table,
    refusal: Refusal | None = None,
    *,
    status: int = 200,
    show_ways: bool = False,
) -> HttpResponse:
    """The page, or for htmx its changing part. `show_ways`: a workbench lists the plays the game knows."""
    context = table_page.context(table, assigned_seat(request, table), refusal) | {"show_ways": show_ways}
    if refusal:
        context["entered"] = entered_in(request)
    if table.started_at is None:
        prefetch_related_objects([seat for seat in table.seat_rows if seat.user], "user__reliability")
        context["challenges"] = table.challenges.select_related("to")
        url = request.build_absolute_uri(table.get_absolute_url())
        context |= {"invite_url": url, "partner_url": invites.partner_url(table, context["own_seat"], url)}
        context |= {
            "listed": listed_game(table.game),
            "invite_seats": invites.invite_seats(table, wished=request.GET.get("seat", "")),
            "user": request.user,
        }
    if request.htmx:
        return HttpResponse(table_page.draw(context, token=own_token(request)), status=status)
    is_running = table.status == Table.Status.RUNNING
    context["stays"] = reliability.reliability_sentence(table, context["own_seat"]) if is_running else ""
    context["here_url"] = signed_in(request, table, context["own_seat"])
    context["is_public"] = is_public_game(table)
    return render(request, "games/table.html", context, status=status)


def own_token(request: HttpRequest) -> str:
    """For the forms of the answer: the token that the request itself has been checked by, or a new one."""
    return (request.method == "POST" and request.META.get("HTTP_X_CSRFTOKEN")) or get_token(request)


def signed_in(request: HttpRequest, table: Table, seat: Seat | None) -> str:
    """The address for the page's heartbeats, "" where none are needed."""
    if table.is_over:
        return ""
    if seat is None or seat.user_id is None:
        return presence.watcher_heartbeat_url(table.pk, request.user.pk or address_of(request))
    if not table.is_turn_based:
        presence.record_request(table.pk, seat.user_id)
    return presence.heartbeat_url(table.pk, seat.user_id)


@require_GET
@while_hidden(players_may=True)
def check(request: HttpRequest, table: Table) -> JsonResponse:
    """Judges an arrangement of the workbench, meld by meld. Nothing is played."""
    seat = seat_of(request, table)
    if seat is None or not table.rules.workbench or table.status != Table.Status.RUNNING:
        return JsonResponse({"ok": False, "say": "You have nothing to arrange here.", "melds": []}, status=403)
    text = request.GET.get("text", "")[:LONGEST]
    return JsonResponse(judged(table.rules, replay.state_of(table), seat.number, text))


@require_GET
@while_hidden(players_may=True)
def hand_melds(request: HttpRequest, table: Table) -> JsonResponse:
    """The visitor's own hand in melds, for a page that sorts it so: {melds: [[card]]}."""
    seat = seat_of(request, table)
    if seat is None or table.started_at is None:
        raise Http404("You have no cards at this table.")
    return JsonResponse({"melds": table.rules.hand_melds(replay.state_of(table).view(seat.number))})
