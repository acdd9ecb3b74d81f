"""What moderators can do. Each act is in the log with its reason, is told to whom it is about, and can be undone.

A report that was dismissed stays so; whoever made it may make another.
"""

from datetime import timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import lift_suspension, suspend_account
from chat.models import Act, Line, Report
from chat.services import announce
from games import live
from games.models import MoveNote
from notifications.services import tell

DAY, WEEK = timedelta(days=1), timedelta(days=7)


class ModerationError(ValueError):
    """That cannot be done; the message says why."""


@transaction.atomic
def dismiss(*, report: Report, by: User, why: str) -> Act:
    """Nothing has to be done; only whoever has made the report is told."""
    return _decide(Act.What.DISMISS, report, by, why)


@transaction.atomic
def hide(*, report: Report, by: User, why: str) -> Act:
    """Nobody reads the reported line any more, or nobody but its author the remark to a move."""
    if report.line is None and report.remark is None:
        raise ModerationError("This report is about nothing said, or that is gone.")
    act = _decide(Act.What.HIDE, report, by, why, line=report.line, remark=report.remark)
    _show(act, is_hidden=True)
    return act


@transaction.atomic
def hide_unreported(*, said: Line | MoveNote, by: User, why: str) -> Act:
    """As `hide`, what nobody has reported yet. :raises ModerationError:"""
    what = {"line": said} if isinstance(said, Line) else {"remark": said}
    act = _act(Act.What.HIDE, said.user if isinstance(said, Line) else said.author, by, why, **what)
    _show(act, is_hidden=True)
    return act


@transaction.atomic
def mute(*, report: Report, by: User, why: str, time: timedelta) -> Act:
    """Whom the report is about writes nothing in own words for that time."""
    return _decide(Act.What.MUTE, report, by, why, until=timezone.now() + time)


@transaction.atomic
def shut(*, report: Report, by: User, why: str) -> Act:
    """Whom the report is about is logged out and cannot log in, and is told why when he tries."""
    act = _decide(Act.What.SHUT, report, by, why)
    suspend_account(user=report.about, why=why)
    return act


def _decide(what: Act.What, report: Report, by: User, why: str, **more: object) -> Act:
    """Acts, closes the report and tells whoever has made it. :raises ModerationError:"""
    act = _act(what, report.about, by, why, report=report, **more)
    report.outcome = Report.Outcome.DISMISSED if what == Act.What.DISMISS else Report.Outcome.ACTED
    report.save(update_fields=["outcome"])
    _answer(report)
    return act


def _act(what: Act.What, about: User, by: User, why: str, **more: object) -> Act:
    """Writes the log, and tells whom it is about. :raises ModerationError:"""
    if about == by or about.is_former:
        raise ModerationError("Nobody decides about himself." if about == by else "This account is closed.")
    if what != Act.What.DISMISS and (about.is_staff or about.is_superuser):
        raise ModerationError("Only in the admin can something be done about people who run the site.")
    act = Act.objects.create(what=what, by=by, about=about, why=why, **more)
    if what != Act.What.DISMISS:
        _tell(act, "A moderator has made a decision that concerns you")
    return act


def _answer(report: Report) -> None:
    url = reverse("talk:reported", args=[report.pk])
    tell(report.by, key=f"report-answered:{report.pk}", text="The moderators have looked at your report", url=url)


def _tell(act: Act, text: str, *, key: str = "moderated") -> None:
    tell(act.about, key=f"{key}:{act.pk}", text=text, url=reverse("talk:told", args=[act.pk]))


def _show(act: Act, *, is_hidden: bool) -> None:
    """Hides what the act is about, or shows it again; pages with the chat fetch all of it then."""
    reported: tuple[Line | MoveNote | None, ...] = (act.line, act.remark)
    for said in reported:
        if said is not None:
            said.is_hidden = is_hidden
            said.save(update_fields=["is_hidden"])
    if act.line is not None:
        announce(act.line, live.moment())


@transaction.atomic
def undo(*, act: Act, by: User) -> None:
    """Takes an act back and tells whom it was about. :raises ModerationError:"""
    act = Act.objects.select_for_update().get(pk=act.pk)
    if not act.can_be_undone or act.about == by:
        raise ModerationError("This cannot be undone, or has been already.")
    act.undone_at, act.undone_by = timezone.now(), by
    act.save(update_fields=["undone_at", "undone_by"])
    if act.what == Act.What.SHUT:
        lift_suspension(user=act.about)
    if act.what == Act.What.HIDE:
        _show(act, is_hidden=False)
    _tell(act, "A moderator has taken back a decision that concerned you", key="moderation-undone")
