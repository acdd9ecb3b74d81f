"""Recent opponents: the people whom a player has played last, to challenge them again."""

from accounts.blocking import blocked_user_ids
from accounts.models import User
from games.models import Seat, Table

LOOKED_AT = 60  # seats of others at the newest finished games
SHOWN = 5


def recent_opponents(user: User) -> list[Seat]:
    """Their seats in the last game together, the newest first; only people with an account, none who are blocked."""
    others = Seat.objects.filter(
        table__in=Seat.objects.filter(user=user).values("table"),
        table__status=Table.Status.FINISHED,
        user__is_active=True,
        user__is_guest=False,
        user__is_bot=False,
    ).exclude(user=user)
    newest = others.exclude(user__in=blocked_user_ids(user)).order_by("-table__finished_at", "-table", "number")
    by_player: dict[int | None, Seat] = {}
    for seat in newest.select_related("user", "table")[:LOOKED_AT]:
        by_player.setdefault(seat.user_id, seat)
    return list(by_player.values())[:SHOWN]
