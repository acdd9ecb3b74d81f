"""Backoff after a failure: a match without a table waits for a director, an event that cannot go on is retried rarely.

A busy database is no failure of theirs: that task fails, and the tick starts it again.
"""

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.utils import timezone

from tournaments.models import Event, Match
from tournaments.services import telling
from tournaments.services.common import changed, locked, log
from tournaments.services.tables import open_game

logger = logging.getLogger(__name__)

TRY_AGAIN = timedelta(minutes=1)  # after an event could not take its step
LONGEST = 200


def open_or_set_aside(match: Match) -> bool:
    """Deals the next game of a match; False if that failed and the match waits for a director. match: `with_games`."""
    try:
        with transaction.atomic():
            open_game(match, list(match.sides.all()), list(match.games.all()))
    except OperationalError:
        raise
    except Exception as error:
        logger.exception("match %s of event %s is set aside", match.pk, match.event_id)
        _set_aside(match, error)
        return False
    return True


def _set_aside(match: Match, error: Exception) -> None:
    """A match that has not begun is waiting again."""
    match.set_aside_because = described(error)
    if not match.games.all():
        match.status, match.started_at = Match.Status.WAITING, None
    match.save(update_fields=["set_aside_because", "status", "started_at"])
    log(match.event, f"{match}: no table could be opened. The match waits for a director.")
    telling.set_aside(match)
    changed(match.event)


@transaction.atomic
def back_off(*, event_id: int, error: Exception, now: datetime) -> None:
    """The event is retried after `TRY_AGAIN`; its directors see why. The same failure is logged once."""
    event = locked(event_id)
    if event.finished_at:
        return
    event.due_at = None if event.is_paused else max(now, timezone.now()) + TRY_AGAIN
    if event.cannot_go_on_because != described(error):
        logger.error("event %s cannot go on", event_id, exc_info=error)
        log(event, "The event could not go on by itself. It is tried again every minute.")
        event.cannot_go_on_because = described(error)
    event.save(update_fields=["due_at", "cannot_go_on_because"])
    changed(event)


def recovered(*, event_id: int) -> None:
    """The step of an event was taken."""
    failed = Event.objects.filter(pk=event_id).exclude(cannot_go_on_because="")
    if failed.update(cannot_go_on_because=""):
        changed(Event.objects.get(pk=event_id))


def described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST]
