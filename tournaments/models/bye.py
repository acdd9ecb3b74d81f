"""Byes that players ask for in advance."""

from django.db import models

from tournaments.models.event import Entry


class RequestedBye(models.Model):
    """A round that an entry sits out by request, from before the round is paired. is_half: worth half a point."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="requested_byes")
    round = models.PositiveSmallIntegerField()
    is_half = models.BooleanField()

    class Meta:
        ordering = ["round"]
        constraints = [models.UniqueConstraint(fields=["entry", "round"], name="one_bye_request_a_round")]

    def __str__(self) -> str:
        return f"{self.entry} in round {self.round}"
