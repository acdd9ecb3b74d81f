"""Seasons: a table of people over several events."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from tournaments.domain.season import TIE_BREAKS, USUAL_TIE_BREAKS, SeasonRules
from tournaments.models.event import Event
from tournaments.models.series import Series

MOST_PLACES, MOST_POINTS, MOST_EVENTS = 64, 1000, 366


def usual_tie_breaks() -> list[str]:
    return [*USUAL_TIE_BREAKS]


class Season(models.Model):
    """A season over a series, over events that a director has chosen, or both.

    first_day, last_day: of the series only events between them count, by the calendar of their own time zone.
    place_points: for the first place, the second, ...; [] is a point for each player beaten. best: None counts all
    results. tie_breaks: codes of `domain.season.TIE_BREAKS`, in their order. created_by: may change it.
    """

    name = models.CharField(max_length=100, unique=True)
    description = models.TextField(blank=True, max_length=2000)
    series = models.ForeignKey(Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="seasons")
    first_day = models.DateField("first day", null=True, blank=True)
    last_day = models.DateField("last day", null=True, blank=True)
    events = models.ManyToManyField(Event, blank=True, related_name="seasons")
    place_points = models.JSONField(default=list, blank=True)
    best = models.PositiveSmallIntegerField(
        "results that count", null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_EVENTS)]
    )
    attendance = models.PositiveSmallIntegerField(
        "bonus for each tournament played", default=0, validators=[MaxValueValidator(MOST_POINTS)]
    )
    counts_bots = models.BooleanField("bots count", default=False)
    tie_breaks = models.JSONField(default=usual_tie_breaks, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:season", args=[self.pk])

    def clean(self) -> None:
        """:raises ValidationError: points, tie-breaks or days that make no table."""
        super().clean()
        points = self.place_points
        if len(points) > MOST_PLACES or any(type(one) is not int or not 0 <= one <= MOST_POINTS for one in points):
            raise ValidationError(f"Enter at most {MOST_PLACES} numbers of points, from 0 to {MOST_POINTS}.")
        if any(later > earlier for earlier, later in zip(points, points[1:], strict=False)):
            raise ValidationError("A lower place can't give more points than a higher one.")
        if len({*self.tie_breaks}) < len(self.tie_breaks) or not {*self.tie_breaks} <= TIE_BREAKS.keys():
            raise ValidationError("Choose each tie-break at most once.")
        if self.first_day and self.last_day and self.last_day < self.first_day:
            raise ValidationError({"last_day": "The last day is before the first one."})

    @property
    def rules(self) -> SeasonRules:
        return SeasonRules(tuple(self.place_points), self.best, self.attendance, tuple(self.tie_breaks))
