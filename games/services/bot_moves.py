"""Moves of bots: one thinks outside the lock, and its move is judged like any other."""

import logging
from datetime import datetime
from random import Random

from django.utils import timezone

from games import bots
from games.core.contract import Move, State
from games.models import Seat, Table
from games.record import replay, table_store
from games.record.table_store import Snapshot
from games.services import hand_ends
from games.services.common import BOT_PATIENCE, StalePosition, seats_to_move
from games.services.moves import play_move
from infra import metrics, tracing

logger = logging.getLogger(__name__)


def play_bot(*, table_id: int) -> None:
    """Plays the move of the bot to act. It thinks outside the lock; a move that comes too late is dropped."""
    table = Table.objects.with_seats().filter(pk=table_id, status=Table.Status.RUNNING).first()
    if table is None or table.is_frozen or table.bot_is_scheduled_after(timezone.now() + BOT_PATIENCE):
        return
    state, now = replay.state_of(table), timezone.now()
    bots_start = hand_ends.bots_start_at(table, len(state.results), now)
    if bots_start is None or bots_start > now:
        return
    seat = next((seat for seat in seats_to_move(table, state) if seat.is_played_by_bot), None)
    if seat is None:
        return
    move = _choice_of_bot(table, seat, state)
    table_store.cache_snapshot(Snapshot(table))  # so that `play_move` need not read it again
    try:
        play_move(table_id=table_id, seat=seat.number, text=str(move), version=table.version, is_by_bot=True)
    except StalePosition:
        logger.info("table %s moved while its bot was thinking", table.code)


def _choice_of_bot(table: Table, seat: Seat, state: State) -> Move:
    """The bot's choice; a random legal move where the bot fails, so that no game hangs."""
    view, rng = state.view(seat.number), Random()
    try:
        chosen_by = {"game": table.game, "level": seat.level}
        with metrics.bot_moves.labels(table.game, seat.level).time(), tracing.span("bot's choice", chosen_by):
            move = bots.bot(table.game, seat.level).choose(view, rng)
        state.copy().play(seat.number, move)
    except Exception:  # a fault of any kind in a bot
        logger.exception("the %s bot of %s failed at table %s", seat.level, table.game, table.code)
        return rng.choice(view.moves)
    return move


def claim_lost_bot_moves(*, now: datetime) -> list[int]:
    """Claims tables whose bot should have moved long ago, so that a second tick leaves them alone."""
    return Table.objects.running().claim("bot_due_at", now=now, patience=BOT_PATIENCE)
