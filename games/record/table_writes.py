"""Table writes: a row of the record, and the columns of the table that a change may have touched."""

from collections.abc import Sequence

from games.models import Move, Table

MOVE_COLUMNS = (
    *("version", "position_version", "move_count", "clocks", "deadline_at", "short_at", "bot_due_at", "pace"),
)
"""All columns of the table that a move changes which only passes the turn."""

COLUMNS = (
    *MOVE_COLUMNS, "status", "options", "first_dealer", "is_dealer_drawn", "shuffle_due_at", "is_revealing",
    "paused_at", "paused_by", "seconds_left", "rating_due_at", "result", "ended_by", "started_at", "finished_at",
    "appear_by", "rests_until",
)  # fmt: skip


def write(table: Table, row: Move | None, columns: Sequence[str]) -> None:
    """Stores these columns of the table, and the move that made it so, if one did. The table is locked, or new."""
    if row is not None:
        row.save(force_insert=True)
    table.save(update_fields=columns)
