"""Moderation services: dismiss a report, hide, mute, suspend, and undo.

Each decision is logged with its reason, the user it is about is notified, and it can be undone. A report that was
dismissed stays dismissed; its author may make another.
"""

from datetime import timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import lift_suspension, suspend_account
from chat.models import Act, Line, Report
from chat.services import announce_line
from games import live
from games.models import MoveNote
from notifications.services import notify

TOLD = {
    Act.What.HIDE: "A moderator has hidden a message of yours",
    Act.What.MUTE: "A moderator has muted you",
    Act.What.SHUT: "Your account has been suspended",
}
MUTE_DAY, MUTE_WEEK = timedelta(days=1), timedelta(days=7)


class ModerationError(ValueError):
    """The decision is not possible; the message says why."""


@transaction.atomic
def dismiss_report(*, report: Report, by: User, why: str) -> Act:
    """Closes a report without consequences. Only its author is notified."""
    return _decide(Act.What.DISMISS, report, by, why)


@transaction.atomic
def hide_reported(*, report: Report, by: User, why: str) -> Act:
    """Hides the reported chat line from everyone, or the reported note from everyone but its author."""
    if report.line is None and report.remark is None:
        raise ModerationError("There is no message to hide in this report, or it has been deleted.")
    act = _decide(Act.What.HIDE, report, by, why, line=report.line, remark=report.remark)
    _set_hidden(act, is_hidden=True)
    return act


@transaction.atomic
def hide_unreported(*, said: Line | MoveNote, by: User, why: str) -> Act:
    """As `hide_reported`, without a report. :raises ModerationError:"""
    what = {"line": said} if isinstance(said, Line) else {"remark": said}
    act = _act(Act.What.HIDE, said.user if isinstance(said, Line) else said.author, by, why, **what)
    _set_hidden(act, is_hidden=True)
    return act


@transaction.atomic
def mute_player(*, report: Report, by: User, why: str, time: timedelta) -> Act:
    """Mutes the reported user for a while: they can't write in their own words."""
    return _decide(Act.What.MUTE, report, by, why, until=timezone.now() + time)


@transaction.atomic
def suspend_player(*, report: Report, by: User, why: str) -> Act:
    """Suspends the reported account: it is logged out, and the login page tells its owner why."""
    act = _decide(Act.What.SHUT, report, by, why)
    suspend_account(user=report.about, why=why)
    return act


def _decide(what: Act.What, report: Report, by: User, why: str, **more: object) -> Act:
    """Logs the decision, closes the report and notifies its author. :raises ModerationError:"""
    report = Report.objects.select_for_update().get(pk=report.pk)
    if report.outcome:
        raise ModerationError("Another moderator has already closed this report. Nothing was changed.")
    act = _act(what, report.about, by, why, report=report, **more)
    report.outcome = Report.Outcome.DISMISSED if what == Act.What.DISMISS else Report.Outcome.ACTED
    report.save(update_fields=["outcome"])
    _answer(report)
    return act


def _act(what: Act.What, about: User, by: User, why: str, **more: object) -> Act:
    """Writes the log entry and notifies the user it is about. :raises ModerationError:"""
    if about == by or about.is_former:
        raise ModerationError("You can't decide about yourself." if about == by else "This account is closed.")
    if what != Act.What.DISMISS and (about.is_staff or about.is_superuser):
        raise ModerationError("Accounts of staff can only be changed in the admin.")
    act = Act.objects.create(what=what, by=by, about=about, why=why, **more)
    if what != Act.What.DISMISS:
        _tell(act, f"{TOLD[what]}: {why}")
    return act


def _answer(report: Report) -> None:
    url = reverse("chat:reported", args=[report.pk])
    notify(report.by, key=f"report-answered:{report.pk}", text="The moderators have reviewed your report", url=url)


def _tell(act: Act, text: str, *, key: str = "moderated") -> None:
    notify(act.about, key=f"{key}:{act.pk}", text=text, url=reverse("chat:decision", args=[act.pk]))


def _set_hidden(act: Act, *, is_hidden: bool) -> None:
    """Hides what the decision is about, or shows it again; pages with the chat then fetch all lines."""
    reported: tuple[Line | MoveNote | None, ...] = (act.line, act.remark)
    for said in reported:
        if said is not None:
            said.is_hidden = is_hidden
            said.save(update_fields=["is_hidden"])
    if act.line is not None:
        announce_line(act.line, live.moment())


@transaction.atomic
def undo_moderation(*, act: Act, by: User) -> None:
    """Undoes a decision and notifies the user it was about. What another decision orders, too, stays.

    :raises ModerationError:
    """
    act = Act.objects.select_for_update().get(pk=act.pk)
    if not act.can_be_undone or act.about == by:
        raise ModerationError("This can't be undone, or has already been undone.")
    act.undone_at, act.undone_by = timezone.now(), by
    act.save(update_fields=["undone_at", "undone_by"])
    standing = Act.objects.filter(what=act.what, about=act.about, undone_at=None)
    if act.what == Act.What.SHUT and not standing.exists():
        lift_suspension(user=act.about)
    if act.what == Act.What.HIDE and not standing.filter(line=act.line, remark=act.remark).exists():
        _set_hidden(act, is_hidden=False)
    _tell(act, "A moderator has withdrawn a decision about you", key="moderation-undone")
