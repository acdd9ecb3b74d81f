"""The writes that every move makes: a row of the record, and what may have changed at the table."""

from cardsite.prepared import PreparedInsert, PreparedUpdate, together
from games.models import Move, Table

_move = PreparedInsert(Move)
_table = PreparedUpdate(
    Table,
    [
        "version", "position_version", "move_count", "status", "options", "first_dealer", "clocks", "deadline_at",
        "short_at", "bot_due_at", "paused_at", "paused_by", "seconds_left", "rating_due_at", "result", "ended_by",
        "started_at", "finished_at",
    ],
)  # fmt: skip


def write(table: Table) -> None:
    """Stores the table, and the move that made it so, if one did."""
    moves = [] if table.new_move is None else [_move.statement(table.new_move)]
    together(*moves, _table.statement(table))
    table.new_move = None
