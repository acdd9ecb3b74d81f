"""Reliability: counts whether players finish their games.

A game counts once it has ended, if at least two people played it. Three things count against a player: a seat that a
bot holds at the end, a game that was claimed, and a clock that ran out while they were not connected. Resigning a game
for two, or losing it on time while present, counts as finished.
"""

from games.models import Reliability, Seat, Table


def count_finished_game(table: Table) -> None:
    """Counts a table that has just ended. Call it once, in the transaction that ends it."""
    stayed = _stayed(table)
    Reliability.objects.bulk_create((Reliability(user_id=user) for user in sorted(stayed)), ignore_conflicts=True)
    rows = list(Reliability.objects.select_for_update().filter(user__in=stayed).order_by("user_id"))
    for row in rows:
        row.take(stayed=stayed[row.user_id])
    Reliability.objects.bulk_update(rows, ["games", "finished", "weight"])


def _stayed(table: Table) -> dict[int, bool]:
    """Whether each user stayed, by user id; without users for whom this game does not count."""
    if not table.has_company or table.ended_by == Table.EndedBy.DIRECTOR:
        return {}
    people = [seat for seat in table.seat_rows if seat.user and seat.user.is_person]
    has_begun = table.move_count >= table.seat_count  # giving up at once improves nothing
    stayed = {seat.user_id: _has_stayed(table, seat) for seat in people if seat.user_id is not None}
    return {user_id: has_stayed for user_id, has_stayed in stayed.items() if not has_stayed or has_begun}


def _has_stayed(table: Table, seat: Seat) -> bool:
    is_without = seat.number in table.result["gone"]
    was_absent = table.ended_by in (Table.EndedBy.LEFT, Table.EndedBy.NO_SHOW) or seat.away_since is not None
    return not (seat.has_left or (is_without and was_absent))
