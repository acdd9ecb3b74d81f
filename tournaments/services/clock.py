"""Event clock: the steps that an event takes by itself, each at its time."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Table
from tournaments.domain.errors import EventError
from tournaments.models import Event, Match
from tournaments.queries.group_draws import draws_groups
from tournaments.services import notices, webhooks
from tournaments.services.common import (
    CLAIM_TIMEOUT,
    changed_on_calendar,
    close_event,
    event_changed,
    locked_event,
    log_action,
)
from tournaments.services.matches import settle_matches, with_games
from tournaments.services.rounds import advance_event
from tournaments.services.schedule import next_step_at
from tournaments.services.seeding import assign_seeds, collect_entries
from tournaments.services.setting_aside import back_off_event, event_recovered, open_game_or_set_aside

SETTLED_AT_ONCE = 16  # matches in a transaction
TOO_LATE = timedelta(minutes=10)  # after a missed start a director decides


def claim_due_events(*, until: datetime) -> list[tuple[int, datetime]]:
    """Claims events with a due step, with the time it is due. The next tick skips a claimed event."""
    return Event.objects.claim(until=until, patience=CLAIM_TIMEOUT)


def run_due_steps(*, event_id: int, now: datetime) -> None:
    """Runs the steps that are due; several if the site was down."""
    _take(open_registration, open_check_in, start_event, advance_running_event, event_id=event_id, now=now)


def record_result(*, event_id: int, now: datetime) -> None:
    """Records a finished game and advances its event."""
    _take(advance_running_event, event_id=event_id, now=now)


def _take(*steps: Callable[..., None], event_id: int, now: datetime) -> None:
    """Runs one step. An event that fails is retried later, and its directors see why."""
    try:
        for step in steps:
            step(event_id=event_id, now=now)
    except OperationalError:
        raise
    except Exception as error:
        back_off_event(event_id=event_id, error=error, now=now)
    else:
        event_recovered(event_id=event_id)


@transaction.atomic
def open_registration(*, event_id: int, now: datetime) -> None:
    event = locked_event(event_id)
    if event.status == Event.Status.SCHEDULED and event.registration_at <= now:
        _move_on(event, Event.Status.REGISTRATION)
        log_action(event, "Registration opened.")
        changed_on_calendar(event)


@transaction.atomic
def open_check_in(*, event_id: int, now: datetime) -> None:
    """Not in the minute of the start: players who couldn't check in in time must not be left out for it."""
    event = locked_event(event_id)
    in_time = event.check_in_at is not None and event.check_in_at <= now < event.starts_at
    if in_time and event.status == Event.Status.REGISTRATION:
        _move_on(event, Event.Status.CHECK_IN)
        log_action(event, "Check-in opened.")
        notices.notify_check_in_opened(event)
        changed_on_calendar(event)


def start_event(*, event_id: int, now: datetime) -> None:
    """Starts the event: assigns seeds, fills free places with bots, pairs the first matches, tells everyone.

    These are transactions of their own, so that none holds the lock of SQLite for long. After a crash between them the
    tick finds a running event that is due.
    """
    if _begin(event_id, now):
        _pair_first_matches(event_id)
        _tell_started(event_id)


@transaction.atomic
def _begin(event_id: int, now: datetime) -> bool:
    """Returns whether the event runs from now on."""
    event = locked_event(event_id)
    if event.status not in Event.TAKES_ENTRIES or event.starts_at > now:
        return False
    if now - event.starts_at > TOO_LATE:
        _miss_start(event)
        return False
    had_check_in = event.status == Event.Status.CHECK_IN
    _move_on(event, Event.Status.RUNNING)
    entries = collect_entries(event, after_check_in=had_check_in)
    if len(entries) < event.min_entries:
        why = f"{f'Only {len(entries)}' if entries else 'No one'} came, and it needs {event.min_entries}."
        close_event(event, Event.Status.CANCELLED, "Cancelled the tournament.", by=None, why=why)
        return False
    assign_seeds(event, entries)
    event.started_at = now
    event.ends_at = now + timedelta(minutes=event.minutes) if event.minutes else None
    if getattr(event.plan, "planned_rounds", None) == 0:  # late entries don't make it longer
        event.format_options = {**event.format_options, "planned_rounds": event.plan.rounds(len(entries))}
    event.save(update_fields=["started_at", "ends_at", "format_options"])
    log_action(event, f"Started with {len(entries)} entries.")
    if draws_groups(event):
        log_action(event, "The groups are being drawn from pots.")
    webhooks.publish_event(event, "started")
    changed_on_calendar(event)
    return True


@transaction.atomic
def _pair_first_matches(event_id: int) -> None:
    event = locked_event(event_id)
    if event.is_running and advance_event(event):
        event_changed(event)


def _tell_started(event_id: int) -> None:
    """Without a transaction around it, since it reads much and writes little."""
    event = Event.objects.get(pk=event_id)
    if event.is_running:
        notices.notify_started(event)


def _miss_start(event: Event) -> None:
    """Waits for a director, or cancels an event that has none, such as those that the site plans."""
    why = "The site was down at the start time."
    if event.cannot_go_on_because:
        why = "It couldn't be started, even after several tries."
    if not notices.directors_of(event):
        _move_on(event, Event.Status.RUNNING)
        close_event(event, Event.Status.CANCELLED, "Cancelled the tournament.", by=None, why=why)
        return
    event.due_at = None
    event.save(update_fields=["due_at"])
    log_action(event, "Missed its start and waits for a director.", why=why)
    notices.notify_start_missed(event, why)
    event_changed(event)


def start_now(*, event_id: int, by: User, why: str = "") -> Event:
    """A director starts an event before its time; what was to come before is skipped. :raises EventError:"""
    _begin_now(event_id, by, why)
    _pair_first_matches(event_id)
    _tell_started(event_id)
    return Event.objects.get(pk=event_id)


@transaction.atomic
def _begin_now(event_id: int, by: User, why: str) -> None:
    """:raises EventError: nothing is changed then."""
    event = locked_event(event_id)
    if not event.is_before_start:
        raise EventError("This tournament has already started.")
    event.starts_at = timezone.now()
    if event.status == Event.Status.SCHEDULED:
        event.status = Event.Status.REGISTRATION
    event.save(update_fields=["starts_at", "status"])
    log_action(event, "Started the tournament before its time.", by=by, why=why)
    if not _begin(event_id, event.starts_at):
        raise EventError(f"There aren't enough players: it needs {event.min_entries}, checked in if check-in is open.")


def advance_running_event(*, event_id: int, now: datetime) -> None:
    """Records the games that have ended, some in each transaction, and starts what follows from them."""
    ended = list(_ended_matches(event_id).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ended) - SETTLED_AT_ONCE, SETTLED_AT_ONCE):
        _settle_some(event_id, ended[start : start + SETTLED_AT_ONCE])
    _advance(event_id)


def _ended_matches(event_id: int) -> QuerySet[Match]:
    """The matches in play of which no game is."""
    playing: QuerySet[Match] = Match.objects.filter(event=event_id, status=Match.Status.PLAYING)
    return playing.exclude(games__table__status=Table.Status.RUNNING)


@transaction.atomic
def _settle_some(event_id: int, matches: Sequence[int]) -> None:
    """matches: their ids."""
    event = locked_event(event_id)
    if event.is_running and settle_matches(event, with_games(_ended_matches(event_id).filter(pk__in=matches))):
        event_changed(event)


@transaction.atomic
def _advance(event_id: int) -> None:
    event = locked_event(event_id)
    if event.is_running and record_finished_games(event):
        event_changed(event)


def record_finished_games(event: Event) -> bool:
    """Settles the matches without a game in play, then advances the event. Returns whether anything changed."""
    is_new = settle_matches(event, with_games(_ended_matches(event.pk)))
    return advance_event(event) or is_new


@transaction.atomic
def start_match(*, match_id: int, now: datetime) -> None:
    """Opens the table of the first game.

    Its players are notified at once; the event page is updated with the last table of a round, not a hundred times.
    """
    event_id = Match.objects.filter(pk=match_id).values_list("event_id", flat=True).first()
    if event_id is None:
        return  # it has been paired again since
    event = locked_event(event_id)
    claim = event.matches.to_start().filter(pk=match_id)
    if event.is_running and not event.is_paused and claim.update(status=Match.Status.PLAYING, started_at=now):
        match = with_games(event.matches.all()).get(pk=match_id)
        if open_game_or_set_aside(match):
            notices.notify_match_started(match)
        if not event.matches.to_start().exists():
            event_changed(event)


@transaction.atomic
def retry_match(*, match_id: int, by: User) -> None:
    """Opens the table of a match that was set aside, or sets it aside again. :raises EventError:"""
    event = locked_event(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    match = with_games(event.matches.set_aside()).filter(pk=match_id).first()
    if match is None or not event.is_running:
        raise EventError("This match isn't waiting for a director.")
    match.set_aside_because = ""
    match.save(update_fields=["set_aside_because"])
    log_action(event, f"Tried to open the table again: {match}.", by=by)
    record_finished_games(event)
    event_changed(event)


def _move_on(event: Event, status: str) -> None:
    event.status = status
    event.due_at = next_step_at(event)
    event.save(update_fields=["status", "due_at"])
