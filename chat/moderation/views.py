"""Pages of the moderators, and what one is told of their decisions."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from chat.forms import WhyForm
from chat.models import Act, Report
from chat.moderation import services as acts
from chat.views import subject
from games.models import Table

LOGGED = 50
ACTS: dict[str, tuple[str, Callable[..., Act]]] = {
    "dismiss": ("Dismiss", acts.dismiss),
    "hide": ("Hide what was said", acts.hide),
    "mute-day": ("Mute for a day", partial(acts.mute, time=acts.DAY)),
    "mute-week": ("Mute for a week", partial(acts.mute, time=acts.WEEK)),
    "shut": ("Shut the account", acts.shut),
}

moderators_only = permission_required("talk.moderate", raise_exception=True)


@require_GET
@login_required
@moderators_only
def moderation(request: OwnRequest) -> HttpResponse:
    """The open reports, oldest first."""
    found = reports_for(request).filter(outcome="")
    rows = [(report, ways(report), report.about.moderated.exclude(what=Act.What.DISMISS)) for report in found]
    return render(request, "chat/moderation.html", {"rows": rows})


def reports_for(request: OwnRequest) -> QuerySet[Report]:
    """Those that the visitor may see to: none about himself, or with what was said beside cards that he plays.

    The same secret means the same cards: other tables of a round may have them.
    """
    plays = Table.objects.running().of(request.user).values("secret")
    known = Report.objects.select_related("by", "about", "table", "line__table", "remark")
    return known.exclude(about=request.user).exclude(table__secret__in=plays)


def ways(report: Report) -> list[tuple[str, str]]:
    """Name and label of what can be done about it."""
    return [(name, label) for name, (label, _) in ACTS.items() if name != "hide" or report.line or report.remark]


@require_POST
@login_required
@moderators_only
def act(request: OwnRequest, pk: int) -> HttpResponse:
    report = get_object_or_404(reports_for(request), pk=pk)
    form, name = WhyForm(request.POST), request.POST.get("act", "")
    if report.outcome:
        messages.error(request, "Somebody has seen to this report already; nothing was changed.")
    elif not form.is_valid() or name not in ACTS:
        messages.error(request, "Nothing was changed: a decision needs a reason.")
    else:
        try:
            done = ACTS[name][1](report=report, by=request.user, why=form.cleaned_data["why"])
            messages.success(request, f"Done: {done}. It is in the log.")
        except acts.ModerationError as error:
            messages.error(request, str(error))
    return redirect("talk:moderation")


@require_POST
@login_required
@moderators_only
def hide(request: OwnRequest) -> HttpResponse:
    """Hides the `?line=`, or the `?remark=` to a move, at once: what the visitor may read."""
    what, form = subject(request), WhyForm(request.POST)
    said = what.get("line") or what.get("remark")
    if said is None:
        raise Http404("There is nothing to hide.")
    if not form.is_valid():
        messages.error(request, "Nothing was changed: a decision needs a reason.")
        return redirect(f"{reverse('talk:report')}?{request.GET.urlencode()}")
    try:
        done = acts.hide_unreported(said=said, by=request.user, why=form.cleaned_data["why"])
        messages.success(request, f"Done: {done}. It is in the log.")
    except acts.ModerationError as error:
        messages.error(request, str(error))
    return redirect("talk:log")


@require_GET
@login_required
@moderators_only
def log(request: HttpRequest) -> HttpResponse:
    known = Act.objects.select_related("by", "about", "undone_by", "report")
    page = Paginator(known, LOGGED).get_page(request.GET.get("page"))
    return render(request, "chat/log.html", {"page": page})


@require_POST
@login_required
@moderators_only
def undo(request: OwnRequest, pk: int) -> HttpResponse:
    try:
        acts.undo(act=get_object_or_404(Act, pk=pk), by=request.user)
    except acts.ModerationError as error:
        messages.error(request, str(error))
    return redirect("talk:log")


@require_GET
@login_required
def told(request: OwnRequest, pk: int) -> HttpResponse:
    """For whom a decision is about."""
    decision = get_object_or_404(Act.objects.select_related("line", "remark"), pk=pk, about=request.user)
    return render(request, "chat/told.html", {"act": decision})
