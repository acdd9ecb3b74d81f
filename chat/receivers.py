"""Signal receivers of the chat: changes at a table, and accounts that merge or close."""

from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from accounts.models import User
from accounts.services import anonymize
from accounts.signals import account_closed, data_export_requested, guest_joined
from chat.models import Act, Line, Quiet, Report
from chat.services import mute_in_words
from games import live
from games.models import Table
from games.services import TableError
from games.signals import note_shown, table_finished, table_started


@receiver([table_started, table_finished])
def refresh_chat(table_id: int, **kwargs: Any) -> None:
    """Makes each page fetch the phrases and lines it may show now."""
    table = Table.objects.get(pk=table_id)
    live.announce(live.chat_channel(table.code), live.moment())


@receiver(note_shown)
def refuse_remarks_of_muted(author: User, **kwargs: Any) -> None:
    """Refuses a public note by a muted user."""
    mute = mute_in_words(author)
    if mute:
        raise TableError(f"{mute} Only you can read the note until then.")


@receiver(guest_joined)
def hand_over_chat(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's lines, reports and decisions about them to the account."""
    reacted = Line.objects.filter(user=user, kind=Line.Kind.REACTION).values("table")
    Line.objects.filter(user=guest).exclude(kind=Line.Kind.REACTION, table__in=reacted).update(user=user)
    Report.objects.filter(by=guest).exclude(about=user).update(by=user)
    Report.objects.filter(about=guest).exclude(by=user).update(about=user)
    Act.objects.filter(about=guest).update(about=user)


@receiver(data_export_requested)
def export_chat(user: User, **kwargs: Any) -> dict[str, Any]:
    """The chat part of the data export."""
    lines = user.lines.select_related("table")
    return {
        "chat": [{"table": line.table.code, "at": line.at, "said": line.words} for line in lines],
        "chat switched off at": list(Quiet.objects.filter(user=user).values_list("table__code", flat=True)),
        "reports by you": list(user.reports.values("about__username", "reason", "note", "at", "outcome")),
        "decisions by you as a moderator": list(
            Act.objects.filter(Q(by=user) | Q(undone_by=user)).values("what", "why", "at", "undone_at")
        ),
        "moderators' decisions": list(user.moderated.values("what", "why", "at", "until", "undone_at")),
    }


@receiver(account_closed)
def delete_chat(user: User, name: str, **kwargs: Any) -> None:
    """Deletes the user's lines and reports. Reports about them stay, without their name."""
    for model in (Line, Quiet):
        model.objects.filter(user=user).delete()
    Report.objects.filter(by=user).delete()
    for field in ("context", "note"):
        anonymize(Report.objects.all(), field, name)
    anonymize(Act.objects.all(), "why", name)
