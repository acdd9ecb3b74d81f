"""Coach page: the review of one's own finished game, and its start."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.throttle import limit_posts
from games import services
from games.core.contract import GameError
from games.models import CoachReview, Table
from games.presentation import coach_page
from games.views.table import while_hidden
from infra.numbers import read_number
from infra.requests import HtmxRequest


@require_http_methods(["GET", "POST"])
@limit_posts("coach", count=30, seconds=600, accounts_too=True)
@while_hidden(players_may=False)
def coach(request: HtmxRequest, table: Table) -> HttpResponse:
    """The visitor's own review: `?mistake=` is shown on the board, the costliest one first. A POST starts it.

    While the review is being made, the page asks for its progress.
    """
    if request.method == "POST":
        change(request, table)
        return redirect("games:coach", table.code)
    review = CoachReview.objects.filter(table=table, user=request.user.pk).first()
    context: dict[str, Any] = {"table": table, "game": table.rules, "review": review, "section": "play"}
    if review is None:
        user = request.user
        context["refusal"] = services.why_no_review(table, user) if isinstance(user, User) else ""
        return render(request, "games/coach.html", context)
    if review.is_finished:
        context |= finished_context(request, table, review)
    return render(request, "games/_coach.html" if request.htmx else "games/coach.html", context)


def change(request: HttpRequest, table: Table) -> None:
    """Starts the review; or, with `automatic`, says whether games against bots are reviewed without being asked."""
    if not isinstance(request.user, User):
        return
    if "automatic" in request.POST:
        is_on = request.POST["automatic"] == "on"
        services.set_reviews_bot_games(user=request.user, is_on=is_on)
        on, off = "The coach will review your games against bots.", "The coach reviews only the games you choose."
        messages.success(request, on if is_on else off)
        return
    try:
        services.request_review(table=table, user=request.user, now=timezone.now())
    except GameError as error:
        messages.error(request, str(error))


def finished_context(request: HttpRequest, table: Table, review: CoachReview) -> dict[str, Any]:
    summary = coach_page.summary_of(review, table)
    context: dict[str, Any] = {
        "summary": summary,
        "reviews_bot_games": services.reviews_bot_games(review.user),
        "names": tuple(table.names),
        "can_branch": not table.is_hidden,
    }
    if summary is not None:
        context["tables"] = [
            ("Accuracy by kind of move", summary.kinds),
            ("Accuracy by part of the hand", summary.parts),
        ]
    if summary is None or not summary.mistakes:
        return context
    number = read_number(request.GET.get("mistake", ""), 1, most=len(summary.mistakes)) or 1
    shown = summary.mistakes[number - 1]
    return context | {"shown": shown} | coach_page.mistake_context(table, shown.row, review.seat)
