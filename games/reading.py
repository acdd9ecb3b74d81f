"""The reads that every move makes: a table with its seats, and the match of a tournament that it is part of."""

from cardsite.prepared import Prepared
from games.models import Seat, Table

EVENT = "match_game__match__event"

_by_code = Prepared(lambda code: Table.objects.select_related(EVENT).filter(code=code), like="?")
_locked = Prepared(
    lambda pk: Table.objects.select_related(EVENT).select_for_update(of=("self",)).filter(pk=pk), like=-1
)
_seats = Prepared(
    lambda pk: Seat.objects.select_related("user__house_bot").filter(table=pk).order_by("number"), like=-1
)


def table_by_code(code: str) -> Table:
    """:raises Table.DoesNotExist:"""
    return _only(_by_code(code))


def locked_table(pk: int) -> Table:
    """The table, locked until the transaction ends. :raises Table.DoesNotExist:"""
    return _only(_locked(pk))


def _only(found: list[Table]) -> Table:
    if not found:
        raise Table.DoesNotExist
    [table] = found
    seats = _seats(table.pk)
    for seat in seats:
        seat.table = table
    table.know_seats(seats)
    return table
