"""Once a day: a letter about the games over days that wait for somebody's move, and old notices are forgotten."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Table
from games.queries.own_games import own_games, time_left
from infra.due import claim_row
from notifications import email
from notifications.game_events import game_with, in_whole_units
from notifications.models import MailAddress, Notice

READ_KEPT, KEPT = timedelta(days=30), timedelta(days=90)


def claim_due(*, now: datetime) -> Iterator[int]:
    """Addresses to which a letter is due; each is put off to its next day, so that a second tick leaves it alone."""
    daily = MailAddress.objects.filter(turns=MailAddress.Turns.DAILY, daily_due_at__lte=now)
    for mail in daily:
        next_at = mail.next_daily(after=now)
        if mail.daily_due_at and claim_row(daily, mail.pk, "daily_due_at", mail.daily_due_at, put_off_to=next_at):
            yield mail.pk


def write(to: MailAddress, *, now: datetime) -> None:
    """The games that wait, the least time left first; no letter if there are none."""
    waiting = [table.pk for table in own_games(to.user, now).waiting]
    tables = Table.objects.with_seats().in_bulk(waiting)
    games = [_game(tables[pk], to, now) for pk in waiting]
    if games:
        count = "1 game waits" if len(games) == 1 else f"{len(games)} games wait"
        email.post(to, f"{count} for your move", "\n\n".join(games))


def _game(table: Table, to: MailAddress, now: datetime) -> str:
    seat = table.place_of(to.user_id)
    assert seat is not None, "it is one of their own games"
    left = in_whole_units(time_left(seat, now) or 0)
    return f"{game_with(table, seat)}: {left} left\n{to.site}{table.get_absolute_url()}"


def prune(*, now: datetime) -> None:
    Notice.objects.filter(Q(read_at__lte=now - READ_KEPT) | Q(created_at__lte=now - KEPT)).delete()
