"""Rematches: the next game of those who played at a table."""

from games.models import Table


def rematch_of(table: Table) -> Table | None:
    """The table of the rematch, once a player has asked for it."""
    return Table.objects.filter(rematch_of=table).first()
