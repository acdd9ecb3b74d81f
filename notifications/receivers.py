from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_closed, data_export_requested, guest_joined
from games.live.presence import SIGN_SECONDS
from games.models import Challenge, Seat, Table
from games.signals import (
    challenge_answered,
    challenged,
    game_found,
    question_changed,
    table_finished,
    table_started,
    time_short,
    turn_came,
)
from infra.task_queue import enqueue
from notifications import game_events
from notifications.models import MailAddress, Notice, PushSubscription
from notifications.services import is_past, tell, tell_all

ARRIVING_SECONDS = 3  # who has just sat down is on the way to the page of the table
LEAVING_SECONDS = SIGN_SECONDS + 1


@receiver(guest_joined)
def hand_over_notices(guest: User, user: User, **kwargs: Any) -> None:
    """The account takes the guest's notices, except what it was told itself, and his browsers."""
    Notice.objects.filter(user=guest).exclude(key__in=user.notices.values("key")).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)


@receiver(data_export_requested)
def list_notices(user: User, **kwargs: Any) -> dict[str, Any]:
    addresses = MailAddress.objects.filter(user=user).values("address", "turns", "daily_at", "time_zone")
    return {
        "notices": list(user.notices.values("text", "url", "created_at", "read_at")),
        "notices by e-mail to": list(addresses),
        "notices in browsers": list(user.push_subscriptions.values("browser", "endpoint", "created_at")),
    }


@receiver(account_closed)
def delete_notices(user: User, **kwargs: Any) -> None:
    for model in (Notice, MailAddress, PushSubscription):
        model.objects.filter(user=user).delete()


@receiver(challenged)
def tell_of_a_challenge(challenge_id: int, **kwargs: Any) -> None:
    asked = Challenge.objects.with_table().get(pk=challenge_id)
    rated = ", rated" if asked.table.is_rated else ""
    text = f"{asked.table.created_by} challenges you to {asked.table.rules.name}: {asked.table.clock_label}{rated}."
    tell(asked.to, key=f"challenge:{challenge_id}", text=text, url=asked.get_absolute_url())


@receiver(challenge_answered)
def tell_of_the_answer(challenge_id: int, **kwargs: Any) -> None:
    asked = Challenge.objects.with_table().get(pk=challenge_id)
    is_past([asked.to], [f"challenge:{challenge_id}"])
    told = "did not answer" if asked.answer == Challenge.Answer.EXPIRED else asked.answer
    text = f"{asked.to} {told}: your challenge to {asked.table.rules.name}."
    if asked.table.created_by is not None and asked.answer != Challenge.Answer.WITHDRAWN:
        url = asked.table.get_absolute_url()
        tell(asked.table.created_by, key=f"answer:{challenge_id}", text=text, url=url)


@receiver(game_found)
def tell_of_a_game(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    table = Table.objects.get(pk=table_id)
    text = f"Your game has begun: {table.rules.name}."
    key = f"table:{table_id}:found"
    tell_all(User.objects.filter(pk__in=user_ids), key=key, text=text, url=table.get_absolute_url())


@receiver(table_started)
def tell_of_a_start(table_id: int, **kwargs: Any) -> None:
    if Seat.objects.filter(table=table_id, user__is_bot=False).count() > 1:
        enqueue("notifications.game_events.tell_of_start", table_id, countdown=ARRIVING_SECONDS)


@receiver(turn_came)
def tell_of_turns(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    is_slow = Table.objects.get(pk=table_id).is_turn_based
    enqueue("notifications.game_events.tell_of_turn", table_id, user_ids, countdown=LEAVING_SECONDS if is_slow else 0)


@receiver(time_short)
def tell_of_short_time(table_id: int, user_id: int, **kwargs: Any) -> None:
    enqueue("notifications.game_events.tell_of_short_time", table_id, user_id)


@receiver(question_changed)
def tell_of_a_question(table_id: int, **kwargs: Any) -> None:
    enqueue("notifications.game_events.tell_of_question", table_id)


@receiver(table_finished)
def tell_of_an_end(table_id: int, **kwargs: Any) -> None:
    table = Table.objects.with_seats().get(pk=table_id)
    game_events.forget(table)
    if table.is_turn_based:
        enqueue("notifications.game_events.tell_of_end", table_id, countdown=LEAVING_SECONDS)
