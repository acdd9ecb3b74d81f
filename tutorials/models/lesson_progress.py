"""Lesson progress: one row a step of a course and user."""

from django.conf import settings
from django.db import models


class LessonProgress(models.Model):
    """The progress of a user with one step of a course. The courses themselves are in `seeds/`.

    step: the id of the step. line: the texts of all moves made so far, of all seats, to continue later.
    is_first_try: no mistake before the step was done.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lesson_progress")
    game = models.CharField(max_length=40)
    step = models.CharField(max_length=60)
    line = models.JSONField(default=list, blank=True)
    is_first_try = models.BooleanField("first try", default=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "lesson progress"
        constraints = [
            # Also the index by which a course page finds a person's steps.
            models.UniqueConstraint(fields=["user", "game", "step"], name="tutorials_one_row_a_step"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.game}, {self.step}"

    @property
    def has_star(self) -> bool:
        return self.done_at is not None and self.is_first_try
