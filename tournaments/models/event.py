"""Events, from announcement to champion, and their entries.

`due_at` says when the clock has to look at a row again.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.models.series import DueQuerySet, Series
from tournaments.models.settings import EventSettings, check_start

LONGEST_TEAM_NAME = 40


def new_lots() -> str:
    return secrets.token_hex(8)


class EventQuerySet(DueQuerySet):
    def upcoming(self) -> "EventQuerySet":
        return self.filter(status__in=Event.BEFORE_START).order_by("starts_at", "pk")

    def running(self) -> "EventQuerySet":
        return self.filter(status=Event.Status.RUNNING).order_by("starts_at", "pk")

    def finished(self) -> "EventQuerySet":
        return self.filter(status=Event.Status.FINISHED).order_by("-finished_at", "-pk")

    def with_counts(self) -> "EventQuerySet":
        """Adds `entry_count`: the entries that have a place."""
        counted: EventQuerySet = self.annotate(
            entry_count=models.Count("entries", filter=~Q(entries__status__in=Entry.ABSENT))
        )
        return counted


class Event(EventSettings):
    """A tournament. Its status says which step comes next, `due_at` when.

    version: counts everything that changes what a visitor sees. lots: the published text that lots are drawn by.
    planned_at: the start by the rule of its series; it identifies the event in the series, wherever it is shifted to.
    own_settings: the fields that a director has changed, and that its series leaves alone; its start is changed if it
    is not `planned_at`.
    is_closed: a director takes no more entries. paused_at: no match starts and the clocks of its tables stand.
    due_at: also None for an event that has missed its start and waits for a director.
    cannot_go_on_because: why its last step failed, "" once one has succeeded.
    ends_at: of a format with a time, such as an arena, once it runs. reminded_at: when entrants were reminded of it.
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
    STAYS_FOR_PAIRS = "Pairs have already entered. Choose a game or format for pairs."
    STAYS_FOR_TEAMS = "Players have already entered, so teams stay as they are."

    name = models.CharField(max_length=100)
    description = models.TextField(blank=True, help_text="What players should know before they enter.")
    series = models.ForeignKey(Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="events")
    planned_at = models.DateTimeField(null=True, blank=True, editable=False)
    own_settings = models.JSONField(default=list, editable=False)
    starts_at = models.DateTimeField("start")
    time_zone = models.CharField("the organiser's time zone", max_length=60, default="UTC")
    status = models.CharField(max_length=20, choices=Status, default=Status.SCHEDULED, editable=False)
    due_at = models.DateTimeField("next step", null=True, blank=True, editable=False)
    lots = models.CharField("text for random draws", max_length=40, default=new_lots, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    is_closed = models.BooleanField("closed for entries", default=False, editable=False)
    paused_at = models.DateTimeField(null=True, blank=True, editable=False)
    cannot_go_on_because = models.CharField(max_length=200, blank=True, editable=False)
    next_round_at = models.DateTimeField("the break ends", null=True, blank=True, editable=False)
    ends_at = models.DateTimeField("the time is up", null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField(null=True, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = EventQuerySet.as_manager()

    entry_count: int
    """Only where it was counted (`EventQuerySet.with_counts`)."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["series", "planned_at"], name="series_plans_an_event_once")]
        indexes = [
            models.Index(fields=["due_at"], name="event_due"),  # the tick, once a second
            models.Index(fields=["status", "starts_at"], name="event_status_start"),  # the calendar
        ]

    def __str__(self) -> str:
        return f"{self.name}, {wall_time_in_words(self.starts_at, self.time_zone)}"

    def clean(self) -> None:
        """:raises ValidationError: impossible settings, or settings that do not fit the entries."""
        super().clean()
        check_start("starts_at", self.starts_at)
        if self.pk and not self.has_pairs and self.entries.paired().exists():
            raise ValidationError({"game": self.STAYS_FOR_PAIRS})
        if self.pk and self.entries.filter(Q(team_name="") if self.has_teams else ~Q(team_name="")).exists():
            raise ValidationError({"team_boards": self.STAYS_FOR_TEAMS})

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.pk])

    @property
    def channel(self) -> str:
        """The live channel of this event (`games.live`)."""
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
        return self.status in self.TAKES_ENTRIES and not self.is_closed

    @property
    def is_before_start(self) -> bool:
        return self.status in self.BEFORE_START

    @property
    def waits_for_director(self) -> bool:
        """It has missed its start, and does nothing until a director starts it, shifts it or calls it off."""
        return self.pk is not None and self.is_before_start and self.due_at is None

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    @property
    def is_time_up(self) -> bool:
        """Only in an event with a time."""
        return self.ends_at is not None and self.ends_at <= timezone.now()

    @property
    def is_finished(self) -> bool:
        return self.status == self.Status.FINISHED

    @property
    def is_full(self) -> bool:
        return self.max_entries is not None and self.entries.present().count() >= self.max_entries

    @property
    def has_bots(self) -> bool:
        """Bots may take places in it."""
        return self.bots_only or self.is_evened or self.fill_to > 0


def joined_names(players: Iterable[User]) -> str:
    """The name of an entry of these players."""
    return " & ".join(player.display_name for player in players)


class EntryQuerySet(models.QuerySet["Entry"]):
    def present(self) -> "EntryQuerySet":
        """Entries with a place."""
        return self.exclude(status__in=Entry.ABSENT)

    def entered(self) -> "EntryQuerySet":
        """Entries with a place, and the waiting list."""
        return self.exclude(status__in=Entry.GONE)

    def waiting(self) -> "EntryQuerySet":
        """The waiting list, in its order."""
        return self.filter(status__in=Entry.IN_LINE).order_by("entered_at", "pk")

    def of(self, user: User) -> "EntryQuerySet":
        """The entries of a user, also as partner or in a team."""
        teams = Entry.objects.filter(members__user=user, members__has_accepted=True)
        return self.filter(Q(user=user) | Q(partner=user) | Q(pk__in=teams.values("pk")))

    def looking(self) -> "EntryQuerySet":
        """In an event for pairs: entries without a partner."""
        return self.filter(partner=None)

    def paired(self) -> "EntryQuerySet":
        return self.exclude(partner=None)

    def with_players(self, *, teams: bool = False) -> "EntryQuerySet":
        """teams: with the members of all teams; elsewhere each team reads its own."""
        entries = self.select_related("user", "partner")
        return entries.prefetch_related("members") if teams else entries


class Entry(models.Model):
    """An entry of a player, of two partners or of a team, in an event.

    user: the player, of partners the one who entered, of a team its captain. team_name: "" in other events.
    is_pair: in an event for pairs; elsewhere nobody has a partner.
    partner: None while there is none. invited: whom the user has invited as partner, while there is no answer.
    wanted_seed: given by a director. seed: 1 is the strongest, given at the start or to a late entry.
    rating: when it was seeded. first_round: later than 1 for a late entry.
    has_come: has checked in or been at a table. missed: matches to which nobody came, since they were last back.
    sits_out: too many of them, so that it plays no match until its player returns.
    is_leaving: wants to be withdrawn once the round in play is over.
    wants_reminder: a notice shortly before the start. answers: to the event's questions, by question.
    has_paid, note: what directors note; no one else sees it.
    place, last_place: final, shared by equals, so 5 to 8.
    """

    class Status(models.TextChoices):
        ENTERED = "entered", "entered"
        CHECKED_IN = "checked-in", "checked in"
        WAITING = "waiting", "on the waiting list"
        READY = "ready", "on the waiting list, checked in"
        PLAYING = "playing", "in play"
        ELIMINATED = "eliminated", "out"
        CHAMPION = "champion", "champion"
        WITHDRAWN = "withdrawn", "withdrawn"
        NO_SHOW = "no-show", "did not check in"
        REMOVED = "removed", "removed by a director"

    IN_LINE = (Status.WAITING, Status.READY)
    GONE = (Status.WITHDRAWN, Status.NO_SHOW, Status.REMOVED)  # one with a seed has left during play
    ABSENT = (*IN_LINE, *GONE)

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries")
    is_pair = models.BooleanField(default=False)
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="partner_entries"
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="invitations"
    )
    team_name = models.CharField(max_length=LONGEST_TEAM_NAME, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.ENTERED)
    wanted_seed = models.PositiveIntegerField(null=True, blank=True)
    rating = models.FloatField(null=True, blank=True)
    first_round = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    last_place = models.PositiveIntegerField(null=True, blank=True)
    has_come = models.BooleanField(default=False)
    missed = models.PositiveSmallIntegerField(default=0)
    sits_out = models.BooleanField(default=False)
    is_leaving = models.BooleanField(default=False)
    wants_reminder = models.BooleanField(default=False)
    answers = models.JSONField(default=dict)
    has_paid = models.BooleanField(default=False)
    note = models.CharField(max_length=300, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["seed", "entered_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="user_enters_an_event_once"),
            models.UniqueConstraint(fields=["event", "partner"], name="partner_enters_an_event_once"),
            models.UniqueConstraint(fields=["event", "seed"], name="seed_once_in_an_event"),
            models.CheckConstraint(
                condition=Q(is_pair=True) | Q(partner=None, invited=None), name="only_pairs_have_partners"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.team_name or joined_names(self.players)

    @property
    def players(self) -> list[User]:
        """The player, both partners in the order in which they sit, or a team in the order of its boards."""
        if self.team_name:
            return [member.user for member in self.team]
        return [self.user, self.partner] if self.partner else [self.user]

    @property
    def team(self) -> list["TeamMember"]:
        """The members of a team in the order of its boards, without those who are only invited."""
        if self.pk is None:
            return []
        return [member for member in self.members.all() if member.has_accepted]

    @property
    def known_seed(self) -> int:
        """The seed of an entry that has one, as every entry in a match has."""
        assert self.seed is not None, "entries are seeded before they are paired"
        return self.seed

    @property
    def is_bot(self) -> bool:
        """Whether all its players are bots of the site, who need no one to say that they are here."""
        players = self.players
        return bool(players) and all(player.is_bot for player in players)

    @property
    def has_bot_badge(self) -> bool:
        """Whether all its players are bots, of the site or of people."""
        players = self.players
        return bool(players) and not any(player.is_person for player in players)

    @property
    def is_absent(self) -> bool:
        return self.status in self.ABSENT

    @property
    def is_sitting_out(self) -> bool:
        """In play, but waits to be back."""
        return self.sits_out and self.status == self.Status.PLAYING

    @property
    def is_in_line(self) -> bool:
        return self.status in self.IN_LINE

    @property
    def is_in(self) -> bool:
        """Has a place, or is on the waiting list."""
        return self.status not in self.GONE

    @property
    def is_here(self) -> bool:
        """Has checked in, with a place or without."""
        return self.status in (self.Status.CHECKED_IN, self.Status.READY)

    @classmethod
    def status_before_start(cls, *, has_place: bool, is_here: bool) -> str:
        if has_place:
            return cls.Status.CHECKED_IN if is_here else cls.Status.ENTERED
        return cls.Status.READY if is_here else cls.Status.WAITING

    def includes(self, user: User) -> bool:
        return user.pk in (self.user_id, self.partner_id) or (bool(self.team_name) and user in self.players)


class TeamMemberManager(models.Manager["TeamMember"]):
    def get_queryset(self) -> models.QuerySet["TeamMember"]:
        return super().get_queryset().select_related("user")


class TeamMember(models.Model):
    """A player of a team, or one who is invited to it.

    number: their place in the order of the boards, from 1; gaps mean nothing. has_accepted: False while invited.
    rests: sits out the next match, as the captain wants it. is_away: missed their last board, and is not back yet.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="team_memberships")
    number = models.PositiveSmallIntegerField()
    has_accepted = models.BooleanField(default=False)
    rests = models.BooleanField(default=False)
    is_away = models.BooleanField(default=False)

    objects = TeamMemberManager()

    class Meta:
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "user"], name="user_in_a_team_once")]

    def __str__(self) -> str:
        return self.user.display_name
