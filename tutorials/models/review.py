"""Reviews: which rules a user is learning, what they answered, their course tests, and the stock of fresh positions."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q


class ReviewItem(models.Model):
    """A rule that a user has missed and is asked for again. rule: short id.

    stability, difficulty, reviewed_at: the memory state of FSRS, None before the first rating. answers: how many
    ratings there were, so that an old page cannot answer twice.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="review_items")
    game = models.CharField(max_length=40)
    rule = models.CharField(max_length=60)
    due_at = models.DateTimeField()
    reviewed_at = models.DateTimeField(null=True, blank=True)
    stability = models.FloatField(null=True, blank=True)
    difficulty = models.FloatField(null=True, blank=True)
    answers = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            # Also the index by which a rule book finds the rules of its reader.
            models.UniqueConstraint(fields=["user", "game", "rule"], name="tutorials_one_review_a_rule"),
        ]
        indexes = [
            models.Index(fields=["user", "due_at"], name="tutorials_reviews_due"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.game}:{self.rule}"


class ReviewAnswer(models.Model):
    """History of an item: a miss that made or renewed it, or an answer in a review."""

    class Source(models.TextChoices):
        REVIEW = "review"
        LESSON = "lesson"
        TABLE = "table"
        PUZZLE = "puzzle"
        TEST = "test"

    item = models.ForeignKey(ReviewItem, models.CASCADE, related_name="history")
    at = models.DateTimeField()
    source = models.CharField(max_length=10, choices=Source.choices)
    is_right = models.BooleanField()

    def __str__(self) -> str:
        return f"{self.item}, {self.source}: {'right' if self.is_right else 'wrong'}"


class Drill(models.Model):
    """A fresh position of the stock. source: see `tutorials.drills.questions`."""

    game = models.CharField(max_length=40)
    rule = models.CharField(max_length=60)
    seed = models.PositiveIntegerField()
    source = models.JSONField()

    class Meta:
        indexes = [models.Index(fields=["game", "rule"], name="tutorials_drills_of_a_rule")]

    def __str__(self) -> str:
        return f"{self.game}:{self.rule}, seed {self.seed}"


class DrillStock(models.Model):
    """How far the stock of a game is. seed: of the next game between bots, which is played when `due_at` has come."""

    game = models.CharField(max_length=40, unique=True)
    seed = models.PositiveIntegerField(default=1)
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.game}, seed {self.seed}"


class CourseTest(models.Model):
    """A test of a whole course, or of one chapter, which it allows to skip.

    chapter: its id, "" for the course. questions: for each, the `rule` it asks for, the `source` it comes from and what
    was `marked`, if it was answered. answers: whether each was right, as far as they are given. passed_at: once all are
    given and enough are right.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="course_tests")
    game = models.CharField(max_length=40)
    chapter = models.CharField(max_length=60, blank=True)
    questions = models.JSONField()
    answers = models.JSONField(default=list, blank=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    passed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game", "chapter"],
                condition=Q(finished_at=None),
                name="tutorials_one_open_test",
            ),
        ]
        indexes = [models.Index(fields=["user", "game", "chapter"], name="tutorials_tests_of_a_user")]

    def __str__(self) -> str:
        return f"{self.user}: test of {self.game} {self.chapter}".rstrip()

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def right(self) -> int:
        return sum(self.answers)

    @property
    def number(self) -> int:
        """The number of the question that is asked now, from 1."""
        return len(self.answers) + 1

    @property
    def current(self) -> dict[str, Any]:
        """The question that is asked now."""
        question: dict[str, Any] = self.questions[len(self.answers)]
        return question

    def give(self, marked: Collection[int], is_right: bool, *, enough: float, now: datetime) -> None:
        """Adds an answer; the last one ends the test. enough: the part of the answers that must be right."""
        self.current["marked"] = sorted(marked)
        self.answers = [*self.answers, is_right]
        if len(self.answers) == len(self.questions):
            self.finished_at = now
            self.passed_at = now if self.right >= enough * len(self.questions) else None
