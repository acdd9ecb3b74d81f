"""Signal receivers: notices and webhooks about games, and accounts that merge or close."""

from typing import Any
from uuid import uuid4

from django.db.models import Q
from django.dispatch import receiver
from django.urls import reverse

from accounts.models import User
from accounts.services import anonymize
from accounts.signals import account_closed, data_export_requested, guest_joined, second_factors_changed
from games import live
from games.live.presence import ONLINE_SECONDS
from games.models import Challenge, Seat, Table
from games.presentation.table_wording import clock_label
from games.signals import (
    bot_turn_came,
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
from notifications import game_events, webhooks
from notifications.models import MailAddress, Notice, PushSubscription, Webhook
from notifications.services import notify, notify_all, withdraw_notices

ARRIVAL_SECONDS = 3  # who has just sat down is on the way to the page of the table
DEPARTURE_SECONDS = ONLINE_SECONDS + 1


@receiver(guest_joined)
def hand_over_notices(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's notices and browsers to the account, except notices that it has itself."""
    Notice.objects.filter(user=guest).exclude(key__in=user.notices.values("key")).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)


@receiver(data_export_requested)
def export_notices(user: User, **kwargs: Any) -> dict[str, Any]:
    """The notifications part of the data export."""
    addresses = MailAddress.objects.filter(user=user).values("address", "turns", "daily_at", "time_zone")
    return {
        "notifications": list(user.notices.values("text", "url", "created_at", "read_at")),
        "notifications by e-mail to": list(addresses),
        "notifications in browsers": list(user.push_subscriptions.values("browser", "endpoint", "created_at")),
        "webhooks": [_exported_webhook(hook) for hook in user.webhooks.all()],
    }


def _exported_webhook(hook: Webhook) -> dict[str, Any]:
    deliveries = hook.deliveries.values("kind", "body", "created_at", "attempts", "status", "problem", "delivered_at")
    return webhooks.as_json(hook) | {"deliveries": list(deliveries)}


@receiver(account_closed)
def delete_notices(user: User, name: str, **kwargs: Any) -> None:
    """Deletes the user's notices and addresses, and takes the name out of those of people who met them at a table."""
    for model in (Notice, MailAddress, PushSubscription, Webhook):
        model.objects.filter(user=user).delete()
    tables = Table.objects.filter(Q(seats__user=user) | Q(created_by=user) | Q(challenges__to=user))
    met = Q(seats__table__in=tables) | Q(challenges__table__in=tables) | Q(tables_opened__in=tables)
    anonymize(Notice.objects.filter(user__in=User.objects.filter(met)), "text", name)


@receiver(second_factors_changed)
def on_second_factors_changed(user: User, change: str, **kwargs: Any) -> None:
    """A notice on pages and by push; accounts send the e-mail."""
    text = f"Your log-in has changed: {change} If this wasn't you, change your password now."
    notify(user, key=f"second-factor:{uuid4()}", text=text, url=reverse("accounts:second-factor"), email_turns=())


@receiver(challenged)
def on_challenged(challenge_id: int, **kwargs: Any) -> None:
    asked = Challenge.objects.with_table().get(pk=challenge_id)
    rated = ", rated" if asked.table.is_rated else ""
    text = f"{asked.table.created_by} challenges you to {asked.table.rules.name}: {clock_label(asked.table)}{rated}."
    notify(asked.to, key=f"challenge:{challenge_id}", text=text, url=asked.get_absolute_url())


@receiver(challenge_answered)
def on_challenge_answered(challenge_id: int, **kwargs: Any) -> None:
    asked = Challenge.objects.with_table().get(pk=challenge_id)
    withdraw_notices([asked.to], [f"challenge:{challenge_id}"])
    answer = "did not answer" if asked.answer == Challenge.Answer.EXPIRED else asked.answer
    text = f"{asked.to} {answer} your challenge to {asked.table.rules.name}."
    if asked.table.created_by is not None and asked.answer != Challenge.Answer.WITHDRAWN:
        url = asked.table.get_absolute_url()
        notify(asked.table.created_by, key=f"answer:{challenge_id}", text=text, url=url)


@receiver(game_found)
def on_game_found(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    table = Table.objects.get(pk=table_id)
    text = f"Your game has started: {table.rules.name}."
    key = f"table:{table_id}:found"
    notify_all(User.objects.filter(pk__in=user_ids), key=key, text=text, url=table.get_absolute_url())


@receiver([table_started, table_finished])
def announce_to_players(table_id: int, **kwargs: Any) -> None:
    players = Seat.objects.filter(table=table_id, user__isnull=False).values_list("user_id", flat=True)
    _announce_game(table_id, [pk for pk in players if pk is not None])


@receiver([turn_came, bot_turn_came])
def announce_turns(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    _announce_game(table_id, user_ids)


def _announce_game(table_id: int, user_ids: list[int]) -> None:
    """Tells the streams of these accounts (`notifications.api`) to look at the table."""
    for user_id in user_ids:
        live.announce(live.games_channel(user_id), table_id)


@receiver(table_started)
def on_table_started(table_id: int, **kwargs: Any) -> None:
    if Seat.objects.filter(table=table_id, user__is_bot=False).count() > 1:
        enqueue("notifications.game_events.notify_start", table_id, countdown=ARRIVAL_SECONDS)
    webhooks.publish_of_bots("bot.game_started", table_id)


@receiver(turn_came)
def on_turn_came(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    is_slow = Table.objects.get(pk=table_id).is_turn_based
    enqueue("notifications.game_events.notify_turn", table_id, user_ids, countdown=DEPARTURE_SECONDS if is_slow else 0)


@receiver(bot_turn_came)
def on_bot_turn_came(table_id: int, user_ids: list[int], **kwargs: Any) -> None:
    webhooks.publish_of_bots("bot.turn", table_id, user_ids)


@receiver(time_short)
def on_time_short(table_id: int, user_id: int, **kwargs: Any) -> None:
    enqueue("notifications.game_events.notify_short_time", table_id, user_id)


@receiver(question_changed)
def on_question_changed(table_id: int, **kwargs: Any) -> None:
    enqueue("notifications.game_events.notify_question", table_id)


@receiver(table_finished)
def on_table_finished(table_id: int, **kwargs: Any) -> None:
    table = Table.objects.with_seats().get(pk=table_id)
    game_events.withdraw_table_notices(table)
    if table.is_turn_based:
        enqueue("notifications.game_events.notify_end", table_id, countdown=DEPARTURE_SECONDS)
    webhooks.publish_of_bots("bot.game_over", table_id)
