"""Calls for the director, from the table of a match."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import User
from tournaments.models.event import Entry
from tournaments.models.match import Match

LONGEST_CALL_REASON = 280
LONGEST_CALL_REPLY = 200


class DirectorCallQuerySet(models.QuerySet["DirectorCall"]):
    def open(self) -> "DirectorCallQuerySet":
        """Calls that wait for a director, the oldest first."""
        return self.filter(closed_at=None).select_related("by").order_by("pk")

    def closed(self) -> "DirectorCallQuerySet":
        """Calls that were answered or closed by themselves, the newest first."""
        return self.standing().exclude(closed_at=None).order_by("-closed_at", "-pk")

    def standing(self) -> "DirectorCallQuerySet":
        """Calls that were not taken back, the newest first: an open one before those that are closed."""
        kept = self.exclude(closed_because=DirectorCall.ClosedBecause.TAKEN_BACK)
        return kept.select_related("by", "answered_by").order_by("-pk")

    def neutral_for(self, user: User) -> "DirectorCallQuerySet":
        """Calls in matches of others: neither of this user nor of their team."""
        return self.exclude(match__sides__entry__in=Entry.objects.of(user))


class DirectorCall(models.Model):
    """A player's call for the director. A match has one open call at most.

    reason: only the player and those who run the event read it. closed_because: "" while it is open.
    reply: for the players of the match.
    """

    class ClosedBecause(models.TextChoices):
        ANSWERED = "answered", "answered"
        TAKEN_BACK = "taken-back", "taken back"
        RESULT = "result", "the match has a result"
        CANCELLED = "cancelled", "the tournament is cancelled"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="calls")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="director_calls")
    reason = models.CharField(max_length=LONGEST_CALL_REASON, blank=True)
    called_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_because = models.CharField(max_length=20, choices=ClosedBecause, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    reply = models.CharField(max_length=LONGEST_CALL_REPLY, blank=True)

    objects = DirectorCallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(closed_at=None), name="one_open_call_in_a_match")
        ]

    def __str__(self) -> str:
        return f"{self.by} calls the director"

    @property
    def is_closed_unanswered(self) -> bool:
        """Closed by itself."""
        return self.closed_because in (self.ClosedBecause.RESULT, self.ClosedBecause.CANCELLED)
