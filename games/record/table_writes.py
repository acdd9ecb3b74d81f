"""The writes that every move makes: a row of the record, and what may have changed at the table."""

from games.models import Move, Table
from infra.prepared import Condition, PreparedInsert, PreparedUpdate, together, update_and_insert

_move = PreparedInsert(Move)
_table = PreparedUpdate(
    Table,
    [
        "version", "position_version", "move_count", "status", "options", "first_dealer", "is_dealer_drawn",
        "shuffle_due_at", "is_revealing", "clocks", "deadline_at", "short_at", "bot_due_at", "paused_at", "paused_by",
        "seconds_left", "rating_due_at", "result", "ended_by", "started_at", "finished_at", "appear_by",
    ],
)  # fmt: skip
_table_after_move = PreparedUpdate(
    Table, ["version", "position_version", "move_count", "clocks", "deadline_at", "short_at", "bot_due_at"]
)


def write(table: Table) -> None:
    """Stores the table, and the move that made it so, if one did."""
    moves = [] if table.new_move is None else [_move.statement(table.new_move)]
    together(*moves, _table.statement(table))
    table.new_move = None


async def write_move_if(table: Table, *conditions: Condition) -> bool:
    """Stores a table after a move that only passes the turn, with the move. False, and nothing, unless all hold."""
    assert table.new_move is not None
    is_stored = await update_and_insert(_table_after_move.statement(table, *conditions), _move, table.new_move)
    if is_stored:
        table.new_move = None
    return is_stored
