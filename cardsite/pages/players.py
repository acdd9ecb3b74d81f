"""Player page: the public page about a person with an account, or a house bot."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from accounts.models import User, with_name
from games.models import Rating, RatingChange, Table
from games.presentation.rating_graph import Graph, graph
from games.queries import reliability
from games.queries.head_to_head import head_to_head
from games.queries.ratings import rating_history
from tournaments.presentation import own_entries
from tutorials import course_tests, progress

GAMES_A_PAGE = 20
PROFILE_EVENTS = 10


@dataclass(frozen=True, slots=True)
class History:
    """changes: newest last."""

    rating: Rating
    changes: list[RatingChange]
    graph: Graph


def with_page() -> QuerySet[User]:
    """Those whom `User.has_page` is true of."""
    return User.objects.filter(is_active=True, is_guest=False)


def player(request: HttpRequest, name: str) -> HttpResponse:
    """`?game=` chooses the rating history to draw, by default the one that rests on most results; `?page=` of games.

    A name in other capitals redirects to the address with the right ones.
    """
    person = get_object_or_404(with_name(with_page().select_related("house_bot", "owner"), name))
    if person.username != name:
        return redirect(reverse("player", args=[person.username], query=request.GET))
    rated = list(person.ratings.filter(games__gt=0).order_by("-games", "game"))
    chosen = next((rating for rating in rated if rating.game == request.GET.get("game")), rated[0] if rated else None)
    other = request.user if request.user.is_authenticated and request.user != person else None
    context = {
        "person": person,
        "is_blocked": other is not None and other.blocks.filter(blocked=person).exists(),
        "ratings": rated,
        "reliability": reliability.reliabilities_of([person]).get(person.pk),
        "history": chosen and history_of(chosen),
        "tallies": head_to_head(other, person) if other else [],
        "page": Paginator(public_games(person), GAMES_A_PAGE).get_page(request.GET.get("page")),
        "courses": progress.finished_courses(person),
        "course_badges": course_tests.badges_of(person),
        "events": own_entries.finished_events_of(person, most=PROFILE_EVENTS),
    }
    return render(request, "cardsite/player.html", context)


def public_games(person: User) -> QuerySet[Table]:
    """Newest first. has_changed_ratings: of a rated game; one that was given up at once changes none."""
    changes = RatingChange.objects.filter(table=OuterRef("pk"))
    tables = Table.objects.public().of(person).with_seats().annotate(has_changed_ratings=Exists(changes))
    return tables.order_by("-finished_at", "-pk")


def history_of(rating: Rating) -> History | None:
    changes = rating_history(rating)
    if not changes:
        return None
    line = [(change.at.timestamp(), change.after) for change in changes]
    return History(rating, changes, graph([(line[0][0], changes[0].before), *line]))
