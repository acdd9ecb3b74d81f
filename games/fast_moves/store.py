"""Optimistic lock of the fast path: one statement stores a move if table, seat and login are still as known.

On PostgreSQL the event loop sends it itself. On SQLite, where nothing else can wait for the database, a thread does the
same with Django's ORM.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists
from psycopg.types.json import Jsonb

from accounts.models import User
from games.fast_moves.connections import connection_pool
from games.fast_moves.logins import KnownLogin
from games.models import Move, Seat, Table
from games.record.table_writes import MOVE_COLUMNS
from infra import metrics
from infra.threads import in_thread

SQL = f"""
WITH changed AS (
    UPDATE {Table._meta.db_table}
    SET {", ".join(f"{name} = %({name})s" for name in MOVE_COLUMNS)}
    WHERE id = %(table)s AND version = %(known_version)s
        AND EXISTS (
            SELECT 1 FROM {Seat._meta.db_table}
            WHERE table_id = %(table)s AND number = %(seat)s AND user_id = %(user)s AND NOT has_left
        )
        AND EXISTS (
            SELECT 1 FROM {User._meta.db_table}
            WHERE id = %(user)s AND password = %(password)s AND is_active
        )
        AND EXISTS (
            SELECT 1 FROM {Session._meta.db_table}
            WHERE session_key = %(session)s AND session_data = %(session_data)s AND expire_date > %(played_at)s
        )
    RETURNING id
)
INSERT INTO {Move._meta.db_table} (table_id, number, seat, text, played_at, is_by_clock, is_by_stand_in)
SELECT id, %(move_count)s, %(seat)s, %(text)s, %(played_at)s, false, false FROM changed
"""


@dataclass(frozen=True)
class FastMove:
    """A move to store. table: as it is afterwards. known_version: of the table before it. row: the move itself."""

    table: Table
    known_version: int
    row: Move
    login: KnownLogin

    async def store(self) -> bool:
        """False, and nothing is stored, if something has changed that this process does not know of."""
        if not is_postgresql():
            return await in_thread(self.store_with_orm)
        pool = await connection_pool()
        async with pool.connection() as own:
            with metrics.statements.time():
                cursor = await own.execute(SQL, self.parameters())
            return bool(cursor.rowcount)

    def parameters(self) -> dict[str, Any]:
        columns = {name: getattr(self.table, name) for name in MOVE_COLUMNS}
        return columns | {
            "clocks": Jsonb(self.table.clocks),
            "table": self.table.pk,
            "known_version": self.known_version,
            "seat": self.row.seat,
            "text": self.row.text,
            "played_at": self.row.played_at,
            "user": self.login.user_id,
            "password": self.login.password,
            "session": self.login.key,
            "session_data": self.login.data,
        }

    @transaction.atomic
    def store_with_orm(self) -> bool:
        login, row = self.login, self.row
        seats = Seat.objects.filter(table=self.table.pk, number=row.seat, user=login.user_id, has_left=False)
        users = User.objects.filter(pk=login.user_id, password=login.password, is_active=True)
        sessions = Session.objects.filter(pk=login.key, session_data=login.data, expire_date__gt=row.played_at)
        known = Table.objects.filter(pk=self.table.pk, version=self.known_version)
        unchanged = known.filter(Exists(seats), Exists(users), Exists(sessions))
        if not unchanged.update(**{name: getattr(self.table, name) for name in MOVE_COLUMNS}):
            return False
        row.save(force_insert=True)
        return True


@cache
def is_postgresql() -> bool:
    return connection.vendor == "postgresql"
