"""Vacation: days on which a player's clocks in games over days are stopped."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models

DAYS_A_YEAR = 21


class VacationQuerySet(models.QuerySet["Vacation"]):
    def current(self, now: datetime) -> "VacationQuerySet":
        return self.filter(has_begun=True, ends_at__gt=now)

    def due(self, now: datetime) -> "VacationQuerySet":
        """Vacations that should have begun."""
        return self.filter(has_begun=False, begins_at__lte=now)


class Vacation(models.Model):
    """A vacation from one moment to another; every day that it touches counts, in `time_zone`.

    has_begun: the clocks are stopped already.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    time_zone = models.CharField(max_length=60, default="UTC")
    has_begun = models.BooleanField(default=False)

    objects = VacationQuerySet.as_manager()

    class Meta:
        ordering = ["begins_at"]
        indexes = [models.Index(fields=["has_begun", "begins_at"], name="vacation_due")]

    def __str__(self) -> str:
        return f"{self.user}: {self.first_day:%d %b %Y} to {self.last_day:%d %b %Y}"

    @property
    def first_day(self) -> date:
        return self.begins_at.astimezone(ZoneInfo(self.time_zone)).date()

    @property
    def last_day(self) -> date:
        return (self.ends_at - timedelta(microseconds=1)).astimezone(ZoneInfo(self.time_zone)).date()

    @property
    def is_one_day(self) -> bool:
        return self.first_day == self.last_day

    def days_in(self, year: int) -> int:
        first, last = max(self.first_day, date(year, 1, 1)), min(self.last_day, date(year, 12, 31))
        return max((last - first).days + 1, 0)
