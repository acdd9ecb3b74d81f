"""The chat beside a table: what its templates print."""

from typing import Any

from django.http import HttpRequest

from chat import services
from chat.models import Line
from games.models import Table

SHOWN = 60  # lines at once


def panel(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The whole chat for this visitor."""
    context = {"table": table, "user": request.user, "request": request}
    if not services.has_chat(table, request.user):
        return context | {"has_chat": False}
    is_quiet = services.is_quiet(table, request.user)
    return context | {"has_chat": True, "is_quiet": is_quiet} | ({} if is_quiet else news(request, table))


def news(request: HttpRequest, table: Table, *, after: int = 0) -> dict[str, Any]:
    """The lines after number `after`, and what one may say now.

    `state` is the same as long as one may say the same, and no other lines are hidden.
    """
    lines = [*services.lines_for(table, request.user, after=after).reverse()[:SHOWN]][::-1]
    leave = services.leave_to_talk(table, request.user)
    hidden = Line.objects.filter(table=table, is_hidden=True).values_list("pk", flat=True)
    offered = (key for key, _ in (*leave.phrases, *leave.reactions))
    return {
        "table": table,
        "user": request.user,
        "lines": lines,
        "newest": lines[-1].pk if lines else after,
        "leave": leave,
        "is_watching": not services.plays(table, request.user),
        "state": " ".join(map(str, (leave.may_write, leave.note, *offered, *hidden))),
    }
