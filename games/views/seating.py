"""Seats of a table: taking one, bots, what browsers add to the shuffle, leaving, coming back, the rematch."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import services
from games.core.contract import GameError
from games.forms.tables import ShuffleForm, reads_shuffles
from games.live import presence
from games.models import Table
from games.views.access import table_or_404
from games.views.table import REFUSED, STALE
from infra.numbers import read_number
from infra.qr_codes import qr_code


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


@limit_posts("seats")
@at_table
def sit(request: HttpRequest, table: Table) -> Table:
    user = ensure_person(request, name=request.POST.get("name", ""))
    seated = services.sit_down(
        table_id=table.pk, user=user, seat=wanted_seat(request), shuffles=reads_shuffles(request.POST)
    )
    return with_others(seated, user.pk)


@limit_posts("seats")
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


@at_table
def leave(request: OwnRequest, table: Table) -> Table:
    return services.leave_table(table_id=table.pk, user=request.user)


@at_table
def come_back(request: OwnRequest, table: Table) -> Table:
    return services.come_back(table_id=table.pk, user=request.user)


@at_table
def claim(request: OwnRequest, table: Table) -> Table:
    return services.claim_game(table_id=table.pk, user=request.user)


@limit_posts("tables")
@at_table
def rematch(request: OwnRequest, table: Table) -> Table:
    return services.join_rematch(table_id=table.pk, user=request.user, shuffles=reads_shuffles(request.POST))
