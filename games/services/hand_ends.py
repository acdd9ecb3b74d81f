"""End of a hand: who has seen it, and how long clocks and bots rest meanwhile.

Each person goes on to the next hand when they have seen how the last one ended. Between people the clocks rest until
all have gone on, or for a time that suffices to follow the count (`Table.rests_until`). Alone with bots and without a
clock, nothing is due: the bots wait.
"""

from datetime import datetime, timedelta

from games.core.contract import HandResult
from games.models import Seat, Table
from games.record.hand_ends import hand_end

REST = timedelta(seconds=4)
REST_A_LINE = timedelta(seconds=1.5)  # of the score sheet
LONGEST_REST = timedelta(seconds=15)
LONGEST_REST_IN_EVENTS = timedelta(seconds=8)


def are_shown(table: Table) -> bool:
    """Whether the ends of hands are shown at this table: somebody plays there who can go on from them."""
    return any(seat.looks_at_hand_ends for seat in table.seat_rows)


def rest_after(table: Table, result: HandResult, now: datetime) -> datetime | None:
    """Until when the clocks of a table rest after this hand; None where they do not."""
    if table.is_turn_based or not are_shown(table):
        return None
    longest = LONGEST_REST_IN_EVENTS if table.event_name else LONGEST_REST
    return now + min(REST + REST_A_LINE * len(result.lines), longest)


def people_behind(table: Table, hands: int) -> list[Seat]:
    """The people who have not seen yet how the last of so many hands ended."""
    return [seat for seat in table.seat_rows if seat.looks_at_hand_ends and seat.hands_seen < hands]


def clock_starts_at(table: Table, seat: Seat, hands: int, now: datetime) -> datetime:
    """When the clock of a player to act starts: now, or after the rest for one who still looks at the last hand."""
    return max(now, table.rests_until or now) if seat.hands_seen < hands else now


def bots_start_at(table: Table, hands: int, now: datetime) -> datetime | None:
    """When bots may move: now, or after the rest; None: when the person alone with them has seen the last hand."""
    if table.is_turn_based or not people_behind(table, hands):
        return now
    if table.clock is None and not table.has_company:
        return None
    return max(now, table.rests_until or now)


def hand_to_show(table: Table, seat: Seat | None, hands: int) -> int | None:
    """The number of the finished hand that this reader is shown instead of the table, None for the table.

    seat: of the reader; spectators (None) look at the end of a hand as long as a player does.
    """
    if not hands or (table.is_over and table.ended_by != Table.EndedBy.RULES):
        return None
    behind = people_behind(table, hands)
    if seat is not None:
        return _next_to_show(table, seat.hands_seen, hands) if seat in behind else None
    return (
        _next_to_show(table, min(other.hands_seen for other in behind), hands) if behind and not table.is_over else None
    )


def _next_to_show(table: Table, seen: int, hands: int) -> int:
    """The last hand; before it those that the same move ended, where a deal was over at once. seen: how many were."""
    return hands if seen + 1 >= hands else max(seen, len(hand_end(table, hands).before.results)) + 1


def mark_seen(seat: Seat, hands: int) -> None:
    """Records that the player in this seat has seen how so many hands ended."""
    seat.hands_seen = hands
    seat.save(update_fields=["hands_seen"])
