from contextlib import suppress

from django.dispatch import receiver

from cardsite.accounts.signals import account_closed, data_wanted, guest_joined
from games import export, services
from games.models import Seat, Table


@receiver(guest_joined)
def hand_over_seats(sender, guest, user, **kwargs) -> None:
    """The account takes the guest's seats, except at tables where it sits itself."""
    Seat.objects.filter(user=guest).exclude(table__seats__user=user).update(user=user)
    guest.tables_opened.update(created_by=user)


@receiver(guest_joined)
def hand_over_ratings(sender, guest, user, **kwargs) -> None:
    """The account takes the guest's ratings in games in which it has none itself."""
    guest.ratings.exclude(game__in=user.ratings.values("game")).update(user=user)


@receiver(data_wanted)
def list_games(user, **kwargs) -> dict[str, object]:
    return {"games": export.games_of(user), "ratings": export.ratings_of(user)}


@receiver(account_closed)
def leave_tables(user, **kwargs) -> None:
    """Gives up every game; seats and ratings stay, for those who played against him."""
    going_on = Table.objects.of(user).filter(status__in=[Table.Status.OPEN, Table.Status.RUNNING])
    for table_id in list(going_on.values_list("pk", flat=True)):
        with suppress(services.TableError):  # a bot plays in his seat
            services.leave(table_id=table_id, user=user)
