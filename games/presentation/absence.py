"""Lost connections on the board: who is not connected, and what follows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.core.words import joined, within_sentence
from games.models import Seat, Table
from games.services.presence import SeatPresence


@dataclass(frozen=True, slots=True)
class AbsentPlayer:
    """A player who is not connected. `says` is read out when it is new."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class AbsenceLine:
    """Players who have the same time to come back, and what follows then."""

    names: str
    follows: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Absence:
    """Who is not connected. claim: what the reader may do now about `gone`, who have not come back in time."""

    players: Sequence[AbsentPlayer]
    lines: Sequence[AbsenceLine] = ()
    claim: str = ""
    gone: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether the board has a line for it, or a button."""
        return bool(self.lines or self.claim)


def absence_at(table: Table, own_seat: Seat | None) -> Absence | None:
    """Players who are not connected to a running table. own_seat: of the reader, None for a spectator."""
    others = [seat for seat in table.seat_rows if seat.away_since and seat.user_id and seat != own_seat]
    if table.is_over or not others:
        return None
    players = [AbsentPlayer(seat.name, _says(seat)) for seat in others]
    can_claim = table.absence_policy == Table.AfterGrace.CLAIM and own_seat is not None
    if not can_claim and table.absence_policy != Table.AfterGrace.BOT:
        return Absence(players)
    gone: list[str] = []
    in_time: defaultdict[datetime, list[str]] = defaultdict(list)
    for seat in others:
        ends_at = SeatPresence.of(seat).grace_ends_at
        if ends_at and not seat.has_left:
            (gone if can_claim and seat.is_gone else in_time[ends_at]).append(seat.name)
    lines = [AbsenceLine(joined(names), _follows(table, len(names)), at) for at, names in sorted(in_time.items())]
    return Absence(players, lines, _claim(table, len(gone)), joined(gone)) if gone else Absence(players, lines)


def _says(seat: Seat) -> str:
    return f"A club bot plays for {seat.name}." if seat.has_left else f"{seat.name} is not connected."


def _follows(table: Table, count: int) -> str:
    if table.absence_policy == Table.AfterGrace.BOT:
        return "a club bot plays on" if count == 1 else "club bots play on"
    return f"you may {within_sentence(_claim(table, count))}"


def _claim(table: Table, count: int) -> str:
    if table.seat_count == 2:
        return "Claim the game"
    return "Continue with a club bot" if count == 1 else "Continue with club bots"
