"""What follows every change of a table: whose turn it is, the end, what is written and announced."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from accounts.models import User
from games import live
from games.core.contract import GameError, Outcome, State, places
from games.core.contract import Move as AnyMove
from games.models import Move, Seat, Table
from games.queries import open_tables, reliability
from games.record import replay, table_store, table_writes
from games.services import ratings, timing, turns
from games.signals import table_finished
from infra.after_commit import on_commit
from infra.task_queue import enqueue_on_commit

BOT_PAUSE_SECONDS = 0.8  # before a bot moves, so that people can follow
BOT_PAUSE_ALONE_SECONDS = 0.2  # where only bots play
BOT_PATIENCE = timedelta(seconds=6)  # after this a bot's move counts as lost

Write = Callable[[Table], None]


class StalePosition(GameError):
    """The table has moved on since the page was made."""


class TableError(GameError):
    """The table cannot do that now."""


def locked(table_id: int) -> Table:
    """The table, locked until the transaction ends, with its seats. :raises Table.DoesNotExist:"""
    return table_store.locked_table(table_id)


def running(table_id: int) -> Table:
    """A table in play, as `locked` has it. :raises TableError: its game has not begun, or is over."""
    table = locked(table_id)
    if table.status != Table.Status.RUNNING:
        raise TableError("There is no game to give up here.")
    return table


def seat_of(table: Table, user: User) -> Seat:
    """Where somebody sits who has not left. :raises TableError: nowhere here."""
    place = table.place_of(user.pk)
    if place is None or place.has_left:
        raise TableError("You do not sit at this table.")
    return place


def awaited_places(table: Table, state: State) -> list[Seat]:
    """The seats that the table waits for."""
    return [place for place in table.places if place.number in state.awaited]


class Effects(NamedTuple):
    """What follows from a move, beside the next turn.

    comes: the table has waited for the first sign of its player. ends_given_up_deal: those who gave up the deal play on
    themselves. outcome: the game is over.
    """

    comes: bool = False
    ends_given_up_deal: bool = False
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """A move that counts, before anything is stored.

    changes: the fields of the table that it sets. state: the position after it.
    """

    seat: int
    now: datetime
    state: State
    changes: Mapping[str, Any]
    effects: Effects


def accept(
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
    place, number = table.places[seat], table.move_count + 1
    row = Move(table_id=table.pk, number=number, seat=seat, text=str(move), played_at=now, is_by_clock=is_by_clock)
    changes = {
        "move_count": number,
        "position_version": table.version + 1,
        "timers": timing.timers_after_move(table, seat, now, held=held, keeps_turn=seat in state.awaited),
        "mover_id": None if is_by_clock else place.user_id,
        "new_move": row,
    }
    effects = Effects(
        comes=table.appear_by is not None and place.has_person,
        ends_given_up_deal=len(state.results) > len(position.results) and any(p.gave_up_deal for p in table.places),
        outcome=outcome_of(table, state),
    )
    return Accepted(seat, now, state, changes, effects)


def apply_move(table: Table, accepted: Accepted, *, write: Write = table_writes.write) -> None:
    """Changes the table by a move and all that follows from it. write: see `store`."""
    for name, value in accepted.changes.items():
        setattr(table, name, value)
    on_commit(replay.remember, table.code, table.move_count, accepted.state)
    on_commit(table_store.remember, table)
    if accepted.effects.comes:
        note_come([table.places[accepted.seat]])
    if accepted.effects.ends_given_up_deal:
        take_up_again(table)
    if accepted.effects.outcome is not None:
        finish(table, accepted.effects.outcome, Table.EndedBy.RULES)
    else:
        await_move(table, accepted.state, accepted.now, write=write)


def note_come(places: Iterable[Seat]) -> None:
    """The players in these seats are at the table."""
    for place in places:
        if not place.has_come:
            place.has_come = True
            place.save(update_fields=["has_come"])


def take_up_again(table: Table) -> None:
    """A deal is over, whoever gave it up: he plays on himself."""
    for place in table.places:
        if place.gave_up_deal:
            place.gave_up_deal = False
            place.save(update_fields=["gave_up_deal"])


def pass_turn(table: Table, state: State, now: datetime | None = None) -> None:
    """Somebody else is to move, or the game is over."""
    outcome = outcome_of(table, state)
    if outcome is not None:
        finish(table, outcome, Table.EndedBy.RULES)
    else:
        await_move(table, state, now or timezone.now())


def go_on(table: Table, state: State) -> None:
    """Somebody else sits in a place, and it may be his turn; not while the table stands."""
    if table.stands:
        store(table)
    else:
        pass_turn(table, state)


def outcome_of(table: Table, state: State) -> Outcome | None:
    """By the rules or, of a game that lasts a number of deals, by the points at their end. None before that."""
    outcome = state.outcome()
    if outcome is not None or table.deals is None or len(state.results) < table.deals:
        return outcome
    scores = tuple(state.view(None).scores)
    ended = f"The game ended after {table.deals} {'deal' if table.deals == 1 else 'deals'}."
    return Outcome(scores, places(table.rules.merits(table.options, scores)), ended)


def await_move(table: Table, state: State, now: datetime, *, write: Write = table_writes.write) -> None:
    """Starts the clocks of the persons who are to move, and calls the bot whose turn it is.

    While a player may still come to the table, all clocks stand, and no time is up before `appear_by`. write: see
    `store`.
    """
    awaited = awaited_places(table, state)
    waits_for_bot = any(place.is_played_by_bot for place in awaited)
    turns.announce_turns(table, turns.coming(table, awaited))
    if table.appear_by is not None and not table.missing:
        table.appear_by = None
    if table.appear_by is not None:
        table.deadline_at = table.appear_by
    else:
        timing.wind(table, {place.number for place in awaited if not place.is_played_by_bot}, now)
    table.bot_due_at = now + BOT_PATIENCE if waits_for_bot else None
    store(table, write=write)
    if waits_for_bot:
        enqueue_on_commit("games.tasks.play_bot", table.pk, countdown=_bot_pause(table, awaited))


def _bot_pause(table: Table, awaited: Sequence[Seat]) -> float:
    """A deal that was given up is not worth waiting for."""
    if any(place.gave_up_deal for place in awaited):
        return 0
    if any(not place.is_played_by_bot for place in table.places):
        return BOT_PAUSE_SECONDS
    return 0 if any(place.gave_up_deal for place in table.places) else BOT_PAUSE_ALONE_SECONDS


def finish(table: Table, outcome: Outcome, ended_by: str, *, gone: Sequence[int] = ()) -> None:
    """The game is over, and stored so. ended_by: of `Table.EndedBy`. gone: the seats of those without whom it ended."""
    table.status, table.ended_by, table.finished_at = Table.Status.FINISHED, ended_by, timezone.now()
    timing.halt(table, table.finished_at)
    take_up_again(table)
    table.bot_due_at = table.paused_at = table.paused_by = table.seconds_left = table.appear_by = None
    table.result = as_result(outcome) | {"gone": [*gone]}
    if table.is_rated:
        table.rating_due_at = table.finished_at + ratings.PATIENCE
        enqueue_on_commit("games.tasks.rate_table", table.pk)
    reliability.take_in(table)
    store(table)
    on_commit(table_finished.send_robust, sender=Table, table_id=table.pk)


def as_result(outcome: Outcome) -> dict[str, Any]:
    """See `Table.result`."""
    return {"scores": [*outcome.scores], "places": [*outcome.places], "reason": outcome.reason}


def store(table: Table, *, write: Write = table_writes.write) -> None:
    """Writes what a change may have touched, with the next version and its move, and announces it.

    write: puts it into the database, or leaves that to the caller, who then decides whether what waits for the commit
    is called (`games.fast_moves`).
    """
    table.version += 1
    write(table)
    announce(table)


def announce(table: Table) -> None:
    """Tells whoever looks at the table, once it is stored; the lobby hears of a start and an end."""
    on_commit(live.announce, table.channel, table.version, shown_to=table.mover_id)
    if table.move_count == 0 or table.is_over:
        on_commit(open_tables.has_changed)
