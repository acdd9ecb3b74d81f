from typing import Any

from django.dispatch import receiver

from cardsite.accounts.models import User
from cardsite.accounts.signals import guest_joined
from cardsite.notices.models import Notice, PushSubscription


@receiver(guest_joined)
def hand_over_notices(guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's notices, except what it was told itself, and his browsers."""
    Notice.objects.filter(user=guest).exclude(key__in=user.notices.values("key")).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)
