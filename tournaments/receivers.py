from typing import Any

from django.dispatch import receiver

from cardsite.accounts.models import User
from cardsite.accounts.signals import guest_joined
from games.signals import player_late, table_finished
from tournaments import tasks
from tournaments.models import Badge, Entry, MatchGame
from tournaments.services import telling


@receiver(table_finished)
def advance_its_event(table_id: int, **kwargs: Any) -> None:
    """By a task, so that the last move of a game is answered at once."""
    tasks.table_finished.delay(table_id)


@receiver(player_late)
def call_back_to_the_table(table_id: int, **kwargs: Any) -> None:
    for row in MatchGame.objects.filter(table=table_id).select_related("match__event", "table"):
        telling.late(row)


@receiver(guest_joined)
def hand_over_entries(guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's entries, prizes and invitations, except in events that it is in itself."""
    others = Entry.objects.exclude(event__in=Entry.objects.of(user).values("event"))
    for field in ("user", "partner", "invited"):
        others.filter(**{field: guest}).update(**{field: user})
    Badge.objects.filter(user=guest).exclude(event__badges__user=user).update(user=user)
