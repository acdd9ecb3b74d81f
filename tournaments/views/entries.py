"""Pages to enter an event, find a partner, check in, withdraw; the visitor's own tournaments; import of entries."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import brute_force
from accounts.models import User
from accounts.requests import OwnRequest, Visitor
from accounts.services import ensure_person
from accounts.throttle import limit_posts
from infra.numbers import read_number
from tournaments import services
from tournaments.forms.entries import EnterForm, ImportForm, PartnerForm
from tournaments.models import Entry, Event
from tournaments.presentation import entry_wording
from tournaments.presentation.own_entries import tournaments_of
from tournaments.queries.permissions import EventRank, event_rank, for_rank
from tournaments.services import importing
from tournaments.views.events import event_context

ENTRIES_A_PAGE = 60
EntryAct = Callable[..., object]


def event_action(act: EntryAct) -> Callable[..., HttpResponse]:
    """Decorator: a POST that does something in an event and returns to its page, with the refusal if there is one.

    An `entry_id` in the address must be of this event; it may have gone since the page was made.
    """

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, pk: int, **ids: int) -> HttpResponse:
        event = get_object_or_404(Event, pk=pk)
        try:
            if ids:
                event.entries.get(pk=ids["entry_id"])
            act(request, pk, **ids)
        except services.EventError as error:
            messages.error(request, str(error))
        except Entry.DoesNotExist:
            messages.error(request, "This entry no longer exists.")
        return redirect(event)

    return view


@limit_posts("entries")
@require_POST
def enter_event(request: HttpRequest, pk: int) -> HttpResponse:
    event = get_object_or_404(Event, pk=pk)

    def act(**entry: Any) -> Entry:
        with password_limit(request, event):
            return services.enter_event(**entry)

    form = EnterForm(request.POST, event=event, comes_back=comes_back(event, request.user))
    return handle_entry_form(request, event, act, "enter_form", form)


def comes_back(event: Event, user: Visitor) -> bool:
    """Whether the visitor has played in this event already, so the form asks nothing."""
    return user.is_authenticated and event.entries.of(user).exclude(seed=None).exists()


def password_limit(request: HttpRequest, event: Event) -> AbstractContextManager[None]:
    """Limits wrong passwords for an event. Accounts are counted apart, so strangers cannot keep their owners out."""
    if not event.password:
        return nullcontext()
    apart = f"account-{request.user.pk}" if request.user.is_authenticated and request.user.has_account else ""
    return brute_force.secret_attempt(request, f"event:{event.pk}", apart=apart, wrong=services.WrongPassword)


@limit_posts("entries")
@require_POST
def invite_partner(request: HttpRequest, pk: int) -> HttpResponse:
    event = get_object_or_404(Event, pk=pk)
    return handle_entry_form(
        request, event, services.invite_partner, "partner_form", PartnerForm(request.POST), known_person
    )


def handle_entry_form(
    request: HttpRequest,
    event: Event,
    act: EntryAct,
    name: str,
    form: Form,
    person: Callable[..., User] = ensure_person,
) -> HttpResponse:
    """Handles a form on the page of an event; a refused form keeps what was typed."""
    if form.is_valid():
        try:
            act(event_id=event.pk, user=person(request), **form.cleaned_data)
            return redirect(event)
        except services.EventError as error:
            messages.error(request, str(error))
    return render(request, "tournaments/event.html", event_context(request, event.pk) | {name: form}, status=422)


def known_person(request: HttpRequest) -> User:
    """The visitor, who is not made a guest for what needs an entry or an invitation. :raises EventError:"""
    if not request.user.is_authenticated:
        raise services.EventError("You aren't in this tournament.")
    return request.user


@limit_posts("entries")
@event_action
def join_partner(request: HttpRequest, pk: int, *, entry_id: int) -> None:
    with password_limit(request, Event.objects.get(pk=pk)):
        services.join_partner(entry_id=entry_id, user=ensure_person(request), password=request.POST.get("password", ""))


@event_action
def accept_invitation(request: HttpRequest, pk: int, *, entry_id: int) -> None:
    """To be a partner, or to play for a team."""
    is_team = Entry.objects.get(pk=entry_id).team_name
    accept = services.accept_team if is_team else services.accept_invitation
    accept(entry_id=entry_id, user=known_person(request))


@event_action
def decline_invitation(request: HttpRequest, pk: int, *, entry_id: int) -> None:
    is_team = Entry.objects.get(pk=entry_id).team_name
    decline = services.decline_team if is_team else services.decline_invitation
    decline(entry_id=entry_id, user=known_person(request))


@event_action
def check_in_own_entry(request: HttpRequest, pk: int) -> None:
    services.check_in_player(event_id=pk, user=known_person(request))


@event_action
def withdraw_own_entry(request: HttpRequest, pk: int) -> None:
    """At once; after the round in play with the button `after`, and not at all with `stay`."""
    user = known_person(request)
    if "after" in request.POST or "stay" in request.POST:
        services.leave_after_round(event_id=pk, user=user, is_leaving="after" in request.POST)
    else:
        services.withdraw_entry(event_id=pk, user=user)


@event_action
def ask_for_bye(request: HttpRequest, pk: int) -> None:
    """For the round `round`; `cancel` is the number of a round whose request is taken back."""
    user, cancelled = known_person(request), read_number(request.POST.get("cancel", ""), 0)
    if cancelled:
        services.cancel_bye(event_id=pk, user=user, number=cancelled)
    else:
        services.request_bye(event_id=pk, user=user, number=read_number(request.POST.get("round", ""), 0))


@event_action
def choose_reminder(request: HttpRequest, pk: int) -> None:
    """A notice before the start with the button `on`, none with any other."""
    services.want_reminder(event_id=pk, user=known_person(request), is_wanted="on" in request.POST)


@event_action
def return_to_play(request: HttpRequest, pk: int) -> None:
    """After missed matches; in a team also after a missed board."""
    back = services.return_to_team if Event.objects.get(pk=pk).has_teams else services.return_to_play
    back(event_id=pk, user=known_person(request))


@require_GET
def entry_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Everyone in an event, page by page; `?q=` is a part of their names."""
    event, text = get_object_or_404(Event, pk=pk), request.GET.get("q", "")
    entries = event.entries.entered().with_players(teams=event.has_teams).order_by("seed", "entered_at", "pk")
    found = [entry for entry in entries if entry_wording.is_named(entry, text)]
    page = Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    runs_it = event_rank(request.user, event) > EventRank.NOBODY
    context = {"section": "events", "event": event, "page": page, "q": text, "runs_it": runs_it}
    return render(request, "tournaments/entries.html", context)


@require_GET
def my_tournaments(request: HttpRequest) -> HttpResponse:
    found = tournaments_of(request.user) if request.user.is_authenticated else None
    return render(request, "tournaments/my_tournaments.html", {"section": "events", "tournaments_of_user": found})


@for_rank(EventRank.DIRECTOR)
@require_http_methods(["GET", "POST"])
def import_entries(request: OwnRequest, event: Event) -> HttpResponse:
    """A preview of what was pasted or uploaded, then the entries; lines that fail stay, to be fixed."""
    if event.has_teams:
        messages.error(request, "Teams can't be imported. Add them one by one.")
        return redirect("tournaments:console-tab", event.pk, "entries")
    if request.method == "GET":
        return show_import(request, event)
    form = ImportForm(request.POST, request.FILES)
    lines: list[importing.ImportLine] = []
    if form.is_valid():
        text = form.cleaned_data["text"]
        if "confirm" in request.POST:
            begun = importing.begin_import(event, text, by=request.user)
            return redirect(f"{reverse('tournaments:import-entries', args=[event.pk])}?import={begun.pk}")
        if "invite" in request.POST:
            done, text = importing.invite_all(event, text, by=request.user)
            messages.success(request, done)
            if not text:
                return redirect("tournaments:console", event.pk)
        lines = importing.preview_import(event, text)
        form = ImportForm(initial={"text": text})
    context = {"section": "events", "event": event, "form": form, "lines": lines}
    context["count"] = sum(line.can_enter for line in lines)
    context["known"] = sum(len(line.players) for line in lines)
    return render(request, "tournaments/import.html", context, status=422 if form.errors else 200)


def show_import(request: OwnRequest, event: Event) -> HttpResponse:
    """The import `?import=`, or the one that is going on: how far it has come, then what is left to fix."""
    chosen = read_number(request.GET.get("import", ""), 0)
    shown = event.imports.filter(pk=chosen).first() or event.imports.filter(finished_at=None).first()
    form = ImportForm(initial={"text": shown.rest if shown else ""})
    context = {"section": "events", "event": event, "form": form, "shown": shown}
    return render(request, "tournaments/import.html", context)
