"""Chat lines, reports, and the log of the moderators."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from chat.phrases import phrase_text
from games.models import MoveNote, Table

LONGEST_CHAT_LINE = 200
LONGEST_REASON = 300


class LineQuerySet(models.QuerySet["Line"]):
    def readable_at(self, table: Table, *, player: bool) -> "LineQuerySet":
        """The chat lines of a table that a player (or, without `player`, a spectator) may read now.

        Players see what spectators wrote once the game is over: it may be advice.
        """
        lines = self.filter(table=table, is_hidden=False)
        return lines.filter(is_of_watcher=False) if player and not table.is_over else lines


class Line(models.Model):
    """A chat line at a table.

    text: what was written, or the key of a phrase or reaction. deal: how many deals were over then.
    is_of_watcher: by a spectator. is_hidden: by a moderator.
    """

    class Kind(models.TextChoices):
        FREE = "free"
        PHRASE = "phrase"
        REACTION = "reaction"

    table = models.ForeignKey(Table, models.CASCADE, related_name="lines")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lines")
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.CharField(max_length=LONGEST_CHAT_LINE)
    deal = models.PositiveSmallIntegerField(default=0)
    is_of_watcher = models.BooleanField(default=False)
    is_hidden = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    objects = LineQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "user", "deal"], condition=Q(kind="reaction"), name="one_reaction_to_a_deal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.words}"

    @property
    def words(self) -> str:
        return self.text if self.kind == self.Kind.FREE else phrase_text(self.text)


class Quiet(models.Model):
    """A user has switched the chat of a table off for themselves."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="quiet_once_at_a_table")]

    def __str__(self) -> str:
        return f"{self.user} at {self.table}"


class Report(models.Model):
    """A report to the moderators about what another user has done.

    It is about a chat line, about a note on a move (`remark`), or about neither. context: the chat around it when the
    report was made. outcome: "" while it is open.
    """

    class Reason(models.TextChoices):
        INSULT = "insult", "Insults or threats"
        FLOOD = "flood", "Advertising or spam"
        CHEATING = "cheating", "Cheating: signals, fixed games or outside help"
        STALLING = "stalling", "Stalling, or leaving games"
        NAME = "name", "An offensive name"
        OTHER = "other", "Something else"

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed", "no action was needed"
        ACTED = "acted", "a moderator has taken action"

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="reports")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="reports_against")
    table = models.ForeignKey(Table, models.SET_NULL, null=True, blank=True, related_name="reports")
    line = models.ForeignKey(Line, models.SET_NULL, null=True, blank=True, related_name="reports")
    remark = models.ForeignKey(MoveNote, models.SET_NULL, null=True, blank=True, related_name="reports")
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.TextField(max_length=1000, blank=True)
    context = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)

    class Meta:
        ordering = ["pk"]
        permissions = [("moderate", "Can see to reports")]
        indexes = [models.Index(fields=["at"], condition=Q(outcome=""), name="report_open")]

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.about}"


class ActQuerySet(models.QuerySet["Act"]):
    def mutes(self, user: User, now: datetime) -> "ActQuerySet":
        """The mutes that keep a user from writing now."""
        return self.filter(what=Act.What.MUTE, about=user.pk, undone_at=None, until__gt=now)


class Act(models.Model):
    """An entry of the moderators' log: who did what to whom, and why. until: the end of a mute."""

    class What(models.TextChoices):
        DISMISS = "dismiss", "dismissed a report about"
        HIDE = "hide", "hid a message of"
        MUTE = "mute", "muted"
        SHUT = "shut", "suspended the account of"

    what = models.CharField(max_length=10, choices=What)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="moderated")
    report = models.ForeignKey(Report, models.SET_NULL, null=True, blank=True, related_name="acts")
    line = models.ForeignKey(Line, models.SET_NULL, null=True, blank=True, related_name="+")
    remark = models.ForeignKey(MoveNote, models.SET_NULL, null=True, blank=True, related_name="+")
    why = models.CharField(max_length=LONGEST_REASON)
    until = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = ActQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_what_display()} {self.about}"

    @property
    def hidden_words(self) -> str:
        """The text that was hidden; "" if it is gone or nothing was hidden."""
        return self.line.words if self.line else self.remark.text if self.remark else ""

    @property
    def can_be_undone(self) -> bool:
        return self.undone_at is None and self.what != self.What.DISMISS and not self.about.is_former
