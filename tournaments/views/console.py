"""Pages of the director's console: its tabs, and a page for each action that needs more than a press."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.requests import OwnRequest
from infra import form_once
from infra.numbers import read_number
from tournaments import services
from tournaments.console import tabs
from tournaments.console.actions import ACTIONS
from tournaments.console.actions.base import Action
from tournaments.console.actions.entries import AddEntry, NotPaid, Paid
from tournaments.console.actions.event import Timetable
from tournaments.console.actions.people import Announce, DropRole, NameRole, SendMessage, TakeDown
from tournaments.console.actions.rounds import (
    Allow,
    Forbid,
    GiveBye,
    PairAfresh,
    PairAgain,
    PairByHand,
    Publish,
    Swap,
)
from tournaments.models import DirectorCall, Event
from tournaments.presentation.group_draws import pots_of
from tournaments.queries import people, permissions
from tournaments.queries.group_draws import draws_groups
from tournaments.queries.permissions import EventRank, for_rank
from tournaments.services import notices

ONE_UP, ONE_DOWN = -1, 1
NAMES_OFFERED = 8


@for_rank(EventRank.HELPER)
@require_GET
def console_tab(request: OwnRequest, event: Event, tab: str = "now") -> HttpResponse:
    frame = tabs.console_frame(event, request.user)
    if tab not in dict(frame["tabs"]):
        if tab not in tabs.TABS:
            raise Http404
        permissions.require_rank(request.user, event, EventRank.DIRECTOR)
    if not request.htmx and frame["calls"]:
        notices.read_director_called(request.user, event, [row.call for row in frame["calls"]])
    context = {"section": "events", "tab": tab, **frame, **TAB_CONTENTS[tab](event, request)}
    return render(request, f"tournaments/console/{tab}.html", context)


def _now(event: Event, request: OwnRequest) -> dict[str, Any]:
    rows = tabs.running_rows(event, request.user)
    return {
        "is_filling": any(row.missing for row in rows),
        "steps": tabs.coming_steps(event),
        "to_publish": tabs.round_to_publish(event),
        "set_aside": [row for row in rows if row.match.is_set_aside],
        "running": [row for row in rows if not row.match.is_set_aside],
    }


def _entries(event: Event, request: OwnRequest) -> dict[str, Any]:
    add = AddEntry(event, request.user, QueryDict())
    return {**tabs.entries_page(event, request.user, request.GET), "add": add, **paying(event)}


def _rounds(event: Event, request: OwnRequest) -> dict[str, Any]:
    return {
        "rounds": tabs.proposed_rounds(event),
        "preview": tabs.pairing_preview(event),
        "kinds": [kind for kind in (Swap, GiveBye, PairByHand, Forbid, Timetable) if kind.is_open(event)],
        "round_times": event.round_times.all(),
        "publish": Publish,
        "again": (PairAgain, PairAfresh),
        "allow": Allow,
        "forbidden": event.forbidden_pairs.select_related("first__user", "second__user"),
    }


def _results(event: Event, request: OwnRequest) -> dict[str, Any]:
    return {"running": tabs.running_rows(event, request.user), "decided": tabs.decided_rows(event, request.user)}


def _people(event: Event, request: OwnRequest) -> dict[str, Any]:
    name_role = NameRole(event, request.user, QueryDict())
    return {"roles": event.roles.select_related("user"), "drop": DropRole, "name_role": name_role}


def _announcements(event: Event, request: OwnRequest) -> dict[str, Any]:
    return {
        "announcements": event.announcements.select_related("by"),
        "take_down": TakeDown,
        "announce": Announce(event, request.user, QueryDict()),
        "message": SendMessage(event, request.user, QueryDict()),
        "messages_sent": event.messages.select_related("by"),
        "closed_calls": DirectorCall.objects.closed().neutral_for(request.user).filter(match__event=event),
    }


TAB_CONTENTS: dict[str, Callable[[Event, OwnRequest], dict[str, Any]]] = {
    "now": _now,
    "entries": _entries,
    "rounds": _rounds,
    "results": _results,
    "people": _people,
    "announcements": _announcements,
}
"""The context of each tab."""


def paying(event: Event) -> dict[str, Any]:
    """The context of what says who has paid: the actions, and how many have; {} without a fee."""
    if not event.fee:
        return {}
    entered = event.entries.entered()
    count = {"paid_count": entered.filter(has_paid=True).count(), "payers": entered.count()}
    return {"paid": Paid, "not_paid": NotPaid, **count}


@for_rank(EventRank.HELPER)
@require_GET
def console_entry(request: OwnRequest, event: Event, entry_id: int) -> HttpResponse:
    """One entry, its matches, and its actions."""
    found = get_object_or_404(event.entries.with_players(), pk=entry_id)
    matches = services.with_games(event.matches.filter(sides__entry=found))
    context = {
        "section": "events",
        "event": event,
        "row": tabs.entry_row(event, found, permissions.event_rank(request.user, event)),
        "matches": matches,
        "can_direct": permissions.event_rank(request.user, event) == EventRank.DIRECTOR,
    }
    return render(request, "tournaments/console/entry.html", context)


@for_rank(EventRank.DIRECTOR)
@require_GET
def complete_names(request: OwnRequest, event: Event) -> HttpResponse:
    """The people whose names begin with what is typed in a field for a person (`PersonField`), as options."""
    typed = str(next(iter(request.GET.values()), "")).strip()
    found = people.people_beginning_with(typed, most=NAMES_OFFERED)
    return render(request, "tournaments/console/_names.html", {"people": found})


@login_required
@require_http_methods(["GET", "POST"])
def run_action(request: OwnRequest, pk: int, slug: str) -> HttpResponse:
    """Runs an action, after its preview if there is one; otherwise shows its page."""
    event = get_object_or_404(Event, pk=pk)
    kind = ACTIONS.get(slug)
    if kind is None:
        raise Http404
    permissions.require_rank(request.user, event, kind.rank)
    if request.method == "GET":
        asked = kind(event, request.user, request.GET, is_sent=False)
        asked.read_notices()
        return _action_page(request, asked)
    action = kind(event, request.user, request.POST, is_sent=True)
    if not action.is_valid():
        return _action_page(request, action)
    try:
        preview = action.preview()
        if preview is not None and request.POST.get("seen") != action.preview_key():
            return _action_page(request, action, preview)
        done = _run_once(request, action)
    except (services.EventError, ObjectDoesNotExist) as error:
        why = str(error) if isinstance(error, services.EventError) else "Someone else has just removed this."
        if not action.is_button():
            action.add_error(None, why)
            return _action_page(request, action)
        messages.error(request, why)
        return _back_to_console(request, action)
    if isinstance(done, Event) and done != event:
        return redirect("tournaments:console", done.pk)
    return _back_to_console(request, action)


def _run_once(request: OwnRequest, action: Action) -> object:
    """What the action returns; None if the form has been sent before."""
    with form_once.acting(request) as is_first:
        if is_first:
            return action.run()
    messages.info(request, "You have already sent this form, so nothing was done again.")
    return None


def _action_page(request: OwnRequest, action: Action, preview: object = None) -> HttpResponse:
    context = {"section": "events", "event": action.event, "action": action, "preview": preview}
    status = 422 if action.errors else 200
    return render(request, "tournaments/console/action.html", context, status=status)


def _back_to_console(request: OwnRequest, action: Action) -> HttpResponse:
    """The tab from which the action was sent; after htmx only the messages."""
    if request.htmx:
        return refusal_messages(request)
    tab = request.POST.get("tab", action.tab)
    return redirect("tournaments:console-tab", action.event.pk, tab if tab in tabs.TABS else action.tab)


def refusal_messages(request: HttpRequest) -> HttpResponse:
    """The answer to a press: the refusal, or nothing. The console then reloads itself."""
    response = render(request, "_messages.html")
    response["HX-Trigger"] = "console-done"
    return response


@for_rank(EventRank.DIRECTOR)
@require_http_methods(["GET", "POST"])
def console_seeds(request: OwnRequest, event: Event) -> HttpResponse:
    """Seeds by hand: numbers, or one place up or down."""
    entries = [entry for entry in tabs.entries_in_order(event) if not entry.is_absent]
    order = [entry.pk for entry in entries]
    if request.method == "POST":
        try:
            services.set_seeds(event_id=event.pk, order=typed_seed_order(order, request.POST), by=request.user)
            return redirect("tournaments:seeds", event.pk)
        except services.EventError as error:
            messages.error(request, str(error))
    pots = pots_of(event, entries) if draws_groups(event) else [entries]
    rows = [(entry, number) for number, pot in enumerate(pots, start=1) for entry in pot]
    context = {"section": "events", "event": event, "rows": rows, "has_pots": draws_groups(event)}
    return render(request, "tournaments/console/seeds.html", context)


def typed_seed_order(order: list[int], sent: Any) -> list[int]:
    """The order by the typed numbers; then the entry of a pressed button moves by one."""
    typed = {pk: sent.get(f"seed-{pk}", "") for pk in order}
    now = {pk: number for number, pk in enumerate(order, start=1)}

    def place(pk: int) -> tuple[int, int]:
        """Who is given another's number pushes that one aside."""
        number = read_number(typed[pk], now[pk])
        return number, (number > now[pk]) - (number < now[pk])

    wanted = sorted(order, key=place)
    for name, by in (("up", ONE_UP), ("down", ONE_DOWN)):
        moved = read_number(sent.get(name, ""), 0)
        if moved in now:
            at = wanted.index(moved)
            to = min(max(at + by, 0), len(wanted) - 1)
            wanted[at], wanted[to] = wanted[to], wanted[at]
    return wanted
