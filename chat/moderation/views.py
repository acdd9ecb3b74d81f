"""Pages of the moderators, and the page that tells a user of a decision about them."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from chat.forms import ReasonForm
from chat.models import Act, Report
from chat.moderation import services as acts
from chat.views import report_subject
from games.models import Table
from games.queries import fairness

REPORTS_A_PAGE = 20
LOG_LINES_A_PAGE = 50
DECISIONS: dict[str, tuple[str, Callable[..., Act]]] = {
    "dismiss": ("Dismiss", acts.dismiss_report),
    "hide": ("Hide the message", acts.hide_reported),
    "mute-day": ("Mute for a day", partial(acts.mute_player, time=acts.MUTE_DAY)),
    "mute-week": ("Mute for a week", partial(acts.mute_player, time=acts.MUTE_WEEK)),
    "shut": ("Suspend the account", acts.suspend_player),
}

moderators_only = permission_required("talk.moderate", raise_exception=True)


@require_GET
@login_required
@moderators_only
def open_reports(request: OwnRequest) -> HttpResponse:
    """The open reports, oldest first, with the decisions about the same users so far."""
    decisions = Prefetch("about__moderated", Act.objects.exclude(what=Act.What.DISMISS), to_attr="decisions")
    found = reports_for(request).filter(outcome="").prefetch_related(decisions)
    page = Paginator(found, REPORTS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(report, possible_decisions(report)) for report in page]
    return render(request, "chat/moderation.html", {"page": page, "rows": rows})


def reports_for(request: OwnRequest) -> QuerySet[Report]:
    """The reports that this moderator may decide: not about themselves, nor from tables whose cards they are playing.

    Tables with the same secret have the same cards, such as other tables of a round.
    """
    plays = Table.objects.running().of(request.user).values("secret")
    known = Report.objects.select_related("by", "about", "table", "line__table", "remark")
    return known.exclude(about=request.user).exclude(table__secret__in=plays)


def possible_decisions(report: Report) -> list[tuple[str, str]]:
    """The name and label of each decision that fits the report."""
    return [(name, label) for name, (label, _) in DECISIONS.items() if name != "hide" or report.line or report.remark]


@require_POST
@login_required
@moderators_only
def decide_report(request: OwnRequest, pk: int) -> HttpResponse:
    report = get_object_or_404(reports_for(request), pk=pk)
    form, name = ReasonForm(request.POST), request.POST.get("act", "")
    if not form.is_valid() or name not in DECISIONS:
        messages.error(request, "Nothing was changed. Please give a reason.")
    else:
        try:
            done = DECISIONS[name][1](report=report, by=request.user, why=form.cleaned_data["why"])
            messages.success(request, f"Done: {done}. It is in the log.")
        except acts.ModerationError as error:
            messages.error(request, str(error))
    return redirect("chat:moderation")


@require_POST
@login_required
@moderators_only
def hide_at_once(request: OwnRequest) -> HttpResponse:
    """Hides the chat line `?line=`, or the note `?remark=`, without a report."""
    what, form = report_subject(request), ReasonForm(request.POST)
    said = what.get("line") or what.get("remark")
    if said is None:
        raise Http404("There is nothing to hide.")
    if not form.is_valid():
        messages.error(request, "Nothing was changed. Please give a reason.")
        return redirect(f"{reverse('chat:report')}?{request.GET.urlencode()}")
    try:
        done = acts.hide_unreported(said=said, by=request.user, why=form.cleaned_data["why"])
        messages.success(request, f"Done: {done}. It is in the log.")
    except acts.ModerationError as error:
        messages.error(request, str(error))
    return redirect("chat:log")


@require_GET
@login_required
@moderators_only
def moderation_log(request: HttpRequest) -> HttpResponse:
    known = Act.objects.select_related("by", "about", "undone_by", "line", "remark")
    page = Paginator(known, LOG_LINES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "chat/moderation_log.html", {"page": page})


@require_POST
@login_required
@moderators_only
def undo_decision(request: OwnRequest, pk: int) -> HttpResponse:
    try:
        acts.undo_moderation(act=get_object_or_404(Act, pk=pk), by=request.user)
    except acts.ModerationError as error:
        messages.error(request, str(error))
    return redirect("chat:log")


@require_GET
@login_required
def decision_notice(request: OwnRequest, pk: int) -> HttpResponse:
    """The page for the user a decision is about."""
    decision = get_object_or_404(Act.objects.select_related("line", "remark"), pk=pk, about=request.user)
    return render(request, "chat/decision.html", {"act": decision})


@require_GET
@login_required
@moderators_only
def perfect_players(request: OwnRequest) -> HttpResponse:
    """Players of rated games whose moves lose unusually little. Figures only: what they mean is for people to judge."""
    found = fairness.perfect_players(now=timezone.now())
    return render(request, "chat/perfect_players.html", {"found": found, "least": fairness.LEAST_DECISIONS})
