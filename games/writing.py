"""The writes that every move makes: a row of the record, and what may have changed at the table."""

from cardsite.prepared import PreparedInsert, PreparedUpdate
from games.models import Move, Table

insert_move = PreparedInsert(Move)
update_table = PreparedUpdate(
    Table,
    [
        "version", "position_version", "move_count", "status", "options", "first_dealer", "clocks", "deadline_at",
        "short_at", "bot_due_at", "paused_at", "paused_by", "seconds_left", "rating_due_at", "result", "ended_by",
        "started_at", "finished_at",
    ],
)  # fmt: skip
