"""Rematches: the next game of those who played at a table."""

from games.models import Seat, Table


def rematch_of(table: Table) -> Table | None:
    """The table of the rematch, once a player has asked for it."""
    return Table.objects.filter(rematch_of=table).first()


def rotated_seat(table: Table, seat: Seat) -> int:
    """The number of this player's seat in the rematch."""
    return (seat.number + 1) % table.seat_count


def players_expected(table: Table) -> dict[int, str]:
    """The players of the last game by the seats that they have at the table of the rematch; empty at other tables."""
    if table.rematch_of_id is None:
        return {}
    old = Table.objects.with_seats().get(pk=table.rematch_of_id)
    return {rotated_seat(old, seat): seat.name for seat in old.seat_rows}
