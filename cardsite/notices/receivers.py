from typing import Any

from django.dispatch import receiver

from cardsite.accounts.models import User
from cardsite.accounts.signals import account_closed, data_wanted, guest_joined
from cardsite.notices.models import MailAddress, Notice, PushSubscription


@receiver(guest_joined)
def hand_over_notices(guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's notices, except what it was told itself, and his browsers."""
    Notice.objects.filter(user=guest).exclude(key__in=user.notices.values("key")).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)


@receiver(data_wanted)
def list_notices(user: User, **kwargs: Any) -> dict[str, Any]:
    addresses = MailAddress.objects.filter(user=user).values_list("address", flat=True)
    return {
        "notices": list(user.notices.values("text", "url", "created_at", "read_at")),
        "notices by e-mail to": list(addresses),
        "notices in browsers": list(user.push_subscriptions.values("browser", "endpoint", "created_at")),
    }


@receiver(account_closed)
def delete_notices(user: User, **kwargs: Any) -> None:
    for model in (Notice, MailAddress, PushSubscription):
        model.objects.filter(user=user).delete()
