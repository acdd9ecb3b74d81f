"""Directing: roles, invitations, forbidden pairs, announcements, the log, badges, dry runs."""

from django.conf import settings
from django.db import models

from tournaments.models.event import Entry, Event

LONGEST_LOG_TEXT = 200
LONGEST_MESSAGE = 300


class EventRole(models.Model):
    """A user who runs an event beside its creator.

    A director may do everything in it; a helper checks players in and enters results.
    """

    class Role(models.TextChoices):
        DIRECTOR = "director", "director"
        HELPER = "helper", "helper"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_roles")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="one_role_in_an_event")]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()}"


class Invitation(models.Model):
    """A user who may enter an event for invited people."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_invitations")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="invited_once_to_an_event")]

    def __str__(self) -> str:
        return str(self.user)


class ForbiddenPair(models.Model):
    """Two entries that a director has forbidden to meet."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="pair_forbidden_once")]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def shown(self) -> "AnnouncementQuerySet":
        return self.filter(taken_down_at=None).select_related("by")


class Announcement(models.Model):
    """A director's message to everyone in an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    taken_down_at = models.DateTimeField(null=True, blank=True)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.text


class EventMessage(models.Model):
    """A director's message to some of the entrants. Only directors see this log of them.

    to: whom it went to, in words. people: how many.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="messages")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    to = models.CharField(max_length=120)
    text = models.CharField(max_length=LONGEST_MESSAGE)
    people = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.text


class EventLog(models.Model):
    """The log of an event: what happened, when, by whom (None: the clock) and why. Append-only.

    undo: how to undo it, {"verb": a service, ...its arguments, "left": what the action left}; None where it cannot be
    undone. undone_at: it was.
    """

    PAUSED = "Paused the tournament."

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    what = models.CharField(max_length=LONGEST_LOG_TEXT)
    why = models.CharField(max_length=LONGEST_LOG_TEXT, blank=True)
    undo = models.JSONField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "log line"

    def __str__(self) -> str:
        return self.what

    @property
    def is_about_forbidden_pair(self) -> bool:
        return self.undo is not None and self.undo["verb"] in ("allow", "forbid")


class Badge(models.Model):
    """A prize for one of the first three places of an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="badges")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="badges")
    place = models.PositiveSmallIntegerField()
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-given_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="one_badge_an_event")]

    def __str__(self) -> str:
        return f"{self.user}: place {self.place} in {self.event.name}"


class DryRun(models.Model):
    """A dry run: bots play an event through.

    report: of `tournaments.planning.dry_run`, None until it is done.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="dry_runs")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    entries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    report = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"dry run of {self.event}"
