"""Resigning from, leaving and returning to a running game."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from accounts.models import User
from games.core.contract import Outcome, State, places
from games.core.words import players_in_words
from games.models import Seat, Table
from games.record import replay
from games.services import hand_ends, timing
from games.services.common import TableError, continue_game, finish_game, lock_running_table, mark_arrived, seat_of
from games.signals import player_late
from infra.after_commit import on_commit


@transaction.atomic
def resign(*, table_id: int, user: User) -> Table:
    """Resigns: with two players the other one wins; with more a club bot plays on. :raises TableError:"""
    table = lock_running_table(table_id)
    seat = seat_of(table, user)
    mark_arrived([seat])
    give_up(table, [seat], replay.state_of(table), Table.EndedBy.RESIGN, "{} resigned.")
    return table


@transaction.atomic
def leave_event_game(*, table_id: int, user: User) -> Table:
    """Leaves a running game together with its event; its absence policy says what follows. :raises TableError:"""
    table = lock_running_table(table_id)
    give_up(table, [seat_of(table, user)], replay.state_of(table), Table.EndedBy.LEFT, "{} left the tournament.")
    return table


@transaction.atomic
def come_back(*, table_id: int, user: User) -> Table:
    """Returns to a game that waits for the player, or in which a bot has played on. :raises TableError:"""
    table = lock_running_table(table_id)
    seat = table.seat_of(user.pk)
    if seat is None:
        raise TableError("You don't have a seat at this table.")
    if seat.has_left and not seat.may_return:
        raise TableError("A club bot has taken your seat, so you can't come back.")
    if not seat.has_left and not seat.is_waited_for:
        return table
    seat.has_left = seat.is_waited_for = seat.is_gone = False
    seat.has_come, seat.away_since = True, None
    seat.save(update_fields=["has_left", "has_come", "is_waited_for", "is_gone", "away_since"])
    timing.give_fresh_clock(table, seat.number)
    state = replay.state_of(table)
    hand_ends.mark_seen(seat, len(state.results))
    continue_game(table, state)
    return table


def goes_on_without(table: Table, *, is_resigned: bool) -> bool:
    """Whether a club bot plays on for a player who gives up, or is gone; otherwise the game ends."""
    if len(table.sides) > 2:
        return True
    if table.absence == Table.Absence.BOT:
        return table.seat_count > 2 or not is_resigned
    return not table.absence and table.seat_count > 2


def give_up(table: Table, seats: Iterable[Seat], state: State, ended_by: str, reason: str) -> None:
    """Gives each of these seats to a club bot, or ends the game without them (`goes_on_without`)."""
    seats = list(seats)
    if not goes_on_without(table, is_resigned=ended_by == Table.EndedBy.RESIGN):
        end_without(table, seats, state, ended_by, reason)
        return
    let_bot_play(table, seats, state)
    if ended_by in (Table.EndedBy.FLAG, Table.EndedBy.NO_SHOW) and table.allows_return:
        on_commit(player_late.send_robust, sender=Table, table_id=table.pk)


def let_bot_play(table: Table, seats: Iterable[Seat], state: State) -> None:
    """Gives these seats to club bots; the players may come back if the table lets them."""
    for seat in seats:
        seat.has_left, seat.is_waited_for = True, False
        seat.has_come = seat.has_come or table.moves.by_players().filter(seat=seat.number).exists()
        seat.save(update_fields=["has_left", "has_come", "is_waited_for"])
    _forget_absence_of_last(table)
    continue_game(table, state)


def _forget_absence_of_last(table: Table) -> None:
    """Takes the last person at a table for connected: from now on nobody looks (`games.services.presence`)."""
    people = [seat for seat in table.seat_rows if seat.has_person]
    if len(people) == 1:
        [seat] = people
        seat.away_since, seat.is_gone = None, False
        seat.save(update_fields=["away_since", "is_gone"])


def end_without(table: Table, seats: Iterable[Seat], state: State, ended_by: str, reason: str) -> None:
    """Ends the game because of players who leave. reason: a sentence in which `{}` stands for their names."""
    gone = [seat.number for seat in seats]
    finish_game(table, _outcome_without(table, gone, state, ended_by, reason), ended_by, gone=gone)


def _outcome_without(table: Table, gone: Sequence[int], state: State, ended_by: str, reason: str) -> Outcome:
    """The others win, whatever the score; where the score decides, they win only if it is level.

    Without any player present no one is first.
    """
    view = state.view(None)
    lost = {seat for side in table.sides if set(side) & set(gone) for seat in side}
    may_decide = ended_by not in (Table.EndedBy.RESIGN, Table.EndedBy.NO_SHOW)
    decides = table.absence == Table.Absence.SCORE and may_decide and view.has_scores
    merits = table.rules.merits(table.options, view.scores) if decides else [0] * table.seat_count
    standing = places([2 * merit + (seat not in lost) for seat, merit in enumerate(merits)])
    if ended_by == Table.EndedBy.NO_SHOW and len(lost) == table.seat_count:
        standing = (2,) * table.seat_count
    why = reason.format(players_in_words(gone))
    return Outcome(tuple(view.scores), standing, f"{why} The score decides." if decides else why)
