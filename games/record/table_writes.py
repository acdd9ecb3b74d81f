"""The writes that every move makes: a row of the record, and what may have changed at the table."""

from games.models import Move, Table
from infra.prepared import PreparedInsert, PreparedUpdate, together, update_and_insert


class Overtaken(Exception):
    """The table is not as it was when somebody began to change it."""


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
    """Stores the table, and the move that made it so, if one did. One that is `provided` waits for `write_provided`."""
    if table.provided:
        return
    moves = [] if table.new_move is None else [_move.statement(table.new_move)]
    together(*moves, _table.statement(table))
    table.new_move = None


async def write_provided(table: Table) -> None:
    """Stores a table after a move that is nothing special.

    :raises Overtaken: what it was `provided` with is not so. Nothing is stored.
    """
    assert table.new_move is not None
    if not await update_and_insert(_table_after_move.statement(table, *table.provided), _move, table.new_move):
        raise Overtaken
    table.new_move, table.provided = None, ()
