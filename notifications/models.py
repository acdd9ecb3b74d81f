"""Notices, and where else to send them: e-mail addresses and push subscriptions. Webhooks, which tell programs."""

import secrets
import uuid
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from infra.time_zones import known_zone

FRESH_FOR = timedelta(minutes=15)  # an older notice is only listed, not sent
LONGEST_NOTICE = 500  # a director's message with the name of the event fits


class NoticeQuerySet(models.QuerySet["Notice"]):
    def unread(self) -> "NoticeQuerySet":
        return self.filter(read_at=None)

    def mark_read(self) -> None:
        self.unread().update(read_at=timezone.now())


class Notice(models.Model):
    """A notice for one user. url: the page it is about."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    key = models.CharField(max_length=100)
    text = models.CharField(max_length=LONGEST_NOTICE)
    url = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="notice_once_for_a_person"),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(read_at=None), name="notice_unread"),  # every page
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def is_fresh(self) -> bool:
        return self.is_news(timezone.now())

    def is_news(self, now: datetime) -> bool:
        """Unread, and not too old to interrupt its reader."""
        return self.read_at is None and now - self.created_at < FRESH_FOR


class MailAddress(models.Model):
    """A confirmed address that receives notices.

    site: the origin at which the user uses the site, such as https://cards.example, for links in e-mails.
    turns: which e-mails to send about correspondence games. Daily means at `daily_at` in `time_zone`;
    daily_due_at: when that is next.
    """

    class Turns(models.TextChoices):
        EACH = "each", "for each turn"
        DAILY = "daily", "once a day, if it's my turn"
        NEVER = "never", "never"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mail_address")
    address = models.EmailField()
    site = models.CharField(max_length=200)
    turns = models.CharField(max_length=10, choices=Turns, default=Turns.DAILY)
    daily_at = models.TimeField(default=time(8))
    time_zone = models.CharField(max_length=60, default="UTC")
    daily_due_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name_plural = "mail addresses"

    def __str__(self) -> str:
        return self.address

    def next_daily(self, *, after: datetime) -> datetime:
        """The next time at which clocks in the time zone show `daily_at`.

        A time that clocks skip in spring is that much later; of one that comes twice in autumn the first counts.
        """
        zone = known_zone(self.time_zone)
        today = after.astimezone(zone).date()
        days = [datetime.combine(today + timedelta(days=number), self.daily_at, zone) for number in range(3)]
        return min(moment for day in days if (moment := day.astimezone(UTC)) > after)


class PushSubscription(models.Model):
    """A browser that receives notices (Web Push). endpoint: the address of the browser maker's push service."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=800, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    browser = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.browser


def new_nonce() -> str:
    return secrets.token_hex(16)


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def working(self) -> "WebhookQuerySet":
        return self.filter(is_on=True, user__is_active=True)


class Webhook(models.Model):
    """An address that is told of a person's tournaments and bots (`notifications.webhooks`).

    site: as for `MailAddress`, for links. nonce: the secret follows from it. kinds: of `notifications.webhooks.KINDS`.
    failures: attempts in a row that failed, the first at `failing_since`. off_because: the site has turned it off.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    site = models.CharField(max_length=200)
    nonce = models.CharField(max_length=32, default=new_nonce)
    kinds = models.JSONField(default=list)
    is_on = models.BooleanField("on", default=True)
    off_because = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        return reverse("notifications:webhook", args=[self.pk])


class WebhookDelivery(models.Model):
    """One message to a webhook, and what became of it.

    uid: the id that the receiver is told. due_at: when to try (again), None if that is over. status: of the last
    answer, None without one; problem: what went wrong, "" after a success.
    """

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    uid = models.UUIDField(default=uuid.uuid4, unique=True)
    kind = models.CharField(max_length=40)
    body = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=200, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="webhook_delivery_due"),  # the tick
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.uid})"
