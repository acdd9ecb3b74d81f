"""Directors' actions at a table: stop it, add time, substitute a player, reveal it."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games import engines
from games.core.contract import Outcome
from games.domain.clocks import Timer
from games.models import Table
from games.record import replay
from games.services import timing
from games.services.common import TableError, continue_game, finish_game, lock_running_table, lock_table, store


@transaction.atomic
def stop_table(*, table_id: int) -> None:
    """Aborts a running game without a winner and without rating; the event decides the match elsewhere."""
    table = lock_table(table_id)
    if table.status != Table.Status.RUNNING:
        return
    _leave_unrated(table)
    scores = tuple(replay.state_of(table).view(None).scores)
    stopped = Outcome(scores, (1,) * table.seat_count, "A director stopped the game.")
    finish_game(table, stopped, Table.EndedBy.DIRECTOR)


@transaction.atomic
def add_time(*, table_id: int, seconds: int, user: User | None = None) -> None:
    """Adds time to the clock of a player for the rest of the game, by default of every player. :raises TableError:"""
    table = lock_running_table(table_id)
    seats = [seat for seat in table.seat_rows if seat.has_person and user in (None, seat.user)]
    if table.clock is None or not seats:
        raise TableError("There is no clock to add time to.")
    for seat in seats:
        timing.set_timer(table, seat.number, lambda timer: timer._replace(reserve=timer.reserve + seconds))
    if not table.is_frozen and table.appear_by is None:  # else the deadline is the end of that
        timing.set_deadlines(table, timezone.now())
    store(table)


@transaction.atomic
def add_time_to_appear(*, table_id: int, seconds: int) -> None:
    """Adds time in which players may still come to the table, before any clock runs. :raises TableError: it is over."""
    table = lock_running_table(table_id)
    if table.appear_by is None:
        raise TableError("Everyone has come to the table, or the time for that is over.")
    table.appear_by += timedelta(seconds=seconds)
    if not table.is_frozen:
        table.deadline_at = table.appear_by
    store(table)


@transaction.atomic
def hand_over(*, table_id: int, user: User, to: User) -> None:
    """Substitution: another player takes over a seat, with a fresh clock; the game is not rated. :raises TableError:"""
    table = lock_running_table(table_id)
    seat = next((seat for seat in table.seat_rows if seat.user_id == user.pk), None)
    if seat is None or table.seats.filter(user=to).exists():
        raise TableError("This seat can't be handed over.")
    seat.user, seat.has_left, seat.has_come = to, False, False
    seat.is_waited_for = seat.gave_up_deal = False
    seat.moves_before = table.move_count
    seat.save(update_fields=["user", "has_left", "has_come", "is_waited_for", "gave_up_deal", "moves_before"])
    _leave_unrated(table)
    if clock := table.clock:
        timing.set_timer(table, seat.number, lambda timer: Timer.fresh(clock))
    continue_game(table, replay.state_of(table))


def end_games_by_other_rules() -> None:
    """After an update that changed rules: aborts running games, and lets waiting tables start by the new rules."""
    today = Table.objects.by_todays_rules().values("pk")
    for table_id in list(Table.objects.running().exclude(pk__in=today).order_by("pk").values_list("pk", flat=True)):
        _end_by_other_rules(table_id)
    for game in engines.GAMES:
        Table.objects.filter(status=Table.Status.OPEN, game=game.slug).update(rules_version=game.rules_version)


@transaction.atomic
def _end_by_other_rules(table_id: int) -> None:
    table = lock_table(table_id)
    if table.status == Table.Status.RUNNING:
        _leave_unrated(table)
        seats = table.seat_count
        ended = Outcome((0,) * seats, (1,) * seats, "The rules changed during this game, so it counts for no one.")
        finish_game(table, ended, Table.EndedBy.DIRECTOR)


def _leave_unrated(table: Table) -> None:
    table.is_rated = False
    table.save(update_fields=["is_rated"])


def reveal_tables(tables: QuerySet[Table]) -> None:
    """Makes hidden tables visible to everyone."""
    tables.filter(is_hidden=True).update(is_hidden=False)
