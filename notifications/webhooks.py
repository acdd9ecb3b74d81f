"""Webhooks: signed messages (HMAC-SHA256) to addresses of people who direct tournaments or run bots.

A message holds names and links, never cards: its receiver reads the rest with a token that may. Deliveries are rows
with a time at which they are due, so a task that is lost is repeated by the tick, and a receiver may get one twice.
"""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.locking import lock_user
from accounts.models import User
from games.models import Seat
from infra import outgoing
from infra.due import claim_row
from infra.http_api import VERSION_PATH
from infra.task_queue import enqueue_on_commit
from notifications.models import Webhook, WebhookDelivery, WebhookQuerySet
from notifications.services import notify

KINDS: dict[str, str] = {
    "bot.game_started": "A game of your bot starts",
    "bot.turn": "It's your bot's turn",
    "bot.game_over": "A game of your bot is over",
}
"""By kind: what it says, in words. Apps above add theirs by `register_kinds`."""

TEST = "test"  # the kind of messages that `send_test` sends
MOST_WEBHOOKS = 10  # of one person
MOST_WAITING = 200  # deliveries of one webhook; while so many wait, nothing is added
SECRET_START = "whsec_"
RETRY_AFTER = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480)]
CLAIM_TIMEOUT = timedelta(seconds=90)  # a delivery whose task was lost is due again after this
MOST_FAILURES, FAILING_FOR = 20, timedelta(days=1)  # after both of them in a row it is turned off
DELIVERIES_KEPT = timedelta(days=14)
SUCCESSES = range(200, 300)


class WebhookRefused(ValueError):
    """The webhook can't be made; the message says why."""


def register_kinds(kinds: Mapping[str, str]) -> None:
    KINDS.update(kinds)


# Making and changing


def make_webhook(*, user: User, url: str, kinds: Collection[str], site: str) -> tuple[Webhook, str]:
    """A new webhook, and its secret, which is not shown again. :raises WebhookRefused:"""
    check_url(url)
    with transaction.atomic():
        lock_user(user.pk)
        if user.webhooks.count() >= MOST_WEBHOOKS:
            raise WebhookRefused(f"You have {MOST_WEBHOOKS} webhooks. Delete one of them first.")
        hook = Webhook.objects.create(user=user, url=url, site=site, kinds=[kind for kind in KINDS if kind in kinds])
    return hook, secret_of(hook)


def check_url(url: str) -> None:
    """:raises WebhookRefused: messages can't be sent to this address."""
    allows = settings.WEBHOOKS_TO_LOOPBACK
    try:
        outgoing.resolve(outgoing.parse_target(url, allows_loopback=allows), allows_loopback=allows)
    except (outgoing.AddressRefused, outgoing.RequestFailed) as error:
        raise WebhookRefused(str(error)) from None


def secret_of(hook: Webhook) -> str:
    """The key of its signatures. It follows from SECRET_KEY and the webhook's nonce, so the database alone has none."""
    digest = salted_hmac("notifications.webhooks", f"{hook.pk}:{hook.nonce}", algorithm="sha256").digest()
    return SECRET_START + urlsafe_b64encode(digest).decode().rstrip("=")


def turn_on(hook: Webhook) -> None:
    Webhook.objects.filter(pk=hook.pk).update(is_on=True, off_because="", failures=0, failing_since=None)


@transaction.atomic
def turn_off(hook: Webhook, *, because: str = "") -> None:
    """Turns a webhook off; what waits is not sent. because: the site does it, and its owner is notified."""
    if not Webhook.objects.filter(pk=hook.pk, is_on=True).update(is_on=False, off_because=because):
        return
    hook.deliveries.exclude(due_at=None).update(due_at=None, problem="The webhook was turned off.")
    if because:
        host = outgoing.parse_target(hook.url, allows_loopback=True).host
        text = f"Your webhook at {host[:80]} is turned off. {because}"
        key = f"webhook:{hook.pk}:off:{timezone.now().timestamp()}"
        notify(hook.user, key=key, text=text, url=hook.get_absolute_url())


def as_json(hook: Webhook) -> dict[str, Any]:
    """What is stored about a webhook, without its secret."""
    names = ("id", "url", "kinds", "is_on", "off_because", "created_at")
    return {name: getattr(hook, name) for name in names}


# Publishing


def publish(hooks: WebhookQuerySet, kind: str, news: Iterable[Mapping[str, Any]]) -> None:
    """Sends messages to those of these webhooks that want this kind, on commit.

    hooks: of people who may know. news: what each message says; "links" in it are paths by name.
    """
    wanted = [hook for hook in hooks.working().distinct() if kind in hook.kinds]
    if not wanted:
        return
    news = list(news)
    for hook in wanted:
        room = MOST_WAITING - hook.deliveries.exclude(due_at=None).count()
        rows = [_delivery(hook, kind, said) for said in news[: max(room, 0)]]
        WebhookDelivery.objects.bulk_create(rows)
        for row in rows:
            enqueue_on_commit("notifications.tasks.deliver_webhook", row.pk)


def publish_of_bots(kind: str, table_id: int, bot_ids: Collection[int] | None = None) -> None:
    """Sends messages about a table to the owners of bots there. bot_ids: which ones, None for all."""
    seats = Seat.objects.filter(table=table_id, has_left=False, user__owner__webhooks__is_on=True)
    if bot_ids is not None:
        seats = seats.filter(user__in=bot_ids)
    for seat in seats.select_related("user", "table").distinct():
        assert seat.user is not None, "the bot"
        said = {
            "bot": seat.user.username,
            "game": seat.table.game,
            "table": seat.table.code,
            "version": seat.table.version,
            "links": {
                "page": seat.table.get_absolute_url(),
                "api": f"{VERSION_PATH}tables/{seat.table.code}",
            },
        }
        publish(Webhook.objects.filter(user=seat.user.owner_id), kind, [said])


@transaction.atomic
def send_test(hook: Webhook) -> WebhookDelivery:
    """Sends a message of the kind "test", whatever kinds the webhook takes. :raises WebhookRefused:"""
    if not hook.is_on:
        raise WebhookRefused("This webhook is off. Turn it on first.")
    if hook.deliveries.exclude(due_at=None).count() >= MOST_WAITING:
        raise WebhookRefused(f"{MOST_WAITING} messages are waiting already.")
    delivery = _delivery(hook, TEST, {"links": {"page": hook.get_absolute_url()}})
    delivery.save()
    enqueue_on_commit("notifications.tasks.deliver_webhook", delivery.pk)
    return delivery


def _delivery(hook: Webhook, kind: str, said: Mapping[str, Any]) -> WebhookDelivery:
    now = timezone.now()
    delivery = WebhookDelivery(webhook=hook, kind=kind, created_at=now, due_at=now)
    links = {name: hook.site + path for name, path in said.get("links", {}).items()}
    body = {"id": str(delivery.uid), "kind": kind, "time": now.isoformat(), **said, "links": links}
    delivery.body = json.dumps(body, ensure_ascii=False)
    return delivery


# Delivering


def due_deliveries(*, now: datetime) -> list[int]:
    """Deliveries to try again, and those whose task was lost."""
    due = WebhookDelivery.objects.filter(due_at__lte=now).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:500])


def deliver(delivery_id: int, *, now: datetime) -> None:
    """Tries one delivery that is due. A second task for it does nothing."""
    due = WebhookDelivery.objects.filter(pk=delivery_id, due_at__lte=now).select_related("webhook__user").first()
    if due is None or due.due_at is None:
        return
    claimed_until = now + CLAIM_TIMEOUT
    if not claim_row(WebhookDelivery.objects.all(), due.pk, "due_at", due.due_at, put_off_to=claimed_until):
        return
    claimed = WebhookDelivery.objects.filter(pk=due.pk, due_at=claimed_until)  # not if its owner acts meanwhile
    hook = due.webhook
    if not (hook.is_on and hook.user.is_active):
        claimed.update(due_at=None, problem="The webhook was turned off.")
        return
    status, problem = _send(hook, due)
    attempts = due.attempts + 1
    result: dict[str, Any] = {"attempts": attempts, "status": status, "problem": problem, "due_at": None}
    if not problem:
        result["delivered_at"] = timezone.now()
    elif attempts <= len(RETRY_AFTER):
        result["due_at"] = now + RETRY_AFTER[attempts - 1]
    claimed.update(**result)
    _count_failures(hook, has_failed=bool(problem), now=now)


def _send(hook: Webhook, delivery: WebhookDelivery) -> tuple[int | None, str]:
    """The status of the answer, and what went wrong, "" if nothing did."""
    timestamp, body = str(int(timezone.now().timestamp())), delivery.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "cardsite-webhook",
        "Webhook-Id": str(delivery.uid),
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"sha256={sign(secret_of(hook), timestamp, body)}",
    }
    try:
        status = outgoing.post(hook.url, body, headers, allows_loopback=settings.WEBHOOKS_TO_LOOPBACK)
    except (outgoing.AddressRefused, outgoing.RequestFailed) as error:
        return None, str(error)
    return status, "" if status in SUCCESSES else f"The answer was {status}."


def sign(secret: str, timestamp: str, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def _count_failures(hook: Webhook, *, has_failed: bool, now: datetime) -> None:
    """Counts attempts that fail in a row, and turns a webhook off after too many of them."""
    own = Webhook.objects.filter(pk=hook.pk)
    if not has_failed:
        own.exclude(failures=0).update(failures=0, failing_since=None)
        return
    own.filter(failing_since=None).update(failing_since=now)
    own.update(failures=F("failures") + 1)
    if own.filter(failures__gte=MOST_FAILURES, failing_since__lte=now - FAILING_FOR).exists():
        turn_off(hook, because="It has failed too often. Check the address and turn it on again.")


def redeliver(delivery: WebhookDelivery) -> None:
    """Sends a message once more, with the same id."""
    with transaction.atomic():
        WebhookDelivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now(), attempts=0)
        enqueue_on_commit("notifications.tasks.deliver_webhook", delivery.pk)


def prune_deliveries(*, now: datetime) -> None:
    WebhookDelivery.objects.filter(created_at__lte=now - DELIVERIES_KEPT).delete()
