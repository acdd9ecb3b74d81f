"""Playing a move: people and bots."""

import logging
from datetime import datetime
from random import Random

from django.core.exceptions import SynchronousOnlyOperation
from django.db import transaction
from django.utils import timezone

from games import bots
from games.core.contract import GameError, State
from games.core.contract import Move as AnyMove
from games.models import Seat, Table
from games.record import replay, table_writes
from games.record.table_writes import Overtaken
from games.services import timing
from games.services.clocks import out_of_time
from games.services.common import (
    BOT_PATIENCE,
    StalePosition,
    TableError,
    await_move,
    awaited_places,
    locked,
    outcome_of,
    play,
    put_down,
)
from infra.after_commit import Follow
from infra.prepared import Condition, Prepared

logger = logging.getLogger(__name__)

_seats = Prepared(
    lambda table, number, user: Seat.objects.filter(table=table, number=number, user=user, has_left=False),
    like=[-1, 99, -2],
)


@transaction.atomic
def play_move(
    *, table_id: int, seat: int, text: str, version: int, user_id: int | None = None, held: float | None = None
) -> Table:
    """Plays a move that was made at `version` of the table; the position must have been the same since then.

    A move that comes after its deadline is not played; the clock acts instead (`flag_overdue`). held: the seconds that
    the player had the board before him, as his browser says, None if it does not (`games.domain.clocks.Timer.delay`).
    user_id: the person who moves; None for a bot, or whoever sits there.
    :raises StalePosition: the table has moved on; also the second half of a double submit.
    :raises GameError: the engine's refusal. Nothing has changed.
    """
    table = locked(table_id)
    if refusal := _refusal(table, version):
        raise StalePosition(refusal)
    if user_id is not None:
        _check_seat(table, seat, user_id)
    state = replay.state_of(table)
    now = timezone.now()
    if late := timing.whose_time_is_up(table, now, mover=seat, held=held):
        out_of_time(table, late, state, now)
    if _refusal(table, version) or any(place.number == seat for place in late):
        return table
    play(table, seat, table.rules.parse(text), state, now, held=held)
    return table


async def play_at_once(
    table: Table, *, seat: int, user_id: int, text: str, version: int, held: float | None, still: Condition
) -> Table | None:
    """Plays a move that is nothing special, with one statement, and gives the table as it is then.

    table: as this process knows it, which is not changed. still: what else must be so in the database, such as that the
    person is logged in. None, and nothing has happened, where `play_move` must look closer: if the move is refused, it
    ends the game or somebody's time is up, if anything has changed that this process does not know of, and if it does
    not remember the position. Runs in the event loop, which never waits here but for that statement.
    """
    follow = Follow()
    try:
        with follow.collected():
            after = _judged(table.twin(), seat, user_id, text, version, held, still)
        await table_writes.write_provided(after)
    except (GameError, Overtaken, SynchronousOnlyOperation):
        return None
    await follow.carry_out()
    return after


def _judged(
    table: Table, seat: int, user_id: int, text: str, version: int, held: float | None, still: Condition
) -> Table:
    """The table after the move, not yet stored.

    :raises Overtaken:
    :raises GameError:
    """
    is_special = table.appear_by is not None or any(place.gave_up_deal for place in table.places)
    if is_special or _refusal(table, version):
        raise Overtaken
    _check_seat(table, seat, user_id)
    state, now = replay.state_of(table), timezone.now()
    if timing.whose_time_is_up(table, now, mover=seat, held=held):
        raise Overtaken
    is_seated = Condition.found(_seats.statement(table.pk, seat, user_id))
    table.provided = (Condition("version = %s", [table.version]), is_seated, still)
    put_down(table, seat, table.rules.parse(text), state, now, held=held)
    if outcome_of(table, state):
        raise Overtaken
    await_move(table, state, now)
    return table


def _check_seat(table: Table, seat: int, user_id: int) -> None:
    """:raises TableError: it is not the person's to move in."""
    place = table.place_of(user_id)
    if place is None or place.has_left or place.number != seat:
        raise TableError("You do not sit at this table.")
    if place.gave_up_deal:
        raise TableError("You gave up this deal, and a bot plays it out.")


def _refusal(table: Table, version: int) -> str:
    """Why a move that was made at `version` cannot count any more, "" if it can."""
    if table.status != Table.Status.RUNNING:
        return "This game is over."
    if table.stands:
        return table.standstill
    if not table.position_version <= version <= table.version:
        return "The table had moved on, so nothing was played. This is how it stands now."
    return ""


def play_bot(*, table_id: int) -> None:
    """Lets the bot that is to act move. It thinks outside the lock; what it finds too late is dropped."""
    table = Table.objects.with_seats().filter(pk=table_id, status=Table.Status.RUNNING).first()
    if table is None or table.stands or table.lets_bots_wait(timezone.now() + BOT_PATIENCE):
        return
    state = replay.state_of(table)
    seat = next((seat for seat in awaited_places(table, state) if seat.is_played_by_bot), None)
    if seat is None:
        return
    move = _choice_of_bot(table, seat, state)
    try:
        play_move(table_id=table_id, seat=seat.number, text=str(move), version=table.version)
    except StalePosition:
        logger.info("table %s moved while its bot was thinking", table.code)


def _choice_of_bot(table: Table, seat: Seat, state: State) -> AnyMove:
    """What the bot wants to play; one of the legal moves by lot where it fails, so that nobody's game hangs."""
    view, rng = state.view(seat.number), Random()
    try:
        move = bots.bot(table.game, seat.level).choose(view, rng)
        state.copy().play(seat.number, move)
    except Exception:  # a fault of any kind in a bot
        logger.exception("the %s bot of %s failed at table %s", seat.level, table.game, table.code)
        return rng.choice(view.moves)
    return move


def claim_lost_bot_moves(*, now: datetime) -> list[int]:
    """Tables whose bot should have moved long ago; each is claimed, so that a second tick leaves it alone."""
    return Table.objects.running().claim("bot_due_at", now=now, patience=BOT_PATIENCE)
