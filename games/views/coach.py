"""Coach page: the review of the player's own finished game, or their bot's, and its start."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.throttle import limit_posts
from games import services
from games.bots import reason
from games.bots.coach import evaluator_of
from games.core.contract import GameError
from games.forms.board_input import entered_in, written_move
from games.models import CoachReview, Table
from games.presentation import coach_page
from games.presentation.board import Refusal, build_board
from games.record.coach_rows import DecisionRow
from games.record.playback import playback_of
from games.signals import move_refused
from games.views.access import while_hidden
from infra.numbers import read_number
from infra.requests import HtmxRequest


@require_http_methods(["GET", "POST"])
@limit_posts("coach")
@while_hidden(players_may=False)
def coach(request: HtmxRequest, table: Table) -> HttpResponse:
    """The visitor's own review: `?mistake=` is shown on the board, the costliest one first.

    A POST starts it, or continues one that was cut. While it is being made, the page asks for its progress.
    `?practise=` is a mistake to try once more.
    """
    if request.method == "POST" and "practise" not in request.GET:
        change(request, table)
        return redirect("games:coach", table.code)
    review = table.coach_reviews.filter(user=request.user.pk).first()
    context: dict[str, Any] = {"table": table, "game": table.rules, "review": review, "section": "play"}
    if review is None:
        user = request.user
        context["refusal"] = services.why_no_review(table, user) if isinstance(user, User) else ""
        context["seats"] = services.seats_to_review(table, user.pk)
        return render(request, "games/coach.html", context)
    if not review.is_finished:
        context["percent_done"] = services.percent_of_review(review)
    else:
        context["can_look_further"] = services.can_look_further(review)
        if not review.is_partial:
            context |= finished_context(request, table, review)
    return render(request, "games/_coach.html" if request.htmx else "games/coach.html", context)


def change(request: HttpRequest, table: Table) -> None:
    """Starts the review, or continues it with `further`.

    With `automatic` it says whether games against bots are reviewed without being asked.
    """
    if not isinstance(request.user, User):
        return
    if "automatic" in request.POST:
        is_on = request.POST["automatic"] == "on"
        services.set_reviews_bot_games(user=request.user, is_on=is_on)
        on, off = "The coach will review your games against bots.", "The coach reviews only the games you choose."
        messages.success(request, on if is_on else off)
        return
    try:
        if "further" in request.POST:
            services.look_further(table=table, user=request.user, now=timezone.now())
        else:
            seat = read_number(request.POST.get("seat", ""), None)
            services.request_review(table=table, user=request.user, now=timezone.now(), seat=seat)
    except GameError as error:
        messages.error(request, str(error))


def finished_context(request: HtmxRequest, table: Table, review: CoachReview) -> dict[str, Any]:
    summary, player = coach_page.summary_of(review, table), table.seat_rows[review.seat]
    context: dict[str, Any] = {
        "bot_name": player.name if player.user_id != review.user_id else "",
        "moves_before": player.moves_before,
        **table.moves.filter(seat=player.number).aggregate(
            by_stand_in=Count("pk", filter=Q(is_by_stand_in=True)), by_clock=Count("pk", filter=Q(is_by_clock=True))
        ),
        "summary": summary,
        "evaluator": evaluator_of(table.game),
        "reviews_bot_games": services.reviews_bot_games(review.user),
        "names": tuple(table.names),
        "can_branch": not table.is_hidden,
    }
    if summary is not None and summary.judged:
        context["tables"] = [
            ("Accuracy by kind of move", summary.kinds),
            (f"Accuracy by part of the {table.rules.deal_word}", summary.parts),
        ]
    if summary is None or not summary.mistakes:
        return context
    most = len(summary.mistakes)
    practised = read_number(request.GET.get("practise", ""), 0, most=most)
    shown = summary.mistakes[(practised or read_number(request.GET.get("mistake", ""), 1, most=most) or 1) - 1]
    context |= {"shown": shown, "next_to_practise": shown.number + 1 if shown.number < most else 0}
    answer = practise(request, table, shown.row, review.seat) if practised and request.method == "POST" else None
    if practised and not isinstance(answer, coach_page.PractiseAnswer):
        return context | {
            "practised": practised,
            "practise_url": f"{reverse('games:coach', args=[table.code])}?practise={practised}",
            "refusal": answer,
            "entered": entered_in(request),
            "board": build_board(
                coach_page.view_of(table, shown.row, review.seat), names=table.names, sides=table.sides
            ),
        }
    return context | {"answer": answer} | coach_page.mistake_context(table, shown.row, review.seat)


def practise(request: HttpRequest, table: Table, row: DecisionRow, seat: int) -> coach_page.PractiseAnswer | Refusal:
    """Judges another try at a mistake; a refusal if it is no legal move.

    A wrong answer brings the rule behind the best move into the player's reviews.
    """
    state = playback_of(table).state_at(row.at)
    view = state.view(seat)
    try:
        move = table.rules.parse(written_move(table.rules, lambda: view, request.POST))
        state.play(seat, move)
    except GameError as error:
        return Refusal.of(error)
    answer = coach_page.practise_answer(table, row, view, move)
    rule = reason(table.game, view, table.rules.parse(row.best)).rule
    if not answer.is_right and rule:
        move_refused.send(sender=Table, user_id=request.user.pk, rule=rule)
    return answer
