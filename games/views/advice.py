"""Advice for a player to move: "Why can't I?", hints, and questions to the coach. Nothing is played."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.throttle import count_one, wait_in_words
from games import services
from games.core.contract import GameError, State
from games.core.words import render_text
from games.models import Seat, Table
from games.presentation import advice, table_page
from games.presentation.board import Refusal, build_board
from games.presentation.coach_answer import coach_answer
from games.presentation.parts import draw_part
from games.queries.advice import may_be_advised
from games.record import replay
from games.services import TableError
from games.signals import move_refused
from games.templatetags.cards import card_glyphs
from games.views.access import seat_of, while_hidden
from games.views.table import REFUSED, render_table
from infra.requests import HtmxRequest

MOST_PICKS = 60
MOST_HINTS, HINTS_SECONDS = 120, 600  # practice games ask for one at each move
MOST_QUESTIONS, QUESTIONS_SECONDS = 40, 600

Asked = Callable[[HtmxRequest, Table, Seat, State], HttpResponse]


def by_player_to_act(answer: Asked) -> Callable[[HtmxRequest, Table], HttpResponse]:
    """Decorator: a question of the player to move, answered from the position; others get a refusal."""

    @wraps(answer)
    def asked(request: HtmxRequest, table: Table) -> HttpResponse:
        try:
            return answer(request, table, *_to_act(request, table))
        except GameError as error:
            return _render_answer(request, table, Refusal.of(error), status=REFUSED)

    return asked


def _to_act(request: HttpRequest, table: Table) -> tuple[Seat, State]:
    """:raises TableError:"""
    seat = seat_of(request, table)
    if seat is None or seat.gave_up_deal or table.status != Table.Status.RUNNING or table.is_frozen:
        raise TableError("You have no move to make at this table.")
    state = replay.state_of(table)
    if seat.number not in state.to_act:
        raise TableError("It's not your turn. Ask again when it is.")
    return seat, state


def _render_answer(request: HtmxRequest, table: Table, answer: Refusal, *, status: int = 200) -> HttpResponse:
    """The answer: a part of the board for htmx; without script, the whole page."""
    if not request.htmx:
        return render_table(request, table, answer, status=status)
    return HttpResponse(draw_part("notices", "refusal_notice", answer), status=status)


@require_GET
@while_hidden(players_may=True)
@by_player_to_act
def why(request: HtmxRequest, table: Table, seat: Seat, state: State) -> HttpResponse:
    """Why the picks are no move; without any, a page on which they are chosen."""
    picks = request.GET.getlist("pick")[:MOST_PICKS]
    if picks:
        answer = advice.why_not(table.rules, state, seat.number, picks, table.names)
        if answer.rule:
            move_refused.send(sender=Table, user_id=seat.user_id, rule=answer.rule)
        return _render_answer(request, table, answer)
    board = build_board(state.view(seat.number), names=table.names, may_ask=True)
    panels = [panel for panel in (board.hand, *board.middle) if panel and panel.is_pickable]
    return render(request, "games/why.html", {"table": table, "panels": panels, "section": "play"})


@require_GET
@while_hidden(players_may=True)
@by_player_to_act
def selection(request: HtmxRequest, table: Table, seat: Seat, state: State) -> HttpResponse:
    """The words of the move that marked cards of the hand make, for its button; 204 if they make none, or several."""
    try:
        choice = advice.marked_move(table.rules, state, seat.number, request.GET.getlist("text")[:MOST_PICKS])
    except GameError:
        return HttpResponse(status=204)
    return HttpResponse(card_glyphs(render_text(choice.phrase.text, table.names, seat.number)))


@require_POST
@while_hidden(players_may=True)
@by_player_to_act
def hint(request: HtmxRequest, table: Table, seat: Seat, state: State) -> HttpResponse:
    """What the strong bot would play here, and why."""
    if not may_be_advised(table, seat):
        raise TableError("Hints are only available in unrated games against bots.")
    wait = count_one("hints", str(seat.user_id), count=MOST_HINTS, seconds=HINTS_SECONDS)
    if wait:
        raise TableError(f"You have asked for many hints. Please wait {wait_in_words(wait)}.")
    given = advice.hint(table.rules, state.view(seat.number), table.names, seed=table.code)
    if request.htmx:
        return HttpResponse(draw_part("notices", "coach_notice" if table.lesson_path else "hint_notice", given))
    return render(request, "games/table.html", table_page.context(table, seat) | {"hint": given})


@require_http_methods(["GET", "POST"])
@while_hidden(players_may=True)
@by_player_to_act
def ask_coach(request: HtmxRequest, table: Table, seat: Seat, state: State) -> HttpResponse:
    """How good the move is that the picks mean; without any, what each move is worth. A GET asks for the answer."""
    if request.method == "POST":
        if len(state.view(seat.number).moves) == 1:
            raise TableError("The coach sees only one move here.")
        picks = request.POST.getlist("pick")[:MOST_PICKS]
        move = str(advice.selected_move(table.rules, state, seat.number, picks)) if picks else ""
        wait = count_one("coach-questions", str(seat.user_id), count=MOST_QUESTIONS, seconds=QUESTIONS_SECONDS)
        if wait:
            raise TableError(f"You have asked the coach many questions. Please wait {wait_in_words(wait)}.")
        services.ask_coach(table=table, seat=seat, move=move, now=timezone.now())
    question = services.newest_question(table=table, seat=seat)
    if question is None:
        raise TableError("You haven't asked the coach about this position.")
    answer = coach_answer(table, question, state.view(seat.number), now=timezone.now())
    if request.htmx:
        return HttpResponse(draw_part("notices", "coach_answer_notice", answer))
    return render(request, "games/table.html", table_page.context(table, seat) | {"coach_answer": answer})
