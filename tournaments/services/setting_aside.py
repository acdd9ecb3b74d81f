"""Backoff after a failure: a match without a table waits for a director; a failing event is retried rarely.

A busy database does not count as a failure: that task fails, and the tick starts it again.
"""

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.utils import timezone

from tournaments.models import Event, Match
from tournaments.services import notices
from tournaments.services.common import event_changed, locked_event, log_action
from tournaments.services.tables import open_game

logger = logging.getLogger(__name__)

RETRY_AFTER = timedelta(minutes=1)  # after an event could not take its step
LONGEST_CAUSE = 200


def open_game_or_set_aside(match: Match) -> bool:
    """Opens the next game of a match; False if that failed and it waits for a director. match: from `with_games`."""
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
    """Sets a match aside; one that has not begun is waiting again."""
    match.set_aside_because = describe_failure(error)
    if not match.games.all():
        match.status, match.started_at = Match.Status.WAITING, None
    match.save(update_fields=["set_aside_because", "status", "started_at"])
    log_action(match.event, f"{match}: no table could be opened. The match is waiting for a director.")
    notices.notify_set_aside(match)
    event_changed(match.event)


@transaction.atomic
def back_off_event(*, event_id: int, error: Exception, now: datetime) -> None:
    """Retries the event after `RETRY_AFTER`; its directors see why. The same failure is logged once."""
    event = locked_event(event_id)
    if event.finished_at:
        return
    event.due_at = None if event.is_paused else max(now, timezone.now()) + RETRY_AFTER
    if event.cannot_go_on_because != describe_failure(error):
        logger.error("event %s cannot go on", event_id, exc_info=error)
        log_action(event, "The tournament couldn't continue automatically. We try again every minute.")
        event.cannot_go_on_because = describe_failure(error)
    event.save(update_fields=["due_at", "cannot_go_on_because"])
    event_changed(event)


def event_recovered(*, event_id: int) -> None:
    """Clears the failure after a successful step."""
    failed = Event.objects.filter(pk=event_id).exclude(cannot_go_on_because="")
    if failed.update(cannot_go_on_because=""):
        event_changed(Event.objects.get(pk=event_id))


def describe_failure(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST_CAUSE]
