"""Round timetable: rounds that begin at a time of their own."""

from django.db import models

from tournaments.models.event import Event


class RoundTime(models.Model):
    """When a round begins, at the earliest: round 2 or a later one. Without one it follows the round before it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="round_times")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_time_a_round")]

    def __str__(self) -> str:
        return f"round {self.number} of {self.event}"
