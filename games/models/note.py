"""Notes of people on moves of a finished game."""

from django.conf import settings
from django.db import models

from games.models.table import Table

LONGEST_NOTE = 600


class MoveNote(models.Model):
    """A note to the position after `number` moves.

    is_public: everyone who sees the replay may read it, unless a moderator has hidden it (is_hidden).
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="move_notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="move_notes")
    number = models.PositiveIntegerField()
    text = models.CharField(max_length=LONGEST_NOTE)
    is_public = models.BooleanField("public", default=False)
    is_hidden = models.BooleanField(default=False)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "author", "number"], name="one_note_of_an_author_to_a_move")
        ]

    def __str__(self) -> str:
        return f"{self.author.display_name} on move {self.number}"
