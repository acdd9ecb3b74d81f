"""Attendance queries: who came to an event, and who missed all of it."""

from collections.abc import Iterable

from django.db.models import Q

from tournaments.models import Entry, Event, Match, MatchSide
from tournaments.models.event import EntryQuerySet

PLAYED = (Match.DecidedBy.GAMES, Match.DecidedBy.SCORE, Match.DecidedBy.DIRECTOR)


def entries_that_came(events: Iterable[Event]) -> EntryQuerySet:
    """Entries whose players came.

    Who checked in, missed a match, and neither played nor waited at a table for one who didn't come, has not come.
    """
    events = list(events)
    played = Q(match__decided_by__in=PLAYED)
    waited = Q(match__decided_by=Match.DecidedBy.FORFEIT, place=1, match__games__table__seats__has_come=True)
    at_tables = MatchSide.objects.filter(played | waited, match__event__in=events).values("entry")
    return Entry.objects.filter(Q(has_come=True, missed=0) | Q(pk__in=at_tables), event__in=events)


def entries_that_missed_all(events: Iterable[Event]) -> EntryQuerySet:
    """Those who missed a match and came to none."""
    events = list(events)
    return Entry.objects.filter(event__in=events, missed__gt=0).exclude(pk__in=entries_that_came(events).values("pk"))
