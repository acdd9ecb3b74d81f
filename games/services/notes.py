"""Notes on the moves of a finished game."""

from django.db import transaction

from accounts.models import User
from games.models import LONGEST_NOTE, MoveNote, Table
from games.services.common import TableError
from games.signals import note_shown


@transaction.atomic
def write_note(*, table: Table, author: User, number: int, text: str, is_public: bool = False) -> None:
    """Saves the author's note on the position after `number` moves, in place of an earlier one; no text deletes it.

    is_public: only players of the game may publish notes. :raises TableError:
    """
    if not author.has_account:
        raise TableError("Notes are kept for people with an account. Sign up, and write it then.")
    if not table.is_over:
        raise TableError("Notes can be written once the game is over.")
    if not 0 <= number <= table.move_count:
        raise TableError("The game has no such move. Nothing was kept.")
    if len(text) > LONGEST_NOTE:
        raise TableError(f"A note has at most {LONGEST_NOTE} characters; this one has {len(text)}. Nothing was kept.")
    if is_public and not any(seat.user_id == author.pk for seat in table.seats.all()):
        raise TableError("Only those who played can show their notes to everybody.")
    if text and is_public:
        note_shown.send(sender=MoveNote, author=author)
    if text:
        kept = {"text": text, "is_public": is_public}
        MoveNote.objects.update_or_create(table=table, author=author, number=number, defaults=kept)
    else:
        MoveNote.objects.filter(table=table, author=author, number=number).delete()
