"""Reports: a user asks the moderators to look at something."""

from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from chat.models import Line, Report
from games.models import MoveNote, Table
from notifications.services import notify_all

CONTEXT_LINES = 10  # lines before a reported one, and after it


@transaction.atomic
def file_report(
    *,
    by: User,
    about: User,
    reason: str,
    note: str = "",
    table: Table | None = None,
    line: Line | None = None,
    remark: MoveNote | None = None,
) -> Report:
    """Stores a report with the chat around it, or with the note, and notifies the moderators."""
    context = f"To move {remark.number}: {remark.text}" if remark else report_context(about, table, line)
    made = Report.objects.create(
        by=by, about=about, table=table, line=line, remark=remark, reason=reason, note=note, context=context
    )
    text = f"New report: {made.get_reason_display().lower()}"
    notify_all(active_moderators(), key=f"report:{made.pk}", text=text, url=reverse("chat:moderation"))
    return made


def report_context(about: User, table: Table | None, line: Line | None) -> str:
    """The chat around a line; without one the latest at the table, or the latest by the user in finished games.

    One line of text for each.
    """
    lines = Line.objects.select_related("user")
    if line is not None:
        before = [*lines.filter(table=line.table, pk__lte=line.pk).reverse()[: CONTEXT_LINES + 1]][::-1]
        said = [*before, *lines.filter(table=line.table, pk__gt=line.pk)[:CONTEXT_LINES]]
    elif table is not None:
        said = [*lines.filter(table=table).reverse()[: 2 * CONTEXT_LINES]][::-1]
    else:
        said = [*lines.filter(user=about).exclude(table__in=Table.objects.running()).reverse()[:CONTEXT_LINES]][::-1]
    return "\n".join(f"{one.at:%Y-%m-%d %H:%M} {one}" for one in said)


def active_moderators() -> list[User]:
    """The users who receive reports."""
    may = Permission.objects.filter(codename="moderate", content_type__app_label="talk")
    chosen = Q(groups__permissions__in=may) | Q(user_permissions__in=may) | Q(is_superuser=True)
    return list(User.objects.filter(chosen, is_active=True).distinct())
