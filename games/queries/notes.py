"""Notes on moves: which ones a reader may see."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts import blocking
from games.models import MoveNote, Table


def readable_notes(table: Table, reader: Any) -> QuerySet[MoveNote]:
    notes = table.move_notes.filter(Q(is_public=True, is_hidden=False) | Q(author=reader.pk))
    return notes.exclude(author__in=blocking.blocked_user_ids(reader)) if reader.is_authenticated else notes


def notes_to(table: Table, reader: Any, at: int) -> list[MoveNote]:
    """The notes on a position that this reader may see, their own first."""
    found = readable_notes(table, reader).filter(number=at).select_related("author")
    return sorted(found, key=lambda note: note.author_id != reader.pk)
