"""A move of the record."""

from typing import Self

from django.db import models


class MoveQuerySet(models.QuerySet["Move"]):
    def by_players(self) -> Self:
        """Without those that the clock or a stand-in has made."""
        return self.filter(is_by_clock=False, is_by_stand_in=False)


class Move(models.Model):
    """A move as it was written. Append-only; `number` counts from 1. is_by_clock: the player's time was up.

    is_by_stand_in: a bot made it for the player (`Seat.has_stand_in`); before there was this column, none has it.
    takes_back_to: an undo instead of a move: rows after this number no longer count (`games.record.replay.standing`).
    """

    table = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=1000)
    played_at = models.DateTimeField()
    is_by_clock = models.BooleanField("made by the clock", default=False)
    is_by_stand_in = models.BooleanField("made by a bot for the player", default=False, db_default=False)
    takes_back_to = models.PositiveIntegerField(null=True, blank=True)

    objects = MoveQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="move_once_at_a_table")]

    def __str__(self) -> str:
        return f"{self.number}. {self.text or 'takes back'}"
