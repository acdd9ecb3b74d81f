"""Shared steps of all services: apply a move, pass the turn, finish the game, store and announce the table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games import live
from games.bots import EXPERT
from games.core.cards import Card
from games.core.contract import GameError, HandEnd, HandResult, Outcome, State, View, places
from games.core.contract import Move as AnyMove
from games.models import Move, Seat, Table
from games.queries import open_tables
from games.record import changes, replay, table_store, table_writes
from games.record import hand_ends as record_of_ends
from games.services import hand_ends, ratings, reliability, timing, turns
from games.signals import table_finished
from infra import metrics, tracing
from infra.after_commit import on_commit
from infra.task_queue import enqueue_on_commit

BOT_PAUSE_SECONDS = {"relaxed": 1.6, "normal": 0.8, "quick": 0.3}  # before a bot moves, so that people can follow
BOT_PAUSE_ALONE_SECONDS = 0.2  # at tables of bots only
BOT_PATIENCE = timedelta(seconds=6)  # after this a bot's move counts as lost

Write = Callable[[Table, Move | None, Sequence[str]], None]


class StalePosition(GameError):
    """Optimistic lock: the table has changed since the page was made."""


class TableError(GameError):
    """The table cannot do that now."""


def lock_table(table_id: int) -> Table:
    """The table with its seats, its row locked until the transaction ends. :raises Table.DoesNotExist:"""
    return table_store.locked_table(table_id)


def lock_running_table(table_id: int) -> Table:
    """A table in play, its row locked (see `lock_table`). :raises TableError: its game has not started, or is over."""
    table = lock_table(table_id)
    if reason := why_not_running(table):
        raise TableError(reason)
    return table


def why_not_running(table: Table) -> str:
    """Why nobody can play at this table, "" while its game is running."""
    if table.status == Table.Status.RUNNING:
        return ""
    return "This game hasn't started." if table.status == Table.Status.OPEN else "This game is over."


def seat_of(table: Table, user: User) -> Seat:
    """The seat of a player who has not left. :raises TableError: they have no seat here."""
    seat = table.seat_of(user.pk)
    if seat is None or seat.has_left:
        raise TableError("You don't have a seat at this table.")
    return seat


def seats_to_move(table: Table, state: State) -> list[Seat]:
    """The seats that the table waits for."""
    return [seat for seat in table.seat_rows if seat.number in state.waiting_on]


class Effects(NamedTuple):
    """Side effects of a move, beside the next turn.

    comes: the table was waiting for this player to appear. sees: the number of the hand whose end the player has seen
    with this move, 0 for none. ends_hand: the hand is over; players who gave it up take their seats back. outcome: the
    game is over.
    """

    comes: bool = False
    sees: int = 0
    ends_hand: bool = False
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted move, before anything is stored.

    row: the move as it is written. before, state: the positions before it and after it. changes: the fields of the
    table that it sets.
    """

    row: Move
    move: AnyMove
    before: State
    state: State
    changes: Mapping[str, Any]
    effects: Effects


@dataclass(frozen=True, slots=True)
class Storing:
    """How a change of a table is stored, and what is stored with it.

    row: the move that made the change. mover_id: the player whose own request shows the new version: the answer to a
    move is the board after it. write: puts it into the database, or leaves that to the caller, who then also decides
    whether the after-commit callbacks run (`games.fast_moves`). columns: those of the table that may have changed.
    """

    row: Move | None = None
    mover_id: int | None = None
    write: Write = table_writes.write
    columns: Sequence[str] = table_writes.COLUMNS

    def change_message(self, table: Table) -> str:
        """The change as text for other processes (`games.record.changes`), "" if it is no move: only moves are many."""
        if self.row is None or not settings.FAST_MOVES:
            return ""
        return changes.encode(table, self.row, self.columns)


WITHOUT_MOVE = Storing()


def accept_move(
    table: Table,
    seat: int,
    move: AnyMove,
    position: State,
    now: datetime,
    *,
    held: float | None = None,
    is_by_clock: bool = False,
) -> Accepted:
    """What a legal move changes and what follows from it; pure.

    held: see `Timer.delay`. is_by_clock: the time of the seat was up. :raises IllegalMove:
    """
    state = position.copy()
    state.play(seat, move)
    mover, number = table.seat_rows[seat], table.move_count + 1
    row = Move(
        table_id=table.pk,
        number=number,
        seat=seat,
        text=str(move),
        played_at=now,
        is_by_clock=is_by_clock,
        is_by_stand_in=mover.has_stand_in,
    )
    changes = {
        "move_count": number,
        "position_version": table.position_version if _is_aside(position, state, seat) else table.version + 1,
        "timers": timing.timers_after_move(table, seat, now, held=held, keeps_turn=seat in state.waiting_on),
    }
    effects = Effects(
        comes=table.appear_by is not None and mover.has_person,
        sees=len(position.results) if mover.has_person and mover.hands_seen < len(position.results) else 0,
        ends_hand=len(state.results) > len(position.results),
        outcome=outcome_of(table, state),
    )
    return Accepted(row, move, position, state, changes, effects)


def _is_aside(before: State, after: State, mover: int) -> bool:
    """Whether a move changes nothing for the other seats to act, as when all discard at the same time.

    They see the same cards and have the same moves as before, and the mover has no other move until they have made
    theirs. So a move of theirs counts that was made on the board before this one.
    """
    others = tuple(seat for seat in before.to_act if seat != mover)
    if not others or after.to_act != others or len(after.results) != len(before.results):
        return False
    pairs = [(before.view(seat), after.view(seat)) for seat in others]
    return all(old.moves == new.moves and _faces(old) == _faces(new) for old, new in pairs)


def _faces(view: View) -> dict[str, tuple[Card, ...]]:
    """The cards that this viewer sees, by zone."""
    return {zone.id: zone.cards for zone in view.zones if zone.cards}


def apply_move(table: Table, accepted: Accepted, *, write: Write = table_writes.write) -> None:
    """Applies an accepted move with its effects to the table. write: see `Storing`."""
    passes_turn = accepted.effects == Effects() and table.appear_by is None
    columns = table_writes.MOVE_COLUMNS if passes_turn else table_writes.COLUMNS
    for name, value in accepted.changes.items():
        setattr(table, name, value)
    row = accepted.row
    mover = table.seat_rows[row.seat]
    storing = Storing(row, None if row.is_by_clock else mover.user_id, write, columns)
    on_commit(replay.cache_position, table.code, table.move_count, accepted.state)
    by = "clock" if row.is_by_clock else "bot" if mover.is_played_by_bot else "person"
    on_commit(metrics.count_move, table.game, by)
    tracing.describe({"game": table.game, "table": table.code, "by": by})
    if accepted.effects.comes:
        mark_arrived([mover])
    if accepted.effects.sees:
        hand_ends.mark_seen(mover, accepted.effects.sees)
    if accepted.effects.ends_hand:
        end = HandEnd(accepted.before, row.seat, accepted.move, accepted.state)
        on_commit(record_of_ends.cache_hand_end, table.code, end)
        restore_given_up_seats(table)
        table.rests_until = hand_ends.rest_after(table, accepted.state.results[-1], row.played_at)
    if accepted.effects.outcome is not None:
        finish_game(table, accepted.effects.outcome, Table.EndedBy.RULES, storing=storing)
    else:
        begin_turn(table, accepted.state, row.played_at, storing)


def mark_arrived(seats: Iterable[Seat]) -> None:
    """Records that the players in these seats have come to the table."""
    for seat in seats:
        if not seat.has_come:
            seat.has_come = True
            seat.save(update_fields=["has_come"])


def restore_given_up_seats(table: Table) -> None:
    """Gives seats back to the players who gave up the deal that is over."""
    for seat in table.seat_rows:
        if seat.gave_up_deal:
            seat.gave_up_deal = False
            seat.save(update_fields=["gave_up_deal"])


def pass_turn(table: Table, state: State, now: datetime | None = None) -> None:
    """Passes the turn, or ends the game."""
    outcome = outcome_of(table, state)
    if outcome is not None:
        finish_game(table, outcome, Table.EndedBy.RULES)
    else:
        begin_turn(table, state, now or timezone.now())


def continue_game(table: Table, state: State) -> None:
    """Continues the game after a seat has changed hands, unless the table is frozen."""
    if table.is_frozen:
        store(table)
    else:
        pass_turn(table, state)


def outcome_of(table: Table, state: State) -> Outcome | None:
    """Outcome by the rules or, in a game of a fixed number of deals, by the points at their end; None before that."""
    outcome = state.outcome()
    if outcome is not None or table.deals is None or len(state.results) < table.deals:
        return outcome
    scores = scores_after(state.results)
    ended = f"The game ended after {table.deals} {table.rules.deal_word}{'' if table.deals == 1 else 's'}."
    return Outcome(scores, places(table.rules.merits(table.options, scores)), ended)


def scores_after(results: Sequence[HandResult]) -> tuple[int, ...]:
    """The scores after these hands. Those of the position may have points of the next deal, such as a ronda's."""
    return tuple(map(sum, zip(*(result.points for result in results), strict=True)))


def begin_turn(table: Table, state: State, now: datetime, storing: Storing = WITHOUT_MOVE) -> None:
    """Starts the clocks of the players to move, and schedules the bot whose turn it is.

    While a player may still come to the table, all clocks are stopped, and no time is up before `appear_by`. After a
    hand, clocks and bots start when players have seen its end (`hand_ends`).
    """
    waiting_on, hands = seats_to_move(table, state), len(state.results)
    waits_for_bot = any(seat.is_played_by_bot for seat in waiting_on)
    bots_start = hand_ends.bots_start_at(table, hands, now) if waits_for_bot else None
    turns.announce_turns(table, turns.users_to_notify(table, waiting_on, mover_id=storing.mover_id))
    turns.announce_bot_turns(table, waiting_on, mover_id=storing.mover_id)
    if table.appear_by is not None and not table.missing:
        table.appear_by = None
    if table.appear_by is not None:
        table.deadline_at = table.appear_by
    else:
        people = [seat for seat in waiting_on if not seat.is_played_by_bot]
        timing.run_clocks(
            table, {seat.number: hand_ends.clock_starts_at(table, seat, hands, now) for seat in people}, now
        )
    table.bot_due_at = bots_start and bots_start + BOT_PATIENCE
    store(table, storing)
    if bots_start is not None:
        pause = (bots_start - now).total_seconds() + _bot_pause(table, waiting_on)
        if any(seat.is_played_by_bot and seat.level == EXPERT for seat in waiting_on):
            enqueue_on_commit("games.tasks.play_expert", table.pk, countdown=pause)
        else:
            enqueue_on_commit("games.tasks.play_bot", table.pk, countdown=pause)


def set_pace(table: Table, pace: str | None) -> None:
    """Has bots move at the pace that a person alone with them prefers. pace: None if it is not known."""
    if pace is not None and not table.has_company:
        table.pace = pace


def _bot_pause(table: Table, waiting_on: Sequence[Seat]) -> float:
    """The pause before a bot's move; none for the rest of a deal that was given up."""
    if any(seat.gave_up_deal for seat in waiting_on):
        return 0
    if any(not seat.is_played_by_bot for seat in table.seat_rows):
        return BOT_PAUSE_SECONDS[table.pace]
    return 0 if any(seat.gave_up_deal for seat in table.seat_rows) else BOT_PAUSE_ALONE_SECONDS


def finish_game(
    table: Table, outcome: Outcome, ended_by: str, *, gone: Sequence[int] = (), storing: Storing = WITHOUT_MOVE
) -> None:
    """Finishes the game and stores it. ended_by: of `Table.EndedBy`. gone: the seats of players who are out of it."""
    table.status, table.ended_by, table.finished_at = Table.Status.FINISHED, ended_by, timezone.now()
    timing.stop_clocks(table, table.finished_at)
    restore_given_up_seats(table)
    table.bot_due_at = table.paused_at = table.paused_by = table.seconds_left = table.appear_by = None
    table.result = outcome_as_json(outcome) | {"gone": [*gone]}
    if table.is_rated:
        table.rating_due_at = table.finished_at + ratings.PATIENCE
    reliability.count_finished_game(table)
    store(table, storing)
    if table.is_rated:  # after the end is announced, since it announces the next version
        enqueue_on_commit("games.tasks.rate_table", table.pk)
    on_commit(table_finished.send_robust, sender=Table, table_id=table.pk)


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """See `Table.result`."""
    return {"scores": [*outcome.scores], "places": [*outcome.places], "reason": outcome.reason}


def store(table: Table, storing: Storing = WITHOUT_MOVE) -> None:
    """Stores a changed table as its next version, with its move, and announces it on commit."""
    table.version += 1
    storing.write(table, storing.row, storing.columns)
    announce(table, storing)


def announce(table: Table, storing: Storing = WITHOUT_MOVE) -> None:
    """Announces the new version to all streams of the table on commit, and starts and ends to the lobby."""
    message = storing.change_message(table)
    on_commit(live.announce, table.channel, table.version, shown_to=storing.mover_id, stored=message)
    if table.move_count == 0 or table.is_over:
        on_commit(open_tables.invalidate_open_tables)
