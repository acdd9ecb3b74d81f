"""Lost connections: telling the other players, and what follows when a player does not come back.

Only real-time games between people count: in a game over days no one expects the other player to be online, and a game
against bots simply waits.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from games.core.contract import Outcome
from games.live import presence
from games.live.presence import ONLINE_SECONDS, Heartbeats
from games.models import Seat, Table
from games.record import replay
from games.services.common import TableError, finish_game, lock_running_table, lock_table, seat_of, store
from games.services.leaving import end_without, let_bot_play
from games.services.turns import announce_turns

GRACE_SECONDS, QUICK_GRACE_SECONDS = 60, 30
QUICK_SECONDS = 180  # a game whose clock gives no more at once
ABANDONED_AFTER = timedelta(hours=1)


class SeatPresence(NamedTuple):
    """The columns that decide whether the player in a seat counts as connected; many of them are read every second."""

    table_id: int
    user_id: int
    away_since: datetime | None
    is_gone: bool
    started_at: datetime
    base_seconds: int
    move_seconds: int | None
    absence: str

    @classmethod
    def of(cls, seat: Seat) -> "SeatPresence":
        at = seat.table
        assert seat.user_id is not None and at.started_at is not None, "a person at a running table"
        clock = (at.base_seconds, at.move_seconds)
        return cls(at.pk, seat.user_id, seat.away_since, seat.is_gone, at.started_at, *clock, at.absence)

    @property
    def grace_ends_at(self) -> datetime | None:
        """None for a connected player, and in events, which have an absence policy of their own."""
        if self.away_since is None or self.absence:
            return None
        seconds = self.base_seconds + (self.move_seconds or 0)
        return self.away_since + timedelta(
            seconds=QUICK_GRACE_SECONDS if 0 < seconds <= QUICK_SECONDS else GRACE_SECONDS
        )

    def has_given_up(self, now: datetime) -> bool:
        """Whether the player has been away for long from a game that no clock ends."""
        is_timed = self.base_seconds or self.move_seconds
        return (
            self.is_gone and not is_timed and self.away_since is not None and self.away_since <= now - ABANDONED_AFTER
        )

    def seen(self, heartbeats: Heartbeats, now: datetime) -> "SeatPresence":
        """The same, updated by heartbeats. Time in which the site itself heard none does not count against a player."""
        until = heartbeats.until[self.table_id, self.user_id]
        if until is not None and until > now.timestamp():
            return self._replace(away_since=None, is_gone=False)
        listening_since = datetime.fromtimestamp(heartbeats.listening_since, UTC)
        if now < max(self.started_at, listening_since) + timedelta(seconds=ONLINE_SECONDS):
            return self
        away = self._replace(away_since=self.away_since or now)
        return away._replace(is_gone=self.is_gone or (away.grace_ends_at is not None and away.grace_ends_at <= now))


def tables_with_presence_changes(*, now: datetime) -> list[int]:
    """Tables at which a player has just lost the connection, is back, or has been away for too long."""
    tables = Table.objects.running().in_real_time().filter(paused_at=None)
    seats = Seat.objects.filter(table__in=tables, has_left=False, user__is_bot=False)
    of_table = [f"table__{name}" for name in SeatPresence._fields[4:]]
    rows = [SeatPresence(*row) for row in seats.values_list(*SeatPresence._fields[:4], *of_table)]
    people = Counter(row.table_id for row in rows)
    rows = [row for row in rows if people[row.table_id] > 1]
    heartbeats = _heartbeats(rows, now)
    kept = {row.table_id for row in rows if not row.has_given_up(now)}
    return sorted({row.table_id for row in rows if row.table_id not in kept or row.seen(heartbeats, now) != row})


def _heartbeats(rows: list[SeatPresence], now: datetime) -> Heartbeats:
    return presence.heartbeats([(row.table_id, row.user_id) for row in rows], now=now.timestamp())


@transaction.atomic
def settle_presence(*, table_id: int, now: datetime) -> None:
    """Shows who lost the connection and who is back; bots take over for absent players where the table says so."""
    table = lock_table(table_id)
    if table.status != Table.Status.RUNNING or table.paused_at is not None:
        return
    seats = [seat for seat in table.seat_rows if seat.has_person]
    if len(seats) < 2:
        return
    rows = [SeatPresence.of(seat) for seat in seats]
    heartbeats = _heartbeats(rows, now)
    changed = [seat for seat, row in zip(seats, rows, strict=True) if _take(seat, row, row.seen(heartbeats, now))]
    if not changed:
        if all(row.has_given_up(now) for row in rows):
            _end_for_nobody(table)
        return
    Seat.objects.bulk_update(changed, ["away_since", "is_gone"])
    gone = [seat for seat in changed if seat.is_gone]
    if gone and table.absence_policy == Table.AfterGrace.BOT:
        let_bot_play(table, gone, replay.state_of(table))
    else:
        store(table)
        announce_turns(
            table, [seat.user_id for seat in changed if seat.user_id and seat.away_since and not seat.is_gone]
        )


def _end_for_nobody(table: Table) -> None:
    scores = tuple(replay.state_of(table).view(None).scores)
    gone = [seat.number for seat in table.seat_rows if seat.has_person]
    outcome = Outcome(scores, (1,) * table.seat_count, "Everyone has left, so no one wins.")
    finish_game(table, outcome, Table.EndedBy.LEFT, gone=gone)


def _take(seat: Seat, before: SeatPresence, after: SeatPresence) -> bool:
    """Updates a seat; True if anything has changed."""
    seat.away_since, seat.is_gone = after.away_since, after.is_gone
    return after != before


@transaction.atomic
def claim_game(*, table_id: int, user: User) -> Table:
    """Claims the game from players who have not come back: with two players the other one wins, with more bots play on.

    :raises TableError: they are back, or still have time.
    """
    table = lock_running_table(table_id)
    seat_of(table, user)
    gone = [seat for seat in table.seat_rows if seat.has_person and seat.is_gone and seat.user_id != user.pk]
    if not gone or table.absence_policy != Table.AfterGrace.CLAIM:
        raise TableError("You can't claim the game: everyone is here or can still come back in time.")
    state = replay.state_of(table)
    if table.seat_count == 2:
        end_without(table, gone, state, Table.EndedBy.LEFT, "{} lost the connection and didn't come back.")
    else:
        let_bot_play(table, gone, state)
    return table
