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
        raise TableError("You need an account to write notes. Sign up first.")
    if not table.is_over:
        raise TableError("You can write notes once the game is over.")
    if not 0 <= number <= table.move_count:
        raise TableError("This game has no such move. Your note was not saved.")
    if len(text) > LONGEST_NOTE:
        raise TableError(
            f"A note can have {LONGEST_NOTE} characters, and yours has {len(text)}. Shorten it and save it again."
        )
    if is_public and not any(seat.user_id == author.pk for seat in table.seat_rows):
        raise TableError("Only the players can share notes with everyone.")
    if text and is_public:
        note_shown.send(sender=MoveNote, author=author)
    if text:
        kept = {"text": text, "is_public": is_public}
        MoveNote.objects.update_or_create(table=table, author=author, number=number, defaults=kept)
    else:
        MoveNote.objects.filter(table=table, author=author, number=number).delete()
