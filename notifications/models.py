"""What the site has to tell a person, and where else than on its pages the person wants to hear it."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

FRESH = timedelta(minutes=15)  # after this a notice is no news: it stands in the list and is not sent any more
LONGEST_TEXT = 200


class NoticeQuerySet(models.QuerySet["Notice"]):
    def unread(self) -> "NoticeQuerySet":
        return self.filter(read_at=None)


class Notice(models.Model):
    """One thing told to one person. url: the page on this site where one sees to it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    key = models.CharField(max_length=100)
    text = models.CharField(max_length=LONGEST_TEXT)
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
        """Neither read nor too old to interrupt anybody."""
        return self.read_at is None and now - self.created_at < FRESH


class MailAddress(models.Model):
    """Notices go to this address too: there is a row once the link in a first letter was followed.

    site: the origin at which the person uses the site, such as https://cards.example, for links in letters.
    turns: which letters games over days bring. Once a day means at `daily_at` by the clocks of `time_zone`;
    daily_due_at: when that is next.
    """

    class Turns(models.TextChoices):
        EACH = "each", "for each turn"
        DAILY = "daily", "once a day, if games wait for me"
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
        """When the clocks of its zone show `daily_at` next.

        Where they are put forward over that time it is as much later, where they show it twice the first one counts.
        """
        zone = ZoneInfo(self.time_zone)
        today = after.astimezone(zone).date()
        days = [datetime.combine(today + timedelta(days=number), self.daily_at, zone) for number in range(3)]
        return min(moment for day in days if (moment := day.astimezone(UTC)) > after)


class PushSubscription(models.Model):
    """Notices go to this browser too (Web Push). endpoint: where its maker takes messages for it."""

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
