"""Leagues of people in divisions: round robins between which players go up and down."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from tournaments.domain.divisions import DivisionRules
from tournaments.models.event import Event

SIZES = (3, 40)
MOST_MOVES = 10


class DivisionLeague(models.Model):
    """A league in divisions. template: the event whose settings its first stage takes. created_by: may change it."""

    name = models.CharField(max_length=60, unique=True)
    size = models.PositiveSmallIntegerField(
        "players in a division", default=8, validators=[MinValueValidator(SIZES[0]), MaxValueValidator(SIZES[1])]
    )
    up = models.PositiveSmallIntegerField("players who go up", default=2, validators=[MaxValueValidator(MOST_MOVES)])
    down = models.PositiveSmallIntegerField(
        "players who go down", default=2, validators=[MaxValueValidator(MOST_MOVES)]
    )
    template = models.ForeignKey(Event, null=True, on_delete=models.SET_NULL, related_name="+")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:divisions", args=[self.pk])

    @property
    def rules(self) -> DivisionRules:
        return DivisionRules(self.size, self.up, self.down)


class Division(models.Model):
    """A division of a stage of a league. stage, level: from 1; level 1 is the highest."""

    league = models.ForeignKey(DivisionLeague, on_delete=models.CASCADE, related_name="divisions")
    stage = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField()
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="division")

    class Meta:
        ordering = ["-stage", "level"]
        constraints = [models.UniqueConstraint(fields=["league", "stage", "level"], name="division_once_in_a_stage")]

    def __str__(self) -> str:
        return f"{self.league}, stage {self.stage}, division {self.level}"
