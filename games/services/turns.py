"""Turn notifications: tells players who do not have the page open, and bots that people run, that it is their turn."""

from collections.abc import Iterable, Sequence

from games.models import Seat, Table
from games.record import replay
from games.signals import bot_turn_came, turn_came
from infra.after_commit import on_commit


def users_to_notify(table: Table, waiting_on: Iterable[Seat], *, mover_id: int | None) -> list[int]:
    """Ids of users to notify that their turn begins; call it before the clocks start.

    In a game over days that is every player to move, in a real-time game only one who has lost the connection. The
    player who has just moved, `mover_id`, is left out.
    """
    people = [(seat, user_id) for seat in waiting_on if (user_id := seat.user_id) and not seat.is_played_by_bot]
    others = [(seat, user_id) for seat, user_id in people if user_id != mover_id]
    if not table.is_turn_based:
        return [user_id for seat, user_id in others if seat.away_since is not None]
    timers = table.timers if others and table.has_company else []
    return [user_id for seat, user_id in others if timers and timers[seat.number].since is None]


def announce_turns(table: Table, user_ids: Sequence[int]) -> None:
    """Announces turns. user_ids: see `users_to_notify`. In games over days the end of a turn is announced too."""
    if user_ids or (table.is_turn_based and table.has_company):
        on_commit(turn_came.send_robust, sender=Table, table_id=table.pk, user_ids=[*user_ids])


def announce_bot_turns(table: Table, waiting_on: Iterable[Seat], *, mover_id: int | None) -> None:
    """Announces turns of bots that people run, at any table; not to one that has just moved, which has its answer."""
    bots = [seat.user_id for seat in waiting_on if not seat.is_played_by_bot and seat.user and seat.user.is_api_bot]
    user_ids = [user_id for user_id in bots if user_id != mover_id]
    if user_ids:
        on_commit(bot_turn_came.send_robust, sender=Table, table_id=table.pk, user_ids=user_ids)


def people_to_move(table: Table) -> list[Seat]:
    """The people who can move now; none while the table is frozen."""
    if table.status != Table.Status.RUNNING or table.is_frozen:
        return []
    waiting_on = replay.state_of(table).waiting_on
    return [seat for seat in table.seat_rows if seat.number in waiting_on and not seat.is_played_by_bot]
