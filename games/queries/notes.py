"""Notes on moves: which ones a reader may see."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts import blocking
from games.models import MoveNote, Table


def readable_notes(table: Table, reader: Any) -> QuerySet[MoveNote]:
    notes = table.move_notes.filter(Q(is_public=True, is_hidden=False) | Q(author=reader.pk))
    return notes.exclude(author__in=blocking.blocked_user_ids(reader)) if reader.is_authenticated else notes


def own_note(table: Table, reader: Any, at: int) -> MoveNote | None:
    """The reader's own note on a position, None without one."""
    return table.move_notes.filter(author=reader, number=at).first() if reader.is_authenticated else None


def others_notes(table: Table, reader: Any, at: int) -> QuerySet[MoveNote]:
    """The notes of others on a position that this reader may see."""
    return readable_notes(table, reader).filter(number=at).exclude(author=reader.pk).select_related("author")
