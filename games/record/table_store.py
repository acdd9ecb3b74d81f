"""Table reads: a table with its seats, from the database or as this process remembers it.

A process remembers the newest version of the tables that it stored or read, for those who are shown that version or
move at it. What no version counts, such as a new name of a player, is seen after a minute at the latest.
"""

from dataclasses import dataclass, field
from functools import cached_property
from random import uniform
from time import monotonic

from games.core.contract import State
from games.models import Table
from games.record import replay
from infra.after_commit import nonblocking
from infra.cache import LRUCache

CACHED_TABLES = 500
TRUSTED_SECONDS = (30, 60)  # drawn at random, so that tables that were read together are not all read again together


def _trusted_until() -> float:
    return monotonic() + uniform(*TRUSTED_SECONDS)


@dataclass(frozen=True)
class Snapshot:
    """A table at a version. Neither the table nor its position may be changed.

    trusted_until: when it is to be read again, in seconds of `time.monotonic`.
    """

    table: Table
    trusted_until: float = field(default_factory=_trusted_until)

    @cached_property
    def position(self) -> State:
        return replay.position_of(self.table)


_newest: LRUCache[str, Snapshot] = LRUCache(CACHED_TABLES)


def table_by_code(code: str) -> Table:
    """:raises Table.DoesNotExist:"""
    return _with_known_seats(Table.objects.with_seats().get(code=code))


def locked_table(pk: int) -> Table:
    """The table, locked until the transaction ends, with its seats as they are from then on.

    :raises Table.DoesNotExist:
    """
    return _with_known_seats(Table.objects.select_for_update().with_seats().get(pk=pk))


def _with_known_seats(table: Table) -> Table:
    table.known_seats = table.seats.all()
    return table


@nonblocking
def remember(snapshot: Snapshot) -> None:
    """Keeps a table as it is stored, unless a newer version is known."""
    version = snapshot.table.version
    _newest.set(snapshot.table.code, snapshot, unless=lambda known: known.table.version > version)


def known(code: str) -> Snapshot | None:
    """The newest version that this process knows, None if it knows none."""
    return _newest.get(code)


def snapshot_since(code: str, version: int) -> Snapshot:
    """The table at this version or a later one. :raises Table.DoesNotExist:"""
    newest = known(code)
    if newest is None or newest.table.version < version or newest.trusted_until < monotonic():
        newest = Snapshot(table_by_code(code))
        remember(newest)
    return newest


def table_since(code: str, version: int) -> Table:
    """The table of `snapshot_since`, which may not be changed."""
    return snapshot_since(code, version).table
