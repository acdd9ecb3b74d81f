"""Stored changes: a move and the columns that it changed, as text, for other processes that cache the table.

The text may be secret. `games.live` passes it to processes only; no stream gets it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Move, Table
from games.record.replay import RecordRow
from infra.release import release

SEAT_COLUMNS = ("has_come", "gave_up_deal", "hands_seen")
"""All columns of a seat that a move may change."""

FIELDS = {field.attname: field for field in Table._meta.concrete_fields}


@dataclass(frozen=True)
class StoredChange:
    """The change that made this version of a table. columns: of the table. seats: `SEAT_COLUMNS` by seat."""

    version: int
    row: RecordRow
    columns: dict[str, Any]
    seats: list[list[Any]]

    def apply_to(self, table: Table) -> None:
        """Applies the change to the table, which has its seats and is at the version before."""
        for name, value in self.columns.items():
            setattr(table, name, FIELDS[name].to_python(value))
        for seat, values in zip(table.seat_rows, self.seats, strict=True):
            for name, value in zip(SEAT_COLUMNS, values, strict=True):
                setattr(seat, name, value)


def encode(table: Table, row: Move, columns: Sequence[str]) -> str:
    """The change as JSON text. columns: those of the table that may have changed."""
    fields = {
        "release": release(),
        "version": table.version,
        "row": (row.number, row.seat, row.text, row.takes_back_to),
        "columns": {name: getattr(table, name) for name in columns},
        "seats": [[getattr(seat, name) for name in SEAT_COLUMNS] for seat in table.seat_rows],
    }
    return json.dumps(fields, default=datetime.isoformat)


def decode(text: str | bytes) -> StoredChange | None:
    """Reads what `encode` has written; None from another release of the site, whose columns may differ."""
    fields = json.loads(text)
    if fields["release"] != release():
        return None
    return StoredChange(fields["version"], RecordRow(*fields["row"]), fields["columns"], fields["seats"])
