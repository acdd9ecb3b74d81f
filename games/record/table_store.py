"""The reads that every move makes: a table with its seats.

A process remembers the newest version of the tables that it stored or read, for those who are shown that version or
move at it. What no version counts, such as a new name of somebody, is seen after a minute at the latest.
"""

from dataclasses import dataclass
from functools import cached_property
from random import uniform
from time import monotonic

from games.core.contract import State
from games.models import Seat, Table
from games.record import replay
from infra.after_commit import at_once
from infra.cache import Recent
from infra.prepared import Prepared, together

REMEMBERED = 500
TRUSTED_SECONDS = (30, 60)  # by lot, so that tables that were read together are not all read again together

_by_code = Prepared(lambda code: Table.objects.filter(code=code), like=["?"])
_locked = Prepared(lambda pk: Table.objects.select_for_update().filter(pk=pk), like=[-1])
_with_users = Seat.objects.select_related("user__house_bot").order_by("number")
_seats_by_code = Prepared(lambda code: _with_users.filter(table__code=code), like=["?"])
_seats = Prepared(lambda pk: _with_users.filter(table=pk), like=[-1])

_newest: Recent[str, Table] = Recent(REMEMBERED)


@dataclass(frozen=True)
class Snapshot:
    """A table at a version. Whoever is given it changes neither the table nor its position."""

    table: Table

    @cached_property
    def position(self) -> State:
        return replay.position_of(self.table)


def table_by_code(code: str) -> Table:
    """:raises Table.DoesNotExist:"""
    return _only(_by_code, _seats_by_code, code)


def locked_table(pk: int) -> Table:
    """The table, locked until the transaction ends. :raises Table.DoesNotExist:"""
    return _only(_locked, _seats, pk)


@at_once
def remember(table: Table) -> None:
    """Keeps a table as it is stored, unless a newer version is known. Nobody may change it from now on."""
    _newest.keep(table.code, table, unless=lambda known: known.version > table.version)


def table_since(code: str, version: int) -> Table:
    """The table at this version or a later one. Nobody may change it. :raises Table.DoesNotExist:"""
    known = _newest.find(code)
    if known is None or known.version < version or known.trusted_until < monotonic():
        known = table_by_code(code)
        remember(known)
    return known


def _only(tables: Prepared[Table], seats: Prepared[Seat], value: object) -> Table:
    """The seats are read second, and so, if the table is locked, as they are from then on."""
    found, seated = together(tables.statement(value), seats.statement(value))
    if not found:
        raise Table.DoesNotExist
    [table] = tables.instances(found)
    known = seats.instances(seated)
    for seat in known:
        seat.table = table
    table.know_seats(known)
    table.trusted_until = monotonic() + uniform(*TRUSTED_SECONDS)
    return table
