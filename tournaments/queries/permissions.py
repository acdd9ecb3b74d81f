"""Who may do what: admins everything, directors all in their own events, helpers check-in and results.

Pages ask here. Services ask once more where it matters who somebody is in the event (`services.adjudicating`).
"""

from collections.abc import Callable
from enum import IntEnum
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404

from accounts.models import User
from tournaments.models import Event, EventRole

PLAN = "tournaments.add_event"  # what the group "Directors" may do
ADMINISTER = "tournaments.change_event"


class Rank(IntEnum):
    """What somebody is in an event; who is more may do all that others may."""

    NOBODY = 0
    HELPER = 1
    DIRECTOR = 2


RANK_OF_ROLE: dict[str, Rank] = {EventRole.Role.DIRECTOR: Rank.DIRECTOR, EventRole.Role.HELPER: Rank.HELPER}

REFUSALS = {
    Rank.HELPER: "This is for the directors of the event and for those who help them.",
    Rank.DIRECTOR: "This is for the directors of the event.",
}
NO_PLANNER = "Only directors plan events. An admin of the site can make you one."


def may_plan(user: User | AnonymousUser) -> bool:
    """Whether somebody may create events, which he then directs."""
    return user.has_perm(PLAN) or user.has_perm(ADMINISTER)


def rank(user: User | AnonymousUser, event: Event) -> Rank:
    if not user.is_authenticated:
        return Rank.NOBODY
    if event.created_by_id == user.pk or user.has_perm(ADMINISTER):
        return Rank.DIRECTOR
    role = event.roles.filter(user=user).values_list("role", flat=True).first()
    return RANK_OF_ROLE.get(role, Rank.NOBODY) if role else Rank.NOBODY


def require(user: User | AnonymousUser, event: Event, needed: Rank) -> None:
    """:raises PermissionDenied: with a sentence for the page."""
    if rank(user, event) < needed:
        raise PermissionDenied(REFUSALS[needed])


View = Callable[..., HttpResponseBase]


def for_planners(view: View) -> View:
    """A page for whoever may create events."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not may_plan(request.user):
            raise PermissionDenied(NO_PLANNER)
        return view(request, *args, **kwargs)

    return guarded


def for_rank(needed: Rank) -> Callable[[View], View]:
    """A page of an event for those who run it. The view is given the event in place of its number."""

    def decorated(view: View) -> View:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponseBase:
            event = get_object_or_404(Event, pk=pk)
            require(request.user, event, needed)
            return view(request, event, **kwargs)

        return guarded

    return decorated
