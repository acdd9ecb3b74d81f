"""Agreements: requests between players (undo, draw, pause ...) and their answers."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from games import services
from games.core.contract import GameError
from games.models import Table
from games.presentation.board import Refusal
from games.presentation.parts import draw_part
from games.presentation.questions import question_button
from games.services import questions
from games.views.access import seat_of, table_or_404, while_hidden
from games.views.table import REFUSED, render_table
from infra.requests import HtmxRequest


def table_action(service: Callable[..., Table]) -> Callable[..., HttpResponseBase]:
    """Decorator: a POST of a player at a table; the response is the table, with the refusal if there is one."""

    @require_POST
    @while_hidden(players_may=True)
    @wraps(service)
    def view(request: HtmxRequest, table: Table) -> HttpResponseBase:
        try:
            table = service(request, table)
        except GameError as error:
            return render_table(request, table_or_404(table.code), Refusal.of(error), status=REFUSED)
        return render_table(request, table) if request.htmx else redirect(table)

    return view


@limit_posts("asks")
@table_action
def ask(request: OwnRequest, table: Table) -> Table:
    return services.ask_question(table_id=table.pk, user=request.user, kind=request.POST.get("kind", ""))


@require_GET
@while_hidden(players_may=True)
def undo(request: HttpRequest, table: Table) -> HttpResponse:
    """The undo button of a board, or what its menu says about the last move when it is opened."""
    seat = seat_of(request, table)
    if seat is None or table.status != Table.Status.RUNNING:
        raise Http404("You have no move to undo.")
    stays = services.why_move_stays(table, seat)
    if questions.undoes_alone(table):
        return HttpResponse(draw_part("side", "undo_button", stays))
    return HttpResponse(draw_part("side", "question_button", question_button(table, "undo", seat.number), stays))


@table_action
def answer(request: OwnRequest, table: Table) -> Table:
    """`answer`: "agree", "refuse", or "withdraw" for the own question; `mark`: which one was read."""
    mark, said = request.POST.get("mark", ""), request.POST.get("answer")
    if said == "withdraw":
        return services.withdraw_question(table_id=table.pk, user=request.user, key=mark)
    return services.answer_question(table_id=table.pk, user=request.user, key=mark, agrees=said == "agree")


@table_action
def go_on(request: OwnRequest, table: Table) -> Table:
    return services.end_pause(table_id=table.pk, user=request.user)
