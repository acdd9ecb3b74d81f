"""Imports of entries, which go on in a worker."""

from django.conf import settings
from django.db import models

from tournaments.models.event import Event
from tournaments.models.series import DueQuerySet


class EntryImport(models.Model):
    """A list of names that is being entered, bite by bite.

    line_count: of its lines with a name, of which `done` are done. rest: the lines that failed, to be fixed.
    refusals: why lines failed that looked right. due_at: the next bite, in case that its task was lost.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="imports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    line_count = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    entered = models.PositiveIntegerField(default=0)
    rest = models.TextField(blank=True)
    refusals = models.JSONField(default=list)
    due_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = DueQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["due_at"], name="import_due")]  # the tick, once a second

    def __str__(self) -> str:
        return f"{self.done} of {self.line_count} lines for {self.event}"

    @property
    def summary(self) -> str:
        return f"{self.entered} entered."
