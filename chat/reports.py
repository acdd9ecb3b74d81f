"""Reports: what somebody asks the moderators to look at."""

from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from chat.models import Line, Report
from games.models import MoveNote, Table
from notifications.services import tell_all

AROUND = 10  # lines before a reported one, and after it


@transaction.atomic
def report(
    *,
    by: User,
    about: User,
    reason: str,
    note: str = "",
    table: Table | None = None,
    line: Line | None = None,
    remark: MoveNote | None = None,
) -> Report:
    """Stores a report with what was said, or with the remark to a move, and tells the moderators."""
    context = f"To move {remark.number}: {remark.text}" if remark else context_of(about, table, line)
    made = Report.objects.create(
        by=by, about=about, table=table, line=line, remark=remark, reason=reason, note=note, context=context
    )
    text = f"A report waits: {made.get_reason_display().lower()}"
    tell_all(moderators(), key=f"report:{made.pk}", text=text, url=reverse("talk:moderation"))
    return made


def context_of(about: User, table: Table | None, line: Line | None) -> str:
    """What was said around a line, or last at a table, or last by somebody in games that do not run now.

    One line of text for each.
    """
    lines = Line.objects.select_related("user")
    if line is not None:
        before = [*lines.filter(table=line.table, pk__lte=line.pk).reverse()[: AROUND + 1]][::-1]
        said = [*before, *lines.filter(table=line.table, pk__gt=line.pk)[:AROUND]]
    elif table is not None:
        said = [*lines.filter(table=table).reverse()[: 2 * AROUND]][::-1]
    else:
        said = [*lines.filter(user=about).exclude(table__in=Table.objects.running()).reverse()[:AROUND]][::-1]
    return "\n".join(f"{one.at:%Y-%m-%d %H:%M} {one}" for one in said)


def moderators() -> list[User]:
    may = Permission.objects.filter(codename="moderate", content_type__app_label="talk")
    chosen = Q(groups__permissions__in=may) | Q(user_permissions__in=may) | Q(is_superuser=True)
    return list(User.objects.filter(chosen, is_active=True).distinct())
