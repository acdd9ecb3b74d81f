"""Access to a table: who may see it, and which seat is theirs."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from games.models import Seat, Table
from games.queries import shared_deals
from games.record import replay, table_store

GONE = 410


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


def may_watch(code: str, user: Any, version: int) -> bool:
    """Whether a visitor with this table's page open may still see it at this version."""
    try:
        table = table_store.table_since(code, version)
    except Table.DoesNotExist:
        return False
    return not is_hidden_from(table, user, players_may=True) and shared_deals.may_see_cards(table, user)
