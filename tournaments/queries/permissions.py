"""Permissions: admins may do everything, directors everything in their events, helpers check-in and results.

Pages check here. Services check again where it matters what a user is in the event (`services.adjudicating`).
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
from tournaments.models import DivisionLeague, Event, EventRole, Ladder, Season, Series

PLAN_PERMISSION = "tournaments.add_event"  # what the group "Directors" may do
ADMIN_PERMISSION = "tournaments.change_event"


class EventRank(IntEnum):
    """What a user is in an event; each rank may do all that lower ones may."""

    NOBODY = 0
    HELPER = 1
    DIRECTOR = 2


RANK_OF_ROLE: dict[str, EventRank] = {
    EventRole.Role.DIRECTOR: EventRank.DIRECTOR,
    EventRole.Role.HELPER: EventRank.HELPER,
}

REFUSALS = {
    EventRank.HELPER: "Only directors and helpers of this tournament can do this.",
    EventRank.DIRECTOR: "Only directors of this tournament can do this.",
}
NO_PLANNER = "Only directors can plan tournaments. Ask an admin to make you one."


def may_plan(user: User | AnonymousUser) -> bool:
    """Whether a user may create events, and so direct them."""
    return user.has_perm(PLAN_PERMISSION) or user.has_perm(ADMIN_PERMISSION)


def event_rank(user: User | AnonymousUser, event: Event) -> EventRank:
    if not user.is_authenticated:
        return EventRank.NOBODY
    if event.created_by_id == user.pk or user.has_perm(ADMIN_PERMISSION):
        return EventRank.DIRECTOR
    role = event.roles.filter(user=user).values_list("role", flat=True).first()
    return RANK_OF_ROLE.get(role, EventRank.NOBODY) if role else EventRank.NOBODY


def may_change_series(user: User | AnonymousUser, series: Series) -> bool:
    """Whether a user may change a series: who planned it, and admins."""
    return may_plan(user) and (series.created_by_id == user.pk or user.has_perm(ADMIN_PERMISSION))


def may_change_season(user: User | AnonymousUser, season: Season | DivisionLeague | Ladder) -> bool:
    """Whether a user may change a season table, a league in divisions or a ladder: who made it, and admins."""
    return may_plan(user) and (season.created_by_id == user.pk or user.has_perm(ADMIN_PERMISSION))


def require_rank(user: User | AnonymousUser, event: Event, needed: EventRank) -> None:
    """:raises PermissionDenied: with a sentence for the page."""
    if event_rank(user, event) < needed:
        raise PermissionDenied(REFUSALS[needed])


EventView = Callable[..., HttpResponseBase]


def for_planners(view: EventView) -> EventView:
    """Decorator: a page for users who may create events."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not may_plan(request.user):
            raise PermissionDenied(NO_PLANNER)
        return view(request, *args, **kwargs)

    return guarded


def for_rank(needed: EventRank) -> Callable[[EventView], EventView]:
    """Decorator: a page for those who run the event. The view gets the event in place of its number."""

    def decorated(view: EventView) -> EventView:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponseBase:
            event = get_object_or_404(Event, pk=pk)
            require_rank(request.user, event, needed)
            return view(request, event, **kwargs)

        return guarded

    return decorated
