"""Reliability: the share of their games that players finish (`games.services.reliability` counts them)."""

from collections.abc import Iterable

from accounts.models import User
from games.models import Reliability, Seat, Table


def reliabilities_of(users: Iterable[User]) -> dict[int, Reliability]:
    """Reliability by user id, of users with enough games; `str` of it says "finishes 96 % of games"."""
    known = Reliability.objects.filter(user__in=[user.pk for user in users])
    return {one.user_id: one for one in known if one.percent is not None}


def reliability_sentence(table: Table, reader: Seat | None) -> str:
    """A sentence about the others at a table: "bob finishes 96 % of games, carol 80 %"; "" if nothing is known."""
    others = [seat for seat in table.seat_rows if seat.user and seat != reader]
    known = reliabilities_of(seat.user for seat in others if seat.user)
    return ", ".join(f"{seat.name} {known[seat.user_id]}" for seat in others if seat.user_id in known)
