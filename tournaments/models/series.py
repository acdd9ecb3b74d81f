"""Series: recurring events."""

from datetime import date, datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone

from infra.due import claim_due
from tournaments.domain import recurrence
from tournaments.models.settings import EventSettings, check_start


class DueQuerySet(models.QuerySet[Any]):
    def due(self, now: datetime) -> Self:
        """Rows that are due."""
        return self.filter(due_at__lte=now)

    def claim(self, *, until: datetime, patience: timedelta) -> list[tuple[int, datetime]]:
        """Claims due rows: ids and times, each put off by `patience`, so that a second tick skips it."""
        return claim_due(self.due(until), "due_at", until=until, patience=patience)


class Recurring(models.Model):
    """A recurring row: at `first_start_at` and then by `rrule`.

    rrule: a recurrence rule of RFC 5545 that is read in `time_zone`, such as "FREQ=WEEKLY;BYDAY=FR".
    """

    name = models.CharField(max_length=100, unique=True)
    first_start_at = models.DateTimeField("first start")
    rrule = models.CharField("comes again by", max_length=200, default="FREQ=DAILY")
    time_zone = models.CharField(max_length=60, default="UTC")
    is_active = models.BooleanField("active", default=True)
    due_at = models.DateTimeField("looks again at", null=True, blank=True, editable=False)

    objects = DueQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        check_start("first_start_at", self.first_start_at)
        try:
            recurrence.check_rule(self.rrule, self.time_zone)
        except recurrence.BadRecurrenceRule as error:
            raise ValidationError({"rrule": str(error)}) from error

    def starts_after(self, after: datetime, *, count: int) -> list[datetime]:
        return recurrence.occurrences_after(self.rrule, self.first_start_at, self.time_zone, after=after, count=count)


class Series(Recurring, EventSettings):
    """A series creates its events by itself, `ahead` of them at a time.

    skipped: dates of the organiser's calendar on which nothing takes place, such as "2026-12-25". created_by: the
    director who may change it and directs its events.
    """

    ahead = models.PositiveSmallIntegerField("tournaments planned ahead", default=2)
    skipped = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="series",
        editable=False,
    )

    class Meta:
        verbose_name_plural = "series"
        indexes = [models.Index(fields=["due_at"], name="series_due")]  # the tick, once a second

    def get_absolute_url(self) -> str:
        return reverse("tournaments:series", args=[self.pk])

    def starts_after(self, after: datetime, *, count: int) -> list[datetime]:
        when = {"after": after, "count": count, "skipped": self.skipped}
        return recurrence.occurrences_after(self.rrule, self.first_start_at, self.time_zone, **when)

    @property
    def coming_skipped(self) -> list[date]:
        """The skipped days from today on."""
        today = timezone.now().astimezone(ZoneInfo(self.time_zone)).date()
        return [day for day in map(date.fromisoformat, sorted(self.skipped)) if day >= today]

    def next_starts(self, *, after: datetime) -> list[datetime]:
        return self.starts_after(after, count=self.ahead)
