"""Table pages: the board, moves, joining and leaving. `services` acts, `board` draws."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.preferences import preference
from accounts.requests import OwnRequest
from accounts.services import ensure_person
from accounts.throttle import address_of, limit_posts
from games import live, services
from games.core.contract import GameError, NotYourTurn
from games.forms.board_input import LONGEST, judged, written_move
from games.forms.tables import MoveForm, SeenForm, ShuffleForm, reads_shuffles
from games.live import presence
from games.models import Seat, Table
from games.presentation import invites, table_page
from games.presentation.board import Refusal
from games.presentation.game_list import listed_game
from games.queries import reliability, shared_deals
from games.queries.public_games import is_public_game
from games.record import replay, table_store
from games.services import StalePosition
from games.signals import move_refused
from infra.numbers import read_number
from infra.qr_codes import qr_code
from infra.requests import HtmxRequest

REFUSED, STALE, GONE = 422, 409, 410
UNMARKED = "No card is marked. Mark the cards first, then press the button."  # only without script


def table_or_404(code: str, *, since: int | None = None) -> Table:
    """The table as it is now; with `since`, as this process remembers it at that version or a later one."""
    try:
        return table_store.table_by_code(code) if since is None else table_store.table_since(code, since)
    except Table.DoesNotExist:
        raise Http404("There is no such table.") from None


def seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """The visitor's seat, None for a spectator."""
    seat = assigned_seat(request, table)
    return None if seat is None or seat.has_left else seat


def assigned_seat(request: HttpRequest, table: Table) -> Seat | None:
    """The visitor's seat, also while a bot plays there."""
    return table.seat_of(request.user.pk)


def while_hidden(*, players_may: bool) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Decorator: access to a page of a table. A hidden table opens for no one, or only for its players (`players_may`).

    Visitors who may still play its cards elsewhere are sent there (`same_deal`). A game by earlier rules shows only how
    it ended.
    """

    def decorated(page: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(page)
        def guarded(request: HttpRequest, code: str, *more: Any, **named: Any) -> HttpResponseBase:
            table = table_or_404(code)
            if is_hidden_from(table, request.user, players_may=players_may):
                return render_hidden(request, table)
            if not shared_deals.may_see_cards(table, request.user):
                return redirect("games:deal", shared_deals.offered_code(table))
            try:
                return page(request, table, *more, **named)
            except replay.OtherRules:
                return render(request, "games/other_rules.html", {"table": table, "section": "play"}, status=GONE)

        return guarded

    return decorated


def is_hidden_from(table: Table, user: Any, *, players_may: bool) -> bool:
    return table.is_hidden and not (players_may and table.seat_of(user.pk))


def render_hidden(request: HttpRequest, table: Table) -> HttpResponse:
    context = {"table": table, "own_seat": assigned_seat(request, table), "section": "play"}
    return render(request, "games/hidden.html", context, status=403)


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
        also=dict.fromkeys(chat_channels(table, user), "talk") | director_channels(table),
        show=partial(table_page.render_version, code, user.pk, token=get_token(request)),
        may_read=partial(may_watch, code, user),
    )


def may_watch(code: str, user: Any, version: int) -> bool:
    """Whether a visitor with this table's page open may still see it at this version."""
    try:
        table = table_store.table_since(code, version)
    except Table.DoesNotExist:
        return False
    return not is_hidden_from(table, user, players_may=True) and shared_deals.may_see_cards(table, user)


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


@require_POST
def shuffle(request: OwnRequest, code: str) -> HttpResponse:
    """Takes what the visitor's browser adds to the shuffle. The stream of the table shows what follows."""
    table, form = table_or_404(code), ShuffleForm(request.POST)
    if not form.is_valid():
        return HttpResponse("That's not a valid number for the shuffle.", status=REFUSED, content_type="text/plain")
    try:
        services.add_to_shuffle(table_id=table.pk, user=request.user, **form.cleaned_data)
    except GameError as error:
        return HttpResponse(str(error), status=STALE, content_type="text/plain")
    return HttpResponse(status=204)


def at_table(service: Callable[..., Table]) -> Callable[..., HttpResponse]:
    """Decorator: a POST that changes who sits where; the next page shows a refusal."""

    @require_POST
    @wraps(service)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        table = get_object_or_404(Table, code=code)
        try:
            return redirect(service(request, table))
        except GameError as error:
            messages.error(request, str(error))
            return redirect(table)

    return view


@limit_posts("seats", count=60, seconds=600, accounts_too=True)
@at_table
def sit(request: HttpRequest, table: Table) -> Table:
    user = ensure_person(request, name=request.POST.get("name", ""))
    seated = services.sit_down(
        table_id=table.pk, user=user, seat=wanted_seat(request), shuffles=reads_shuffles(request.POST)
    )
    return with_others(seated, user.pk)


@limit_posts("seats", count=60, seconds=600, accounts_too=True)
@at_table
def change_seat(request: OwnRequest, table: Table) -> Table:
    seated = services.change_seat(table_id=table.pk, user=request.user, seat=wanted_seat(request))
    return with_others(seated, request.user.pk)


def with_others(table: Table, user_id: int) -> Table:
    """Matches the table once a player has joined: they may be the partner that a pair was waiting for."""
    presence.record_request(table.pk, user_id)
    services.complete_attended_table(table_id=table.pk)
    return table


@at_table
def open_to_all(request: OwnRequest, table: Table) -> Table:
    return services.open_to_all(table_id=table.pk, user=request.user)


@require_GET
def invite_picture(request: HttpRequest, code: str) -> HttpResponse:
    """The link to the table as a QR code; `?seat=` names a seat."""
    url = request.build_absolute_uri(get_object_or_404(Table, code=code).get_absolute_url())
    seat = read_number(request.GET.get("seat", ""), None)
    picture = qr_code(url if seat is None else f"{url}?seat={seat}")
    return HttpResponse(picture, content_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@at_table
def add_bot(request: HttpRequest, table: Table) -> Table:
    """Adds a bot; only for the player who opened the table."""
    if request.user != table.created_by:
        raise services.TableError("Only the player who opened this table can add bots.")
    return services.seat_bot(table_id=table.pk, level=request.POST.get("level", "club"), seat=wanted_seat(request))


def wanted_seat(request: HttpRequest) -> int | None:
    """The seat named in the request: None without one; -1, which no table has, for what is no number."""
    named = request.POST.get("seat", "")
    return read_number(named, -1) if named else None


@at_table
def leave(request: OwnRequest, table: Table) -> Table:
    return services.leave_table(table_id=table.pk, user=request.user)


@at_table
def come_back(request: OwnRequest, table: Table) -> Table:
    return services.come_back(table_id=table.pk, user=request.user)


@at_table
def claim(request: OwnRequest, table: Table) -> Table:
    return services.claim_game(table_id=table.pk, user=request.user)


@limit_posts("tables", count=30, seconds=600, accounts_too=True)
@at_table
def rematch(request: OwnRequest, table: Table) -> Table:
    return services.join_rematch(table_id=table.pk, user=request.user, shuffles=reads_shuffles(request.POST))
