"""What every service of an event needs: the lock on its row, its log, and who is told of a change."""

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
from tournaments.services import calendar, telling

CALENDAR = "events"  # the channel of the page with all events
LOOK_AGAIN = timedelta(seconds=4)  # a claimed step that was lost is due again after this


def locked(event_id: int) -> Event:
    """The event, locked until the transaction ends."""
    event: Event = Event.objects.select_for_update().get(pk=event_id)
    return event


def open_matches(event: Event) -> Any:
    """The matches that are being played or about to be."""
    return event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING))


def running_tables(event: Event) -> list[int]:
    """The ids of tables in play."""
    running = Table.objects.running().filter(match_game__match__event=event)
    return list(running.values_list("pk", flat=True))


def close(event: Event, status: str, what: str, *, by: User | None, why: str = "") -> Event:
    """The event is over; nothing of it stays hidden, or paused."""
    event.status, event.due_at, event.finished_at, event.paused_at = status, None, timezone.now(), None
    event.save(update_fields=["status", "due_at", "finished_at", "paused_at"])
    for table_id in running_tables(event):
        games.resume_table(table_id=table_id)
    games.reveal(Table.objects.filter(match_game__match__event=event))
    log(event, what, by=by, why=why)
    if status == Event.Status.CANCELLED:
        telling.cancelled(event, why)
    return changed_on_calendar(event)


def log(event: Event, what: str, *, by: User | None = None, why: str = "", undo: dict[str, Any] | None = None) -> None:
    """undo: what takes it back, see `EventLog`."""
    log_all(event, [(what, undo)], by=by, why=why)


def log_all(
    event: Event, lines: Iterable[tuple[str, dict[str, Any] | None]], *, by: User | None = None, why: str = ""
) -> None:
    """As `log` for each of these lines with what takes it back."""
    EventLog.objects.bulk_create(
        EventLog(event=event, by=by, what=what[:LONGEST_LOG_TEXT], why=why[:LONGEST_LOG_TEXT], undo=undo)
        for what, undo in lines
    )


def require_neutral(by: User, entries: Iterable[Entry], what: str) -> None:
    """:raises EventError: a director would decide on something of his own. what: such as "decide this match"."""
    if any(entry.includes(by) for entry in entries):
        raise EventError(f"You play yourself, so somebody else has to {what}.")


def require_no_opponent(by: User, entry: Entry) -> None:
    """:raises EventError: a director would take somebody out against whom he plays."""
    own = Entry.objects.filter(event=entry.event_id).of(by).exclude(pk=entry.pk)
    if open_matches(entry.event).filter(sides__entry=entry).filter(sides__entry__in=own).exists():
        raise EventError(f"You play against {entry.name} now, so somebody else has to do this.")


def changed(event: Event) -> Event:
    """Counts a change and tells everybody who watches the event, once it is stored."""
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    event.refresh_from_db(fields=["version"])
    on_commit(live.announce, event.channel, event.version)
    return event


def changed_on_calendar(event: Event) -> Event:
    """As `changed`, and tells those who look at the calendar, here or in a program of their own."""
    calendar_changed()
    if calendar.revise(event):
        enqueue_on_commit("tournaments.tasks.expect_end", event.pk)
    return changed(event)


def calendar_changed() -> None:
    """Tells those who look at the calendar here."""
    on_commit(live.announce, CALENDAR, live.moment())


def own_settings(event: Event, *names: str) -> None:
    """Notes settings that a director has changed, so that the series of the event leaves them alone. Not stored yet."""
    event.own_settings = sorted({*event.own_settings, *names})
