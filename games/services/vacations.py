"""Vacations: a player's clocks in games over days stop for some days."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from accounts.locking import lock_user
from accounts.models import User
from games.domain.clocks import Timer
from games.models import Table, Vacation
from games.models.vacation import DAYS_A_YEAR
from games.services import timing
from games.services.common import TableError, lock_table, store
from infra.numbers import YEARS


def days_left(user: User, year: int) -> int:
    """Days of vacation that a player may still take in a calendar year."""
    return DAYS_A_YEAR - sum(vacation.days_in(year) for vacation in user.vacations.all())


@transaction.atomic
def take_vacation(*, user: User, first: date, last: date, now: datetime, time_zone: str = "UTC") -> Vacation:
    """Books a vacation: days in a time zone, first and last included; one that begins today begins at once.

    :raises TableError: too many, or none left.
    """
    user = lock_user(user.pk)
    zone = ZoneInfo(time_zone)
    if first < now.astimezone(zone).date() or last < first:
        raise TableError("A vacation can't start before today or end before it starts.")
    if first.year not in YEARS or last.year not in YEARS:
        raise TableError(f"A vacation can't end after {YEARS[-1]}.")
    if last - first >= 2 * timedelta(days=DAYS_A_YEAR):
        raise TableError(f"You can take at most {DAYS_A_YEAR} days of vacation a year.")
    begins_at, ends_at = _midnight(first, zone), _midnight(last + timedelta(days=1), zone)
    asked = Vacation(user=user, begins_at=max(begins_at, now), ends_at=ends_at, time_zone=time_zone)
    for year in range(first.year, last.year + 1):
        if asked.days_in(year) > days_left(user, year):
            raise TableError(f"You have {max(days_left(user, year), 0)} of {DAYS_A_YEAR} days left in {year}.")
    if user.vacations.filter(begins_at__lt=asked.ends_at, ends_at__gt=asked.begins_at).exists():
        raise TableError("You already have a vacation on some of these days.")
    asked.save()
    if asked.begins_at <= now:
        begin_vacation(vacation_id=asked.pk, now=now)
    return asked


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


@transaction.atomic
def begin_vacation(*, vacation_id: int, now: datetime) -> None:
    """Stops the player's clocks where the table allows it. A vacation that has begun stays as it is."""
    due = Vacation.objects.filter(pk=vacation_id, has_begun=False)
    owner_id = due.values_list("user", flat=True).first()
    if owner_id is None:
        return
    lock_user(owner_id)
    vacation = due.first()
    if vacation is None:
        return
    vacation.has_begun = True
    vacation.save(update_fields=["has_begun"])
    _change_clocks(vacation.user, now, _rest(vacation, now))


@transaction.atomic
def end_vacation(*, user: User, vacation_id: int, now: datetime) -> Vacation | None:
    """Ends a vacation early, or cancels it before it has begun, with all its days; None if it is over already."""
    lock_user(user.pk)
    vacation = user.vacations.filter(pk=vacation_id, ends_at__gt=now).first()
    if vacation is None:
        return None
    if not vacation.has_begun:
        vacation.delete()
        return vacation
    vacation.ends_at = now
    vacation.save(update_fields=["ends_at"])
    _change_clocks(user, now, lambda timer: timer.after_vacation(now.timestamp()))
    return vacation


def _change_clocks(user: User, now: datetime, to: Callable[[Timer], Timer]) -> None:
    """Changes the player's clock at every table that allows vacations."""
    tables = Table.objects.of(user).running().filter(allows_vacation=True).order_by("pk")
    for table_id in tables.values_list("pk", flat=True):
        table = lock_table(table_id)
        seat = next((seat for seat in table.seat_rows if seat.user_id == user.pk and not seat.has_left), None)
        if seat is None or table.status != Table.Status.RUNNING or not table.clock_stops_on_vacation:
            continue
        timing.set_timer(table, seat.number, to)
        if not table.is_frozen:
            timing.set_deadlines(table, now)
        store(table)


def apply_current_vacations(table: Table, now: datetime) -> None:
    """Stops the clocks of players who are on vacation when a game starts."""
    if not table.clock_stops_on_vacation:
        return
    number_of = {seat.user_id: seat.number for seat in table.seat_rows}
    for vacation in Vacation.objects.current(now).filter(user__in=number_of):
        timing.set_timer(table, number_of[vacation.user_id], _rest(vacation, now))


def _rest(vacation: Vacation, now: datetime) -> Callable[[Timer], Timer]:
    return lambda timer: timer.resting(now.timestamp(), vacation.ends_at.timestamp())
