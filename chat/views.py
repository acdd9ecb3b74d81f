"""Pages of the chat at a table, and of reports."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from chat import reports, services
from chat.forms import ChatLineForm, ReportForm
from chat.models import Line, Report
from chat.panel import chat_news, chat_panel
from games.models import MoveNote, Table
from games.queries import shared_deals
from games.views.access import assigned_seat, table_or_404, while_hidden
from infra.numbers import read_number
from infra.requests import HtmxRequest

UNPROCESSABLE = 422


@while_hidden(players_may=True)
def chat_lines(request: HtmxRequest, table: Table) -> HttpResponse:
    """GET: what is new in the chat. POST: a new line."""
    if request.method == "POST":
        return post_own_line(request, table)
    return render_chat_news(request, table) if request.htmx else redirect(chat_url(table))


def post_own_line(request: HtmxRequest, table: Table) -> HttpResponse:
    form, error = ChatLineForm(request.POST), ""
    form.is_valid()
    kind, text = form.kind_and_text()
    try:
        services.post_line(table_id=table.pk, user=request.user, kind=kind, text=text)
    except services.ChatError as refusal:
        error = str(refusal)
    if request.htmx:
        kept = text if error and kind == Line.Kind.FREE else ""
        return render_chat_news(request, table, error=error, kept=kept, is_answer=True)
    if error:
        messages.error(request, error)
    return redirect(chat_url(table))


def chat_url(table: Table) -> str:
    return f"{table.get_absolute_url()}#chat"


def render_chat_news(request: HttpRequest, table: Table, *, is_answer: bool = False, **more: str) -> HttpResponse:
    """The chat lines that the page does not have yet, and what the visitor may write if that has changed.

    When the game has started or ended this is all lines, since older ones may have become visible.
    """
    if not services.has_chat(table, request.user) or services.has_chat_off(table, request.user):
        return HttpResponse(status=204)
    asked = request.POST if is_answer else request.GET
    context = chat_news(request, table, after=read_number(asked.get("after", ""), 0))
    is_new = not is_answer and asked.get("state") != context["state"]
    if is_new:
        context = chat_news(request, table)
    context |= {"is_changed": is_new or is_answer, **more}
    answer = render(request, "chat/_news.html", context, status=UNPROCESSABLE if more.get("error") else 200)
    if is_new:
        answer["HX-Reswap"] = "innerHTML"
    return answer


@require_POST
@login_required
@while_hidden(players_may=True)
def switch_own_chat(request: OwnRequest, table: Table) -> HttpResponse:
    """Switches the chat of a table on or off for the visitor."""
    services.switch_chat(table=table, user=request.user, on=request.POST.get("on") == "yes")
    if not request.htmx:
        return redirect(chat_url(table))
    return render(request, "chat/_panel.html", chat_panel(request, table))


# Reports


@limit_posts("reports")
@login_required
def report_player(request: OwnRequest) -> HttpResponse:
    """Reports the `?line=`, the note `?remark=`, or the `?player=`, with or without the `?table=`.

    With the table alone the page asks whom to report.
    """
    if request.GET.keys() == {"table"}:
        table = table_or_404(request.GET["table"])
        people = (seat.user for seat in table.seat_rows if seat.user and seat.user.is_person)
        others = [person for person in people if person != request.user]
        return render(request, "chat/report_player.html", {"table": table, "others": others})
    what = report_subject(request)
    if what["about"] == request.user or what["about"].is_bot:
        raise Http404("There is nothing to report.")
    form = ReportForm(request.POST or None)
    if form.is_valid():
        made = reports.file_report(by=request.user, **what, **form.cleaned_data)
        return redirect("chat:reported", made.pk)
    return render(request, "chat/report.html", what | {"form": form}, status=UNPROCESSABLE if form.is_bound else 200)


def report_subject(request: HttpRequest) -> dict[str, Any]:
    """Whom a report is about, and where. Only what the visitor can read can be reported."""
    if "line" in request.GET:
        line = readable_line_or_404(request, request.GET["line"])
        return {"about": line.user, "table": line.table, "line": line}
    if "remark" in request.GET:
        remark = readable_remark_or_404(request, request.GET["remark"])
        return {"about": remark.author, "table": remark.table, "remark": remark}
    about = get_object_or_404(User, username=request.GET.get("player", ""))
    code = request.GET.get("table", "")
    return {"about": about, "table": table_or_404(code) if code else shared_table(request, about)}


def shared_table(request: HttpRequest, about: User) -> Table | None:
    """The latest running table of the two: what was said there goes with the report, also if a block hides it."""
    running = Table.objects.running().of(request.user).filter(pk__in=Table.objects.of(about).values("pk"))
    return running.order_by("pk").last()


def readable_line_or_404(request: HttpRequest, number: str) -> Line:
    line = get_object_or_404(Line, pk=read_number(number, 0))
    is_at_hand = not line.table.is_hidden or assigned_seat(request, line.table) is not None
    lines = services.visible_lines(line.table, request.user)
    if not (is_at_hand and shared_deals.may_see_cards(line.table, request.user) and lines.filter(pk=line.pk).exists()):
        raise Http404("There is no such message.")
    return line


def readable_remark_or_404(request: HttpRequest, number: str) -> MoveNote:
    readable = MoveNote.objects.filter(is_public=True, is_hidden=False, table__is_hidden=False)
    remark = get_object_or_404(readable, pk=read_number(number, 0))
    if not shared_deals.may_see_cards(remark.table, request.user):
        raise Http404("There is no such note.")
    return remark


@require_GET
@login_required
def report_status(request: OwnRequest, pk: int) -> HttpResponse:
    """For the author of a report: that it has arrived, and later what was decided."""
    found = get_object_or_404(Report.objects.select_related("about"), pk=pk, by=request.user)
    is_blocked = request.user.blocks.filter(blocked=found.about).exists()
    context: dict[str, Any] = {"report": found, "is_blocked": is_blocked}
    return render(request, "chat/report_status.html", context)
