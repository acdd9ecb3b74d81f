"""Calendar feeds: what calendar programs know of an event, and secret feed addresses."""

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.models.event import Event

GUESSED_MINUTES = 60  # until the length of an event has been estimated


def new_token() -> str:
    return secrets.token_urlsafe(24)


class CalendarEntry(models.Model):
    """An event as calendar programs know it (RFC 5545).

    sequence: counts the changes they are told of. content: a hash by which a change is noticed. minutes: the estimated
    length of the event.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="calendar_entry")
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)
    content = models.CharField(max_length=64)
    minutes = models.PositiveIntegerField(default=GUESSED_MINUTES)

    class Meta:
        verbose_name_plural = "calendar entries"

    def __str__(self) -> str:
        return f"{self.event}, change {self.sequence}"


class CalendarToken(models.Model):
    """A secret address for the feed of a user, since calendar programs cannot log in. A new one replaces it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_token")
    token = models.CharField(max_length=40, unique=True, default=new_token)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"calendar of {self.user}"
