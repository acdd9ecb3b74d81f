"""Going on to the next hand, once a player has seen how the last one ended."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Table
from games.record import replay
from games.services import hand_ends
from games.services.common import TableError, begin_turn, lock_table, seat_of, set_pace, store, why_not_running


@transaction.atomic
def see_hand(*, table_id: int, user: User, hand: int, pace: str | None = None) -> Table:
    """Records that a player has seen how a hand ended; a second call changes nothing.

    hand: its number, from 1. pace: see `set_pace`.

    Clocks and bots that have waited for this start. :raises TableError: the game has not begun, or without this user.
    """
    table, now = lock_table(table_id), timezone.now()
    if table.started_at is None:  # its cards are not dealt
        raise TableError(why_not_running(table))
    seat, state = seat_of(table, user), replay.position_of(table)
    hands = min(hand, len(state.results))
    if seat.hands_seen >= hands:
        return table
    hand_ends.mark_seen(seat, hands)
    set_pace(table, pace)
    if not hand_ends.people_behind(table, len(state.results)):
        table.rests_until = None
    if table.status == Table.Status.RUNNING and not table.is_frozen:
        begin_turn(table, state, now)
    else:
        store(table)
    return table
