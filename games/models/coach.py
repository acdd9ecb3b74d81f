"""The coach: what each decision of one player in a finished game was worth, and questions before a move."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.table import Table


class CoachReview(models.Model):
    """A review of one player's game. It is done in slices.

    seat: of the player; of a bot, where `user` runs or watched it. at: up to which row of the table's record all
    decisions have been looked at; those that need it have a closer look afterwards, as far as there is time. decisions:
    rows of `games.record.coach_rows`, in the order of the game; positions that could not be judged have none. due_at:
    when the next slice counts as lost. seconds: of the processor, used so far.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="coach_reviews")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="coach_reviews")
    seat = models.PositiveSmallIntegerField()
    at = models.PositiveIntegerField("rows of the record done", default=0)
    decisions: "models.JSONField[Any, Any]" = models.JSONField(default=list, blank=True)
    seconds = models.FloatField("seconds of the processor", default=0)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_review_of_a_game"),
            models.UniqueConstraint(fields=["user"], condition=Q(finished_at=None), name="one_running_review_a_user"),
        ]
        indexes = [models.Index(fields=["due_at"], name="coach_review_due")]  # the tick, once a minute

    def __str__(self) -> str:
        return f"{self.table}, seat {self.seat}"

    @property
    def percent(self) -> int:
        """How much of the game has been looked at."""
        return 100 * self.at // max(self.table.move_count, 1)

    @property
    def is_partial(self) -> bool:
        return self.is_finished and self.at < self.table.move_count

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None


class CoachSetting(models.Model):
    """Whether the coach reviews a user's games against bots by itself. Without a row it does."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="coach_setting")
    reviews_bot_games = models.BooleanField("reviews games against bots by itself", default=True)

    def __str__(self) -> str:
        return f"{self.user}: {'on' if self.reviews_bot_games else 'off'}"


class CoachQuestion(models.Model):
    """A player's question to the coach, before a move in a game against bots: how good is this?

    number: how many rows of the record come before it. move: that the player has selected, "" for all. answer: a row of
    `games.record.coach_rows`, {} where the position could not be judged.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="coach_questions")
    seat = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    move = models.CharField(max_length=1000, blank=True)
    answer: "models.JSONField[Any, Any]" = models.JSONField(default=dict, blank=True)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number", "seat", "move"], name="coach_question_once"),
        ]
        indexes = [  # how many are waiting, with each new one
            models.Index(fields=["asked_at"], condition=Q(answered_at=None), name="coach_question_open"),
        ]

    def __str__(self) -> str:
        return f"{self.table}, seat {self.seat}, move {self.number + 1}"
