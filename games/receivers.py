from django.dispatch import receiver

from cardsite.accounts.signals import guest_joined
from games.models import Seat


@receiver(guest_joined)
def hand_over_seats(sender, guest, user, **kwargs) -> None:
    """The account takes the guest's seats, except at tables where it sits itself."""
    Seat.objects.filter(user=guest).exclude(table__seats__user=user).update(user=user)
    guest.tables_opened.update(created_by=user)


@receiver(guest_joined)
def hand_over_ratings(sender, guest, user, **kwargs) -> None:
    """The account takes the guest's ratings in games in which it has none itself."""
    guest.ratings.exclude(game__in=user.ratings.values("game")).update(user=user)
