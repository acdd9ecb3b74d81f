"""Challenge: a player invites another one to a table."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from games.models.table import Table

ANSWER_WITHIN = timedelta(minutes=15)
ANSWER_SLOWLY_WITHIN = timedelta(days=3)  # to a turn-based game


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    def with_table(self) -> "ChallengeQuerySet":
        return self.select_related("to", "table__created_by")

    def waiting(self) -> "ChallengeQuerySet":
        """Challenges that can still be accepted; the tick expires the others."""
        has_room = self.filter(table__status=Table.Status.OPEN, table__shuffle_due_at=None)
        return has_room.filter(answer=Challenge.Answer.NONE, expires_at__gt=timezone.now())

    def overdue(self, now: datetime) -> "ChallengeQuerySet":
        """Challenges that can no longer be accepted and have not been ended yet."""
        is_past = models.Q(expires_at__lte=now) | ~models.Q(table__status=Table.Status.OPEN)
        return self.filter(is_past, answer=Challenge.Answer.NONE)


class Challenge(models.Model):
    """An invitation by the player who opened a table. Its terms are those of the table."""

    class Answer(models.TextChoices):
        NONE = "", "not answered"
        ACCEPTED = "accepted", "accepted"
        DECLINED = "declined", "declined"
        EXPIRED = "expired", "not answered in time"
        WITHDRAWN = "withdrawn", "not been waited for"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="challenges")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges")
    answer = models.CharField(max_length=10, choices=Answer, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    objects = ChallengeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "to"], name="challenged_once_to_a_table")]
        indexes = [models.Index(fields=["expires_at"], condition=models.Q(answer=""), name="challenge_expires")]

    def __str__(self) -> str:
        return f"{self.table.created_by} challenges {self.to} to {self.table.rules.name}"

    def get_absolute_url(self) -> str:
        return reverse("games:challenge", args=[self.pk])

    @property
    def is_open(self) -> bool:
        is_unanswered = self.answer == self.Answer.NONE and self.expires_at > timezone.now()
        return is_unanswered and self.table.status == Table.Status.OPEN and not self.table.is_shuffling
