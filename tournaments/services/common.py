"""Common parts of all event services: row lock, log, and announcing a change."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games import live
from games import services as games
from games.models import Table
from infra.after_commit import on_commit
from infra.task_queue import enqueue_on_commit
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event, EventLog, Match
from tournaments.models.directing import LONGEST_LOG_TEXT
from tournaments.services import calendar, notices, webhooks

CALENDAR_CHANNEL = "events"  # the channel of the page with all events
CLAIM_TIMEOUT = timedelta(seconds=4)  # a claimed step that was lost is due again after this


def locked_event(event_id: int) -> Event:
    """The event, locked until the transaction ends."""
    event: Event = Event.objects.select_for_update().get(pk=event_id)
    return event


def own_entry(event: Event, user: User) -> Entry:
    """The entry of a player or of their team. :raises EventError: there is none."""
    entry: Entry | None = event.entries.entered().of(user).with_players().first()
    if entry is None:
        raise EventError("You haven't entered this tournament.")
    return entry


def open_matches(event: Event) -> Any:
    """The matches in play or about to start."""
    return event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING))


def running_tables(event: Event) -> list[int]:
    """The ids of tables in play."""
    running = Table.objects.running().filter(match_game__match__event=event)
    return list(running.values_list("pk", flat=True))


def close_event(event: Event, status: str, what: str, *, by: User | None, why: str) -> Event:
    """Ends the event; nothing of it stays hidden, or paused."""
    event.status, event.due_at, event.finished_at, event.paused_at = status, None, timezone.now(), None
    event.save(update_fields=["status", "due_at", "finished_at", "paused_at"])
    for table_id in running_tables(event):
        games.resume_table(table_id=table_id)
    games.reveal_tables(Table.objects.filter(match_game__match__event=event))
    log_action(event, what, by=by, why=why)
    if status == Event.Status.CANCELLED:
        notices.notify_cancelled(event, public_reason(event, why) if by else why)
    webhooks.publish_event(event, status)
    return changed_on_calendar(event)


def log_action(
    event: Event, what: str, *, by: User | None = None, why: str = "", undo: dict[str, Any] | None = None
) -> None:
    """Writes a log entry. undo: how to undo it, see `EventLog`."""
    log_actions(event, [(what, undo)], by=by, why=why)


def log_actions(
    event: Event, lines: Iterable[tuple[str, dict[str, Any] | None]], *, by: User | None = None, why: str = ""
) -> None:
    """As `log_action`, for each of these texts with its undo record."""
    EventLog.objects.bulk_create(
        EventLog(event=event, by=by, what=what[:LONGEST_LOG_TEXT], why=why[:LONGEST_LOG_TEXT], undo=undo)
        for what, undo in lines
    )


def public_reason(event: Event, why: str) -> str:
    """A director's reason as everyone may read it."""
    return "" if event.reasons_are_private else why


def bracketed_reason(event: Event, why: str) -> str:
    """The same for the end of a sentence: " (the light went out)", "" without a reason."""
    reason = public_reason(event, why).rstrip(".")
    return f" ({reason})" if reason else ""


def require_neutral(by: User, entries: Iterable[Entry], what: str) -> None:
    """:raises EventError: a director would decide on something of their own. what: such as "decide this match"."""
    if any(entry.includes(by) for entry in entries):
        raise EventError(f"You are one of the players here, so someone else has to {what}.")


def require_no_opponent(by: User, entry: Entry) -> None:
    """:raises EventError: a director would remove an entry that they are playing against."""
    own = Entry.objects.filter(event=entry.event_id).of(by).exclude(pk=entry.pk)
    if open_matches(entry.event).filter(sides__entry=entry).filter(sides__entry__in=own).exists():
        raise EventError(f"You are playing against {entry.name} now, so someone else has to do this.")


def event_changed(event: Event) -> Event:
    """Raises the version of the event and announces it to its pages, on commit."""
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    event.refresh_from_db(fields=["version"])
    on_commit(live.announce, event.channel, event.version)
    return event


def changed_on_calendar(event: Event) -> Event:
    """As `event_changed`, and announces it to the calendar and to calendar programs."""
    calendar_changed()
    if calendar.revise_calendar_entry(event):
        enqueue_on_commit("tournaments.tasks.expect_end", event.pk)
    return event_changed(event)


def calendar_changed() -> None:
    """Announces a change to the calendar page."""
    on_commit(live.announce, CALENDAR_CHANNEL, live.moment())


def note_own_settings(event: Event, *names: str) -> None:
    """Notes settings that a director has changed, so that the series leaves them alone. Not stored yet."""
    event.own_settings = sorted({*event.own_settings, *names})
