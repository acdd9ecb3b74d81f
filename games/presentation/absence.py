"""What the board says of those who are not connected."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Seat, Table
from games.services.presence import Watched


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody who is not connected. `says` is read out when it is new.

    follows: what may happen at `at`, or now if that is None. can_claim: the reader may let it happen.
    """

    name: str
    says: str
    follows: str = ""
    at: datetime | None = None
    can_claim: bool = False


def at(table: Table, own_seat: Seat | None) -> list[Away]:
    """At a running table, for somebody who sits there or, with None, watches."""
    if table.is_over:
        return []
    others = [seat for seat in table.places if seat.away_since and seat.user_id and seat != own_seat]
    return [_away(table, seat, is_player=own_seat is not None) for seat in others]


def _away(table: Table, seat: Seat, *, is_player: bool) -> Away:
    if seat.has_left:
        return Away(seat.name, f"A club bot plays on for {seat.name}.")
    says = f"{seat.name} is not connected."
    if table.absence_policy == Table.AfterGrace.BOT:
        return Away(seat.name, says, "a club bot plays on", Watched.of(seat).grace_ends_at)
    if table.absence_policy != Table.AfterGrace.CLAIM or not is_player:
        return Away(seat.name, says)
    if seat.is_gone:
        return Away(seat.name, says, can_claim=True)
    follows = "you may claim the game" if table.seat_count == 2 else "you may go on with a club bot"
    return Away(seat.name, says, follows, Watched.of(seat).grace_ends_at)
