"""The page of a team, and what its captain, its members and players with its link do there."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from infra.numbers import read_number
from tournaments import services
from tournaments.forms.entries import TeamMemberForm
from tournaments.models import Entry, Event
from tournaments.presentation.team_boards import team_page
from tournaments.services import teams
from tournaments.views.console import typed_seed_order
from tournaments.views.entries import known_person, password_limit


@require_GET
def team(request: HttpRequest, pk: int, entry_id: int) -> HttpResponse:
    """Members, their results, and for those who may change it the order and the next line-up."""
    event, entry = _team(pk, entry_id)
    return render(request, "tournaments/team.html", team_context(request, event, entry))


def _team(pk: int, entry_id: int) -> tuple[Event, Entry]:
    event = get_object_or_404(Event, pk=pk)
    return event, get_object_or_404(event.entries.exclude(team_name="").with_players(teams=True), pk=entry_id)


def team_context(request: HttpRequest, event: Event, entry: Entry) -> dict[str, Any]:
    user, code = request.user, request.GET.get("code", "")
    is_in_play = entry.is_in and not event.finished_at
    manages = user.is_authenticated and is_in_play and teams.can_manage(event, entry, user)
    is_member = user.is_authenticated and user in entry.players
    knows_link = teams.is_team_code(entry, code)
    address = f"{reverse('tournaments:team', args=[event.pk, entry.pk])}?code={teams.team_code(entry)}"
    return {
        "section": "events",
        "event": event,
        "entry": entry,
        "team": team_page(event, entry),
        "manages": manages,
        "is_member": is_member,
        "can_order": manages and (event.is_before_start or user.pk != entry.user_id),
        "can_join": knows_link and event.is_before_start and entry.is_in and not is_member,
        "code": code,
        "link": request.build_absolute_uri(address) if manages and event.is_before_start else "",
        "member_form": TeamMemberForm(),
    }


TeamAct = Callable[[HttpRequest, Entry], object]


def team_action(act: TeamAct) -> Callable[..., HttpResponseBase]:
    """Decorator: a POST that changes a team and returns to its page, with the refusal if there is one."""

    @limit_posts("entries")
    @require_POST
    @wraps(act)
    def view(request: HttpRequest, pk: int, entry_id: int) -> HttpResponse:
        event, entry = _team(pk, entry_id)
        try:
            act(request, entry)
        except services.EventError as error:
            messages.error(request, str(error))
        return redirect("tournaments:team", event.pk, entry.pk)

    return view


@limit_posts("entries")
@require_POST
def invite(request: HttpRequest, pk: int, entry_id: int) -> HttpResponse:
    """A refused form keeps the name."""
    event, entry = _team(pk, entry_id)
    form = TeamMemberForm(request.POST)
    if form.is_valid():
        try:
            services.invite_member(entry_id=entry.pk, by=known_person(request), **form.cleaned_data)
            return redirect("tournaments:team", event.pk, entry.pk)
        except services.EventError as error:
            messages.error(request, str(error))
    context = team_context(request, event, entry) | {"member_form": form}
    return render(request, "tournaments/team.html", context, status=422)


@team_action
def join(request: HttpRequest, entry: Entry) -> None:
    code, password = request.POST.get("code", ""), request.POST.get("password", "")
    with password_limit(request, entry.event):
        services.join_team(entry_id=entry.pk, user=ensure_person(request), code=code, password=password)


@team_action
def leave(request: HttpRequest, entry: Entry) -> None:
    """The visitor leaves; the member `remove` is removed by the captain."""
    user, member_id = known_person(request), read_number(request.POST.get("remove", ""), 0)
    if member_id:
        services.remove_member(entry_id=entry.pk, member_id=member_id, by=user)
    else:
        services.leave_team(entry_id=entry.pk, user=user)


@team_action
def order(request: HttpRequest, entry: Entry) -> None:
    """By typed numbers, or one place up or down."""
    members = [member.pk for member in entry.team]
    by = known_person(request)
    services.order_members(entry_id=entry.pk, order=typed_seed_order(members, request.POST), by=by)


@team_action
def line_up(request: HttpRequest, entry: Entry) -> None:
    """Those who are ticked play the next match."""
    players = [read_number(pk, 0) for pk in request.POST.getlist("plays")]
    seen = read_number(request.POST.get("seen", ""), -1)
    services.set_line_up(entry_id=entry.pk, players=players, seen=seen, by=known_person(request))
    messages.success(request, "The line-up is saved.")
