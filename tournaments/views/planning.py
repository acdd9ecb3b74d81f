"""Pages to plan an event: its kind, its settings, how long it will take."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from infra import form_once
from infra.numbers import read_number
from infra.requests import HtmxRequest
from tournaments import services
from tournaments.files.event_files import event_from_json
from tournaments.forms.events import DryRunForm, EventFileForm, EventForm, with_own_changes
from tournaments.models import Event, EventSettings, Series
from tournaments.planning import estimates, presets
from tournaments.planning.edits import read_settings_snapshot, settings_snapshot
from tournaments.queries.permissions import EventRank, for_planners, for_rank

CLONES_LISTED = 12
FIELDS_OF_CLONE = ("name", "description", "time_zone")
USUAL_ENTRIES = (8, 16, 32)


@for_planners
def new_event(request: OwnRequest) -> HttpResponse:
    """Chooses what to start from, then shows the form: `?preset=`, `?series=`, `?event=` or `?game=`."""
    source = request.GET or request.POST
    if not source:
        return render(request, "tournaments/planning/choose.html", choices_context())
    return edit_form(request, blank_event(request.GET))


@for_planners
@require_POST
def new_event_from_file(request: OwnRequest) -> HttpResponse:
    """The form, with the settings of an exported event."""
    form = EventFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            event = event_from_json(form.cleaned_data["file"], starts_at=usual_start())
        except services.EventError as error:
            form.add_error("file", str(error))
        else:
            context = {"section": "events", "source": "", "seen": "", "form": EventForm(instance=event), "event": event}
            return render(request, "tournaments/planning/edit.html", context)
    return render(request, "tournaments/planning/choose.html", choices_context() | {"file_form": form}, status=422)


def usual_start() -> datetime:
    return (timezone.now() + timedelta(minutes=30)).replace(second=0, microsecond=0)


def choices_context() -> dict[str, Any]:
    return {
        "file_form": EventFileForm(),
        "section": "events",
        "presets": presets.PRESETS,
        "series": Series.objects.order_by("name"),
        "events": Event.objects.filter(series=None).order_by("-starts_at")[:CLONES_LISTED],
    }


def blank_event(source: Any) -> Event:
    """An unsaved event with the settings it is started from."""
    starts_at = usual_start()
    event = Event(game="casino", starts_at=starts_at, appear_minutes=presets.KNOCK_OUT_MINUTES)
    series_id, event_id = (read_number(source.get(name, ""), None) for name in ("series", "event"))
    if series_id is not None:
        series = get_object_or_404(Series, pk=series_id)
        event = Event(name=series.name, starts_at=starts_at, time_zone=series.time_zone, **copied(series))
    elif event_id is not None:
        old = get_object_or_404(Event, pk=event_id)
        kept = {name: getattr(old, name) for name in FIELDS_OF_CLONE}
        event = Event(starts_at=starts_at, **kept, **copied(old))
    elif chosen := presets.preset(source.get("preset", "")):
        event = Event(starts_at=starts_at, **{"game": "casino"} | chosen.settings)
    if event.has_pods and len(event.rules.sides(event.rules.read_options({}, event.seats), event.seats)) == 2:
        event.game, event.seats, event.options = "carousel", 4, {}
    return event


def copied(settings: EventSettings) -> dict[str, Any]:
    return settings.setting_values()


@for_rank(EventRank.DIRECTOR)
def edit_event(request: OwnRequest, event: Event) -> HttpResponse:
    return edit_form(request, event)


def edit_form(request: OwnRequest, event: Event) -> HttpResponse:
    """The form; `?again=` keeps what was typed while the fields change."""
    sent = request.POST if request.method == "POST" else request.GET
    context: dict[str, Any] = {"section": "events", "source": request.GET.urlencode()}
    context["seen"] = sent.get("seen") or (settings_snapshot(event) if event.pk else "")
    if request.method == "POST":
        form = EventForm(request.POST, instance=event, kind=request.POST)
        if form.is_valid():
            try:
                return redirect(save_once(form.instance, request))
            except services.EditConflict as conflict:
                return show_conflict(request, context, conflict)
            except services.UnconfirmedEdit as question:
                context |= {"question": question, "confirmation": services.edit_confirmation(form.instance)}
            except services.EventError as error:
                form.add_error(None, str(error))
    else:
        form = EventForm(instance=event, kind=request.GET)
        if "again" in request.GET:
            keep_typed(form, request.GET)
    status = 422 if form.errors or "question" in context else 200
    return render(request, "tournaments/planning/edit.html", context | {"form": form, "event": event}, status=status)


def save_once(event: Event, request: OwnRequest) -> str:
    """Stores the event of a form, and returns the address of its console. :raises services.EventError:"""
    with form_once.acting(request) as is_first:
        if is_first:
            save_form(event, request)
            console = reverse("tournaments:console", args=[event.pk])
            form_once.remember_result(request, console)
            return console
    messages.info(request, "You have already sent this form. This is what it made.")
    return form_once.result_of_first(request) or reverse("tournaments:index")


def save_form(event: Event, request: OwnRequest) -> None:
    """Stores the event of a form. :raises services.EventError:"""
    seen = None
    if event.pk:
        seen = read_settings_snapshot(request.POST.get("seen", ""), event.pk)
        if seen is None:
            raise services.EditConflict(event.pk)
    confirmed = request.POST.get("confirmed", "")
    services.save_event(event, by=request.user, now=timezone.now(), seen=seen, confirmed=confirmed)


def show_conflict(request: HttpRequest, context: dict[str, Any], conflict: services.EditConflict) -> HttpResponse:
    """The form after an edit conflict: what another editor has changed, and elsewhere what was typed."""
    stored = Event.objects.get(pk=conflict.event_id)
    typed: QueryDict = request.POST
    if seen := read_settings_snapshot(request.POST.get("seen", ""), stored.pk):
        typed = with_own_changes(typed, seen=seen, stored=stored)
    context |= {"seen": settings_snapshot(stored), "conflict": conflict}
    form = EventForm(typed, instance=stored, kind=typed)
    return render(request, "tournaments/planning/edit.html", context | {"form": form, "event": stored}, status=409)


def keep_typed(form: EventForm, typed: Any) -> None:
    """Keeps what was typed in fields that still exist; an empty checkbox sends nothing."""
    for name, field in form.fields.items():
        is_box = field.__class__.__name__ == "BooleanField"
        if name in typed or is_box:
            form.initial[name] = bool(typed.get(name)) if is_box else typed[name]


@login_required  # also for directors of an event that somebody else has created
@require_GET
def estimate_page(request: HtmxRequest) -> HttpResponse:
    """How long the event of the form would take, with several numbers of entries."""
    typed = request.GET.copy()
    typed["name"] = typed.get("name") or "a new tournament without a name"
    form = EventForm(typed, instance=blank_event({}), kind=typed)
    context: dict[str, Any] = {"section": "events", "form": form}
    if form.is_valid():
        event = context["event"] = form.instance
        if not event.clock.is_turn_based and services.is_measured(event):
            context["estimates"] = estimates_of(event)
    template = "_estimate.html" if request.htmx else "estimate.html"
    return render(request, f"tournaments/planning/{template}", context)


def estimates_of(event: Event) -> list[estimates.Estimate]:
    """With several numbers of entries, up to the maximum."""
    most = event.max_entries or max(USUAL_ENTRIES)
    counts = sorted({min(count, most) for count in (*USUAL_ENTRIES, event.fill_to or 8)})
    return [estimates.estimate_event(event, count) for count in counts]


@for_rank(EventRank.DIRECTOR)
def dry_run_page(request: OwnRequest, event: Event) -> HttpResponse:
    """The dry runs of an event; a POST starts another one."""
    usual = max(event.entries.present().count(), event.fill_to, event.min_entries, 8)
    form = DryRunForm(request.POST or None, initial={"entries": usual})
    if form.is_valid():
        services.ask_for_dry_run(event_id=event.pk, by=request.user, entries=form.cleaned_data["entries"])
        messages.success(request, "The dry run has started. Its report will appear here.")
        return redirect("tournaments:dry-run", event.pk)
    has_pace = not event.clock.is_turn_based
    found = estimates.estimate_event(event, usual) if has_pace and services.is_measured(event) else None
    context = {
        "section": "events",
        "event": event,
        "form": form,
        "runs": event.dry_runs.select_related("by")[:CLONES_LISTED],
        "found": found,
        "timeline": estimates.event_timeline(event, found) if found else (),
    }
    parts = {"dry-runs": "_dry_runs.html", "schedule": "_schedule.html"}
    template = parts.get(request.headers.get("HX-Target", ""), "dry_run.html")
    return render(request, f"tournaments/planning/{template}", context, status=422 if form.errors else 200)
