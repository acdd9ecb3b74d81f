"""Daily digest: an e-mail about correspondence games that wait for a move. Old notices are deleted, too."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Table
from games.queries.own_games import own_games, time_left
from infra.due import claim_row
from notifications import email
from notifications.game_events import game_with, rounded_time_left
from notifications.models import MailAddress, Notice

READ_NOTICES_KEPT, NOTICES_KEPT = timedelta(days=30), timedelta(days=90)


def claim_due_digests(*, now: datetime) -> Iterator[int]:
    """The addresses whose digest is due. Each is put off to its next day, so that a second tick skips it."""
    daily = MailAddress.objects.filter(turns=MailAddress.Turns.DAILY, daily_due_at__lte=now)
    for mail in daily:
        next_at = mail.next_daily(after=now)
        if mail.daily_due_at and claim_row(daily, mail.pk, "daily_due_at", mail.daily_due_at, put_off_to=next_at):
            yield mail.pk


def send_digest(to: MailAddress, *, now: datetime) -> None:
    """Sends the games that wait, the least time left first; nothing if there are none."""
    waiting = [table.pk for table in own_games(to.user, now).waiting]
    tables = Table.objects.with_seats().in_bulk(waiting)
    games = [_game(tables[pk], to, now) for pk in waiting]
    if games:
        count = "1 game" if len(games) == 1 else f"{len(games)} games"
        email.send_email(to, f"It's your turn in {count}", "\n\n".join(games))


def _game(table: Table, to: MailAddress, now: datetime) -> str:
    """One game as text."""
    seat = table.seat_of(to.user_id)
    assert seat is not None, "it is one of their own games"
    left = rounded_time_left(time_left(seat, now) or 0)
    return f"{game_with(table, seat)}: {left} left\n{to.site}{table.get_absolute_url()}"


def prune_notices(*, now: datetime) -> None:
    Notice.objects.filter(Q(read_at__lte=now - READ_NOTICES_KEPT) | Q(created_at__lte=now - NOTICES_KEPT)).delete()
