"""Signal receivers: lesson progress of accounts that merge, export their data, or close."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_closed, data_export_requested, guest_joined
from tutorials.models import LessonProgress


@receiver(guest_joined)
def hand_over_progress(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's progress to the account, except steps that it has begun itself."""
    known = LessonProgress.objects.filter(user=user).values_list("game", "step")
    for row in LessonProgress.objects.filter(user=guest):
        if (row.game, row.step) not in known:
            row.user = user
            row.save(update_fields=["user"])


@receiver(data_export_requested)
def export_lessons(user: User, **kwargs: Any) -> dict[str, object]:
    """The lessons part of the data export."""
    return {"lessons": list(user.lesson_progress.values("game", "step", "line", "is_first_try", "done_at"))}


@receiver(account_closed)
def delete_progress(user: User, **kwargs: Any) -> None:
    user.lesson_progress.all().delete()
