"""Lost connections on the board: who is not connected, and what follows."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Seat, Table
from games.services.presence import SeatPresence


@dataclass(frozen=True, slots=True)
class AwayPlayer:
    """A player who is not connected. `says` is read out when it is new.

    follows: what may happen at `at`, or now if that is None. can_claim: the reader may claim the game.
    """

    name: str
    says: str
    follows: str = ""
    at: datetime | None = None
    can_claim: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether the board has a line for it, or a button."""
        return bool(self.follows) or self.can_claim


def players_away(table: Table, own_seat: Seat | None) -> list[AwayPlayer]:
    """Players who are not connected to a running table. own_seat: of the reader, None for a spectator."""
    if table.is_over:
        return []
    others = [seat for seat in table.seat_rows if seat.away_since and seat.user_id and seat != own_seat]
    return [_away(table, seat, is_player=own_seat is not None) for seat in others]


def _away(table: Table, seat: Seat, *, is_player: bool) -> AwayPlayer:
    if seat.has_left:
        return AwayPlayer(seat.name, f"A club bot plays for {seat.name}.")
    says = f"{seat.name} is not connected."
    if table.absence_policy == Table.AfterGrace.BOT:
        return AwayPlayer(seat.name, says, "a club bot plays on", SeatPresence.of(seat).grace_ends_at)
    if table.absence_policy != Table.AfterGrace.CLAIM or not is_player:
        return AwayPlayer(seat.name, says)
    if seat.is_gone:
        return AwayPlayer(seat.name, says, can_claim=True)
    follows = "you may claim the game" if table.seat_count == 2 else "you may continue with a club bot"
    return AwayPlayer(seat.name, says, follows, SeatPresence.of(seat).grace_ends_at)
