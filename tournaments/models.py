"""An event from its announcement to its champion. `due_at` says when the clock has to look at a row again."""

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse

from games import engines
from games.bots import LEVELS
from games.core.contract import BadOption, Game
from games.models import Table
from tournaments import formats
from tournaments.formats.contract import Format
from tournaments.recurrence import occurrences


def format_choices() -> list[tuple[str, str]]:
    return [(kind.slug, kind.name) for kind in formats.FORMATS]


def game_choices() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in engines.GAMES if MATCH_SEATS in game.seats]


def new_lots() -> str:
    return secrets.token_hex(8)


MATCH_SEATS = 2  # every match is between two sides until there is a format with larger tables


class EventSettings(models.Model):
    """What is played and how; a series gives its settings to each of its events.

    fill_to: house bots take the places that people leave free, up to this many entries.
    """

    game = models.CharField(max_length=40, choices=game_choices)
    options = models.JSONField(
        default=dict, blank=True, help_text="Options of the game that differ from its own."
    )
    format = models.CharField(max_length=40, choices=format_choices, default="single-elimination")
    format_options = models.JSONField(default=dict, blank=True, help_text='Such as {"third_place": true}.')
    best_of = models.PositiveSmallIntegerField(
        "games in a match",
        default=1,
        help_text="Odd; more than half of them win the match. Seats change each game.",
    )
    move_seconds = models.PositiveIntegerField("seconds for a move", default=60)
    min_entries = models.PositiveSmallIntegerField(
        "fewest entries",
        default=2,
        help_text="With fewer at the start, bots included, the event is cancelled.",
    )
    max_entries = models.PositiveSmallIntegerField("most entries", null=True, blank=True)
    fill_to = models.PositiveSmallIntegerField("bots fill up to", default=0)
    bot_level = models.CharField("level of these bots", max_length=20, choices=LEVELS, default="club")
    registration_minutes = models.PositiveIntegerField(
        "registration opens", default=60, help_text="Minutes before the start."
    )
    check_in_minutes = models.PositiveIntegerField(
        "check-in opens", default=5, help_text="Minutes before the start; 0 for an event without check-in."
    )

    class Meta:
        abstract = True

    def clean(self) -> None:
        """:raises ValidationError: settings that no event can be played with."""
        errors = {}
        try:
            self.rules.read_options(self.options, MATCH_SEATS)
        except KeyError:
            errors["game"] = "There is no such game."
        except (BadOption, TypeError, ValueError) as error:
            errors["options"] = str(error)
        try:
            formats.make(self.format, self.format_options)
        except LookupError:
            errors["format"] = "There is no such format."
        except TypeError:
            errors["format_options"] = "This format has no such option."
        if self.best_of is not None and self.best_of % 2 == 0:
            errors["best_of"] = "Choose an odd number, so that somebody wins more than half of the games."
        if self.max_entries is not None and self.max_entries < max(self.min_entries or 0, self.fill_to or 0):
            errors["max_entries"] = "This is less than the fewest entries, or than bots would fill up to."
        if (self.check_in_minutes or 0) > (self.registration_minutes or 0):
            errors["check_in_minutes"] = "Check-in cannot open before registration."
        if errors:
            raise ValidationError(errors)

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return engines.get(self.game)

    @property
    def plan(self) -> Format:
        """The format with its options."""
        return formats.make(self.format, self.format_options)

    def setting_values(self) -> dict[str, Any]:
        """Every setting by its name."""
        return {field.name: getattr(self, field.name) for field in EventSettings._meta.local_fields}


class DueQuerySet(models.QuerySet[Any]):
    def due(self, now: datetime) -> Self:
        """Rows that the clock has to look at."""
        return self.filter(due_at__lte=now)


class Series(EventSettings):
    """Creates its events by itself: one at `first_start_at` and then every `every_minutes`.

    ahead: how many events to come always exist.
    """

    name = models.CharField(max_length=100, unique=True)
    first_start_at = models.DateTimeField("first start")
    every_minutes = models.PositiveIntegerField("minutes between starts")
    ahead = models.PositiveSmallIntegerField("events planned ahead", default=2)
    is_active = models.BooleanField("active", default=True)
    due_at = models.DateTimeField("looks again at", null=True, blank=True, editable=False)

    objects = DueQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "series"
        indexes = [models.Index(fields=["due_at"], name="series_due")]  # the tick, once a second

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        if not self.every_minutes:
            raise ValidationError({"every_minutes": "Choose at least one minute."})

    def next_starts(self, *, after: datetime) -> list[datetime]:
        every = timedelta(minutes=self.every_minutes)
        return occurrences(self.first_start_at, every, after=after, count=self.ahead)


class EventQuerySet(DueQuerySet):
    def upcoming(self) -> "EventQuerySet":
        return self.filter(status__in=Event.BEFORE_START).order_by("starts_at", "pk")

    def running(self) -> "EventQuerySet":
        return self.filter(status=Event.Status.RUNNING).order_by("starts_at", "pk")

    def finished(self) -> "EventQuerySet":
        return self.filter(status=Event.Status.FINISHED).order_by("-finished_at", "-pk")

    def with_counts(self) -> "EventQuerySet":
        """Adds `entry_count`: everybody who plays or means to."""
        return self.annotate(entry_count=models.Count("entries", filter=~Q(entries__status__in=Entry.ABSENT)))


class Event(EventSettings):
    """A tournament. Its status says which step comes next, `due_at` when.

    version: counts everything that changes what a visitor sees. lots: the published text that lots are drawn
    by.
    """

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", "planned"
        REGISTRATION = "registration", "open for entries"
        CHECK_IN = "check-in", "check-in"
        RUNNING = "running", "being played"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    BEFORE_START = (Status.SCHEDULED, Status.REGISTRATION, Status.CHECK_IN)
    TAKES_ENTRIES = (Status.REGISTRATION, Status.CHECK_IN)

    name = models.CharField(max_length=100)
    series = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="events"
    )
    starts_at = models.DateTimeField("start")
    status = models.CharField(max_length=20, choices=Status, default=Status.SCHEDULED, editable=False)
    due_at = models.DateTimeField("next step", null=True, blank=True, editable=False)
    lots = models.CharField("text for lots", max_length=40, default=new_lots, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = EventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "starts_at"], name="series_starts_one_event_at_a_time")
        ]
        indexes = [
            models.Index(fields=["due_at"], name="event_due"),  # the tick, once a second
            models.Index(fields=["status", "starts_at"], name="event_status_start"),  # the calendar
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.starts_at:%d %b %Y %H:%M} UTC"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.pk])

    @property
    def channel(self) -> str:
        """Where this event is announced (`games.live`)."""
        return f"event:{self.pk}"

    @property
    def registration_at(self) -> datetime:
        return self.starts_at - timedelta(minutes=self.registration_minutes)

    @property
    def check_in_at(self) -> datetime | None:
        """None for an event without check-in."""
        return self.starts_at - timedelta(minutes=self.check_in_minutes) if self.check_in_minutes else None

    @property
    def takes_entries(self) -> bool:
        return self.status in self.TAKES_ENTRIES

    @property
    def is_before_start(self) -> bool:
        return self.status in self.BEFORE_START

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        return self.status == self.Status.FINISHED

    def is_full(self) -> bool:
        return self.max_entries is not None and self.entries.present().count() >= self.max_entries


class EntryQuerySet(models.QuerySet["Entry"]):
    def present(self) -> "EntryQuerySet":
        """Everybody who plays or means to."""
        return self.exclude(status__in=Entry.ABSENT)


class Entry(models.Model):
    """Somebody's place in an event.

    seed: 1 is the strongest, given at the start. place, last_place: final, shared by equals, so 5 to 8.
    """

    class Status(models.TextChoices):
        ENTERED = "entered", "entered"
        CHECKED_IN = "checked-in", "checked in"
        PLAYING = "playing", "in play"
        ELIMINATED = "eliminated", "out"
        CHAMPION = "champion", "champion"
        WITHDRAWN = "withdrawn", "withdrawn"
        NO_SHOW = "no-show", "did not check in"
        REMOVED = "removed", "removed by a director"

    ABSENT = (Status.WITHDRAWN, Status.NO_SHOW, Status.REMOVED)  # an entry with a seed has left during play

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries")
    status = models.CharField(max_length=20, choices=Status, default=Status.ENTERED)
    seed = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    last_place = models.PositiveIntegerField(null=True, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["seed", "entered_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="user_enters_an_event_once"),
            models.UniqueConstraint(fields=["event", "seed"], name="seed_once_in_an_event"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.user.display_name

    @property
    def is_absent(self) -> bool:
        return self.status in self.ABSENT


class Round(models.Model):
    """A round of one section of the event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    section = models.CharField(max_length=40)
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number", "section"]
        constraints = [
            models.UniqueConstraint(fields=["event", "section", "number"], name="round_once_in_an_event")
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number}"


class Match(models.Model):
    """A meeting of entries, of one game or more. The unique spot is what keeps it from being paired twice."""

    class Status(models.TextChoices):
        WAITING = "waiting", "about to start"
        PLAYING = "playing", "being played"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    class DecidedBy(models.TextChoices):
        GAMES = "games", "the games"
        FORFEIT = "forfeit", "forfeit"
        BYE = "bye", "bye"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    slot = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=20, choices=Status, default=Status.WAITING)
    decided_by = models.CharField(max_length=20, choices=DecidedBy, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["round__number", "slot", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "slot"], name="match_once_in_a_round")]
        indexes = [models.Index(fields=["event", "status"], name="match_event_status")]

    def __str__(self) -> str:
        return " against ".join(side.entry.name for side in self.sides.all())

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)


class MatchSide(models.Model):
    """An entry in a match. place: 1 is first, None until it is decided. points: of all its games together."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sides")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="sides")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    games_won = models.PositiveSmallIntegerField(default=0)
    points = models.IntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="side_once_in_a_match"),
            models.UniqueConstraint(fields=["match", "entry"], name="entry_once_in_a_match"),
        ]

    def __str__(self) -> str:
        return self.entry.name


class MatchGame(models.Model):
    """A game of a match at its table. first_side: the side in seat 0; the others follow."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="match_game")
    first_side = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="game_once_in_a_match")]

    def __str__(self) -> str:
        return f"game {self.number}"


class EventLog(models.Model):
    """What happened to an event, when, by whom (None: the clock) and why. Append-only."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    what = models.CharField(max_length=200)
    why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "log line"

    def __str__(self) -> str:
        return self.what
