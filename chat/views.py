"""The chat at a table, and reports."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from chat import reports, services
from chat.forms import ReportForm, SayForm
from chat.models import Line, Report
from chat.panel import news, panel
from games.models import MoveNote, Table
from games.queries import shared_deals
from games.views.table import own_place, table_or_404, while_hidden
from infra.numbers import read_number
from infra.requests import HtmxRequest

REFUSED = 422


@while_hidden(players_may=True)
def talk(request: HtmxRequest, table: Table) -> HttpResponse:
    """What is new in the chat, and, by POST, something to be said there."""
    if request.method == "POST":
        return say(request, table)
    return render_news(request, table) if request.htmx else redirect(page_of(table))


def say(request: HtmxRequest, table: Table) -> HttpResponse:
    form, error = SayForm(request.POST), ""
    form.is_valid()
    kind, text = form.said()
    try:
        services.say(table_id=table.pk, user=request.user, kind=kind, text=text)
    except services.TalkError as refusal:
        error = str(refusal)
    if request.htmx:
        kept = text if error and kind == Line.Kind.FREE else ""
        return render_news(request, table, error=error, kept=kept, is_answer=True)
    if error:
        messages.error(request, error)
    return redirect(page_of(table))


def page_of(table: Table) -> str:
    return f"{table.get_absolute_url()}#talk"


def render_news(request: HttpRequest, table: Table, *, is_answer: bool = False, **more: str) -> HttpResponse:
    """The lines that this page does not have yet, and what one may say now if that is not what the page offers.

    When the game has ended or begun that is all lines, since one may read older ones, too.
    """
    if not services.has_chat(table, request.user) or services.is_quiet(table, request.user):
        return HttpResponse(status=204)
    asked = request.POST if is_answer else request.GET
    context = news(request, table, after=read_number(asked.get("after", ""), 0))
    is_new = not is_answer and asked.get("state") != context["state"]
    if is_new:
        context = news(request, table)
    context |= {"is_changed": is_new or is_answer, **more}
    answer = render(request, "chat/_news.html", context, status=REFUSED if more.get("error") else 200)
    if is_new:
        answer["HX-Reswap"] = "innerHTML"
    return answer


@require_POST
@login_required
@while_hidden(players_may=True)
def switch(request: OwnRequest, table: Table) -> HttpResponse:
    """Switches the chat of a table on or off for the visitor."""
    services.switch(table=table, user=request.user, on=request.POST.get("on") == "yes")
    return render(request, "chat/_panel.html", panel(request, table)) if request.htmx else redirect(page_of(table))


# Reports


@limit_posts("reports", count=10, seconds=3600, accounts_too=True)
@login_required
def report(request: OwnRequest) -> HttpResponse:
    """A report about `?line=`, about the `?remark=` to a move, or about `?player=`, perhaps at `?table=`.

    With the table alone one chooses whom.
    """
    if request.GET.keys() == {"table"}:
        table = table_or_404(request.GET["table"])
        people = (seat.user for seat in table.seats.all() if seat.user and seat.user.is_person)
        others = [person for person in people if person != request.user]
        return render(request, "chat/report_whom.html", {"table": table, "others": others})
    what = subject(request)
    if what["about"] == request.user or what["about"].is_bot:
        raise Http404("There is nothing to report.")
    form = ReportForm(request.POST or None)
    if form.is_valid():
        made = reports.report(by=request.user, **what, **form.cleaned_data)
        return redirect("talk:reported", made.pk)
    return render(request, "chat/report.html", what | {"form": form}, status=REFUSED if form.is_bound else 200)


def subject(request: HttpRequest) -> dict[str, Any]:
    """Whom a report is about, and where. Only what the visitor may read can be reported."""
    if "line" in request.GET:
        line = readable_line(request, request.GET["line"])
        return {"about": line.user, "table": line.table, "line": line}
    if "remark" in request.GET:
        remark = readable_remark(request, request.GET["remark"])
        return {"about": remark.author, "table": remark.table, "remark": remark}
    about = get_object_or_404(User, username=request.GET.get("player", ""))
    code = request.GET.get("table", "")
    return {"about": about, "table": table_or_404(code) if code else None}


def readable_line(request: HttpRequest, number: str) -> Line:
    line = get_object_or_404(Line, pk=read_number(number, 0))
    is_at_hand = not line.table.is_hidden or own_place(request, line.table) is not None
    lines = services.lines_for(line.table, request.user)
    if not (is_at_hand and shared_deals.may_see(line.table, request.user) and lines.filter(pk=line.pk).exists()):
        raise Http404("There is no such line.")
    return line


def readable_remark(request: HttpRequest, number: str) -> MoveNote:
    readable = MoveNote.objects.filter(is_public=True, is_hidden=False, table__is_hidden=False)
    remark = get_object_or_404(readable, pk=read_number(number, 0))
    if not shared_deals.may_see(remark.table, request.user):
        raise Http404("There is no such note.")
    return remark


@require_GET
@login_required
def reported(request: OwnRequest, pk: int) -> HttpResponse:
    """For whoever has made the report: that it has arrived, and later what became of it."""
    found = get_object_or_404(Report.objects.select_related("about"), pk=pk, by=request.user)
    context: dict[str, Any] = {"report": found, "block_url": reverse("accounts:block")}
    return render(request, "chat/reported.html", context)
