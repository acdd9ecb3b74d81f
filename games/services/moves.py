"""Playing a move: one judge decides, for people, bots and clocks."""

import logging
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from games.core.contract import GameError, NotYourTurn
from games.models import Seat, Table
from games.record import replay, table_store
from games.record.table_store import Snapshot
from games.services import timing
from games.services.clocks import out_of_time
from games.services.common import (
    Accepted,
    StalePosition,
    TableError,
    accept_move,
    apply_move,
    set_pace,
    why_not_running,
)
from games.services.pauses import frozen_reason
from infra import tracing
from infra.after_commit import on_commit

logger = logging.getLogger(__name__)

MOVED_ON = "The table changed just before your move. Please try again."


class TimeIsUp(GameError):
    """The time of the seats `late` was up before the move came in, so the clock acts first."""

    def __init__(self, late: list[Seat]) -> None:
        super().__init__("The time was up.")
        self.late = late


def judge(
    snapshot: Snapshot,
    *,
    seat: int,
    text: str,
    version: int,
    now: datetime,
    user_id: int | None = None,
    is_by_bot: bool = False,
    held: float | None = None,
) -> Accepted | GameError:
    """Judges a move: whether it counts, and what it changes. Pure; every move on the site is judged here.

    The parameters are those of `play_move`. A refusal is returned, not raised.
    """
    table = snapshot.table
    if reason := _why_stale(table, version):
        return StalePosition(reason)
    if user_id is not None and (reason := _why_not_theirs(table, seat, user_id)):
        return TableError(reason)
    if is_by_bot and not table.seat_rows[seat].is_played_by_bot:
        return StalePosition(MOVED_ON)  # the player came back while the bot was thinking
    if late := timing.whose_time_is_up(table, now, mover=seat, held=held):
        return TimeIsUp(late)
    try:
        return accept_move(table, seat, table.rules.parse(text), snapshot.position, now, held=held)
    except GameError as refusal:
        if isinstance(refusal, NotYourTurn) and version < table.version:
            return StalePosition(MOVED_ON)
        return refusal


@tracing.span("move")
@transaction.atomic
def play_move(
    *,
    table_id: int,
    seat: int,
    text: str,
    version: int,
    user_id: int | None = None,
    is_by_bot: bool = False,
    held: float | None = None,
    pace: str | None = None,
) -> Table:
    """Plays a move that was made at `version` of the table; the position must not have changed since then.

    A move that comes after its deadline is not played; the clock acts instead (`flag_overdue`). held: for how many
    seconds the player had seen the board by their browser's account, None if unknown (see `Timer.delay`).
    user_id: the person who moves; None for a bot, or for any player in the seat. is_by_bot: the move counts only while
    a bot plays in the seat. pace: see `set_pace`.
    :raises StalePosition: the table has changed; also the second half of a double submit.
    :raises GameError: the engine's refusal. Nothing has changed.
    """
    snapshot, now = table_store.locked_snapshot(table_id), timezone.now()
    table = snapshot.table
    set_pace(table, pace)
    judged = partial(
        judge, seat=seat, text=text, version=version, now=now, user_id=user_id, is_by_bot=is_by_bot, held=held
    )
    verdict = judged(snapshot)
    if isinstance(verdict, TimeIsUp):
        out_of_time(table, verdict.late, replay.state_of(table), now)
        if any(late.number == seat for late in verdict.late):
            return table
        verdict = judged(Snapshot(table))
        if isinstance(verdict, StalePosition | TimeIsUp):
            return table
    if isinstance(verdict, GameError):
        raise verdict
    on_commit(table_store.cache_snapshot, Snapshot(table, snapshot.trusted_until))
    apply_move(table, verdict)
    return table


def _why_not_theirs(table: Table, seat: int, user_id: int) -> str:
    """Why a person may not move in this seat, "" if they may."""
    own = table.seat_of(user_id)
    if own is None or own.has_left or own.number != seat:
        return "You don't have a seat at this table."
    if own.gave_up_deal:
        return f"You gave up this {table.rules.deal_word}. A bot plays it out for you."
    return ""


def _why_stale(table: Table, version: int) -> str:
    """Why a move that was made at `version` no longer counts, "" if it does."""
    if reason := why_not_running(table):
        return reason
    if table.is_frozen:
        return frozen_reason(table)
    if not table.position_version <= version <= table.version:
        return MOVED_ON
    return ""
