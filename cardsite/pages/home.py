"""Home page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.throttle import limit_posts
from games.models import Table
from games.presentation.game_list import LISTED_GAMES, WELL_KNOWN_GAMES
from games.queries.watchable import count_watchable
from games.views.lobby import play_now_form
from infra.requests import HtmxRequest
from infra.time_zones import local_day
from tournaments.views.events import calendar_context
from tutorials import reviews
from tutorials.navigation import left_off
from tutorials.puzzles import daily_puzzle
from tutorials.views.lessons import lesson_context, lesson_or_404

OWN_TABLES = 3
FIRST_STEP = ("casino", "taking", "same-rank")


@require_http_methods(["GET", "POST"])
@limit_posts("lessons")
def home(request: HtmxRequest) -> HttpResponse:
    """The home page with a step of a lesson, which a POST plays; for htmx only that step.

    Returning visitors find first where they can continue: a course, running games, their next event.
    """
    step = lesson_context(request, lesson_or_404(request, *FIRST_STEP, url=reverse("home")))
    if request.htmx:
        return render(request, "cardsite/_home_step.html", step)
    calendar = calendar_context(request)
    tables = Table.objects.none()
    if request.user.is_authenticated:
        seated = Table.objects.running().filter(seats__user=request.user, seats__has_left=False)
        tables = seated.with_seats().order_by("-started_at")[:OWN_TABLES]
    context = {
        **calendar,
        **step,
        "game_count": len(LISTED_GAMES),
        "well_known": WELL_KNOWN_GAMES,
        "play_form": play_now_form(request),
        "left": left_off(request.user),
        "due": reviews.due_reviews(request.user, now=timezone.now()),
        "daily": daily_puzzle(request.user, local_day(request, timezone.now())),
        "tables": tables,
        "live_games": count_watchable(),
        "entered": next((event for event in calendar["upcoming"] if event.pk in calendar["own"]), None),
    }
    return render(request, "cardsite/home.html", context)
