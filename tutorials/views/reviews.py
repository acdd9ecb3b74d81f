"""Review page: one missed rule after the other, each in a fresh position."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.throttle import limit_posts
from games import engines
from infra.numbers import read_number
from tutorials import reviews
from tutorials.content import library
from tutorials.content.rulebook import Rule
from tutorials.content.runner import AnyGame
from tutorials.drills.questions import DrillQuestion, question_of
from tutorials.models import ReviewAnswer, ReviewItem
from tutorials.typeset import lesson_url
from tutorials.views.addresses import marked_answers
from tutorials.views.drill_pages import drill_context, question_key

ONE_SESSION = timedelta(hours=12)

ANSWERED = "You have answered this question already. Here is what comes next."
CHANGED = "This question has changed since you opened it. Nothing was counted; here is the current one."
NOTHING_MARKED = "Choose an answer first."


@require_http_methods(["GET", "POST"])
@limit_posts("lessons")
def review_page(request: HttpRequest) -> HttpResponse:
    """The next item that is due; a POST answers it. Without any, a summary and when the next is due."""
    now = timezone.now()
    if request.method == "POST" and isinstance(request.user, User):
        return answer(request, request.user, now)
    items = reviews.due_items(request.user, now=now)
    if not items:
        return render(request, "tutorials/reviewed.html", summary(request.user, now))
    return render(request, "tutorials/review.html", item_context(items[0], len(items)))


def answer(request: HttpRequest, user: User, now: datetime) -> HttpResponse:
    """Rates an item by its answer, or by "show me" and "I knew it" where its rule has no question."""
    items = reviews.due_items(user, now=now)
    asked = read_number(request.POST.get("item", ""), -1)
    item = next((item for item in items if item.pk == asked), None)
    if item is None or str(item.answers) != request.POST.get("answers"):
        messages.info(request, ANSWERED)
        return redirect("tutorials:review")
    drill, key = drill_of(item)
    if key != request.POST.get("key"):
        messages.info(request, CHANGED)
        return redirect("tutorials:review")
    marked = marked_answers(request, drill.question) if drill else frozenset[int]()
    if marked is None:
        messages.info(request, NOTHING_MARKED)
        return redirect("tutorials:review")
    is_right = marked == drill.question.right if drill else "knew" in request.POST
    try:
        rated = reviews.answer_item(user=user, item_id=item.pk, answers=item.answers, is_right=is_right, now=now)
    except reviews.AlreadyAnswered:
        messages.info(request, ANSWERED)
        return redirect("tutorials:review")
    if drill is None:
        return redirect("tutorials:review")
    left = reviews.due_reviews(user, now=now).items
    context = item_context(item, left, drill=drill, marked=marked)
    return render(request, "tutorials/review.html", context | {"due_at": rated.due_at})


def drill_of(item: ReviewItem) -> tuple[DrillQuestion | None, str]:
    """The question that an item asks now, and its name in the form; None and "" where its rule has none."""
    game, source = reviews.game_of(item), reviews.source_of(item)
    drill = question_of(game, source) if game and source else None
    return drill, question_key(source) if source and drill else ""


def item_context(
    item: ReviewItem, left: int, *, drill: DrillQuestion | None = None, marked: frozenset[int] | None = None
) -> dict[str, Any]:
    """What the page shows of an item: its question, or where it has none, its rule."""
    game, key = reviews.game_of(item), ""
    assert game is not None, "an item with a rule that is there"
    if drill is None:
        drill, key = drill_of(item)
    hidden = {"item": item.pk, "answers": item.answers, "key": key}
    rule = next(rule for rule in library.load_rule_book(item.game).rules if rule.id == item.rule)
    context: dict[str, Any] = {
        "game": game,
        "rule": rule,
        "lesson_url": lesson_url(item.game, item.rule),
        "left": left,
        "hidden": hidden,
        "section": "learn",
    }
    return context | (drill_context(game, drill, hidden=hidden, marked=marked) if drill else {})


def summary(user: object, now: datetime) -> dict[str, Any]:
    """How the last session went, with the rules that were missed, and when the next item is due."""
    answered: list[ReviewAnswer] = []
    if isinstance(user, User):
        own = ReviewAnswer.objects.filter(item__user=user, source=ReviewAnswer.Source.REVIEW, at__gt=now - ONE_SESSION)
        answered = list(own.select_related("item").order_by("at"))
    missed = dict.fromkeys((row.item.game, row.item.rule) for row in answered if not row.is_right)
    return {
        "answered": len(answered),
        "right": sum(row.is_right for row in answered),
        "missed": [rule for game, id in missed if (rule := rule_of(game, id))],
        "due": reviews.due_reviews(user, now=now),
        "section": "learn",
    }


def rule_of(game: str, id: str) -> tuple[AnyGame, Rule] | None:
    """A game with a rule of its book; None if it is no longer there."""
    if game not in library.games_with("rules.md"):
        return None
    return next(((engines.get(game), rule) for rule in library.load_rule_book(game).rules if rule.id == id), None)
