"""Chat panel: the template context of the chat beside a table."""

from typing import Any

from django.http import HttpRequest

from chat import services
from chat.models import Line
from games.models import Table

LINES_SHOWN = 60  # lines at once


def chat_panel(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The whole chat, for this visitor."""
    context = {"table": table, "user": request.user, "request": request}
    if not services.has_chat(table, request.user):
        return context | {"has_chat": False}
    is_quiet = services.has_chat_off(table, request.user)
    return context | {"has_chat": True, "is_quiet": is_quiet} | ({} if is_quiet else chat_news(request, table))


def chat_news(request: HttpRequest, table: Table, *, after: int = 0) -> dict[str, Any]:
    """The chat lines after number `after`, and what the visitor may write now.

    `state` changes when the visitor may write something else, or when a line is hidden or shown.
    """
    lines = [*services.visible_lines(table, request.user, after=after).reverse()[:LINES_SHOWN]][::-1]
    leave = services.chat_permissions(table, request.user)
    hidden = Line.objects.filter(table=table, is_hidden=True).values_list("pk", flat=True)
    offered = (key for key, _ in (*leave.phrases, *leave.reactions))
    return {
        "table": table,
        "user": request.user,
        "lines": lines,
        "newest": lines[-1].pk if lines else after,
        "leave": leave,
        "is_watching": not services.is_player(table, request.user),
        "state": " ".join(map(str, (leave.may_write, leave.note, *offered, *hidden))),
    }
