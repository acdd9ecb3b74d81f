"""Table reads: a table with its seats, from the database or the cache of this process.

The cache holds the newest version of each table that the process stored or read. Changes without a new version, such
as a player's new name, are seen after a minute at the latest.
"""

from dataclasses import dataclass, field
from functools import cached_property
from random import uniform
from time import monotonic

from games.core.contract import State
from games.models import Table
from games.record import replay
from games.record.copies import copy_with_seats
from infra.after_commit import nonblocking
from infra.cache import LRUCache

CACHED_TABLES = 500
TRUSTED_SECONDS = (30, 60)  # random, so that tables that were read together do not expire together


def _trusted_until() -> float:
    return monotonic() + uniform(*TRUSTED_SECONDS)


@dataclass(frozen=True)
class Snapshot:
    """A table at a version. Neither the table nor its position may be changed.

    trusted_until: when it expires, in seconds of `time.monotonic`.
    """

    table: Table
    trusted_until: float = field(default_factory=_trusted_until)

    @cached_property
    def position(self) -> State:
        return replay.position_of(self.table)


_newest: LRUCache[str, Snapshot] = LRUCache(CACHED_TABLES)


def table_by_code(code: str) -> Table:
    """The table with its seats, from the database. :raises Table.DoesNotExist:"""
    return _with_seats(Table.objects.get(code=code))


def locked_table(pk: int) -> Table:
    """The table, locked until the transaction ends, with its seats as they are from then on.

    :raises Table.DoesNotExist:
    """
    return _with_seats(Table.objects.select_for_update().get(pk=pk))


def locked_snapshot(pk: int) -> Snapshot:
    """The same as a snapshot whose table may be changed. A table that this process knows as it is, is not read again.

    :raises Table.DoesNotExist:
    """
    code, version = Table.objects.select_for_update().values_list("code", "version").get(pk=pk)
    known = cached_snapshot(code)
    if known is None or not _is_known_to_be_so(known, version):
        return Snapshot(table_by_code(code))
    return Snapshot(copy_with_seats(known.table), known.trusted_until)


def _is_known_to_be_so(known: Snapshot, version: int) -> bool:
    """Whether a table that has just been locked at this version is as in the snapshot, with its seats.

    In a game in which all players have come, nothing that a move looks at changes without a new version.
    """
    table = known.table
    is_of_now = table.version == version and known.trusted_until > monotonic()
    return is_of_now and table.status == Table.Status.RUNNING and table.appear_by is None


def _with_seats(table: Table) -> Table:
    table.known_seats = [*table.seats.with_players()]
    return table


@nonblocking
def cache_snapshot(snapshot: Snapshot) -> None:
    """Caches a table as it is stored, unless a newer version is cached."""
    version = snapshot.table.version
    _newest.set(snapshot.table.code, snapshot, unless=lambda known: known.table.version > version)


def cached_snapshot(code: str) -> Snapshot | None:
    """The cached version, None without one."""
    return _newest.get(code)


def snapshot_since(code: str, version: int) -> Snapshot:
    """The table at this version or a later one. :raises Table.DoesNotExist:"""
    newest = cached_snapshot(code)
    if newest is None or newest.table.version < version or newest.trusted_until < monotonic():
        newest = Snapshot(table_by_code(code))
        cache_snapshot(newest)
    return newest


def table_since(code: str, version: int) -> Table:
    """The table of `snapshot_since`, which may not be changed."""
    return snapshot_since(code, version).table
