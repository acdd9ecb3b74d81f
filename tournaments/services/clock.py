"""The steps that an event takes by itself, each at its moment."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from accounts.models import User
from games.models import Table
from tournaments.domain.errors import EventError
from tournaments.models import Event, Match
from tournaments.services import telling
from tournaments.services.common import LOOK_AGAIN, changed, changed_on_calendar, close, locked, log
from tournaments.services.matches import settle, with_games
from tournaments.services.rounds import go_on
from tournaments.services.schedule import next_due
from tournaments.services.seeding import gather, seed
from tournaments.services.setting_aside import back_off, open_or_set_aside, recovered

TOO_LATE = timedelta(minutes=10)  # an event that the site slept through is cancelled


def claim_due_events(*, until: datetime) -> list[tuple[int, datetime]]:
    """Events with a step to take, and when. Each is claimed, so that the next tick leaves it alone."""
    return Event.objects.claim(until=until, patience=LOOK_AGAIN)


def take_step(*, event_id: int, now: datetime) -> None:
    """Takes whatever steps are due; several where the site was not running in time."""
    _take(open_registration, open_check_in, start, advance, event_id=event_id, now=now)


def take_result(*, event_id: int, now: datetime) -> None:
    """Takes in a game that has ended."""
    _take(advance, event_id=event_id, now=now)


def _take(*steps: Callable[..., None], event_id: int, now: datetime) -> None:
    """An event that fails is not tried again at once, and its directors see why."""
    try:
        for step in steps:
            step(event_id=event_id, now=now)
    except OperationalError:
        raise
    except Exception as error:
        back_off(event_id=event_id, error=error, now=now)
    else:
        recovered(event_id=event_id)


@transaction.atomic
def open_registration(*, event_id: int, now: datetime) -> None:
    event = locked(event_id)
    if event.status == Event.Status.SCHEDULED and event.registration_at <= now:
        _move_on(event, Event.Status.REGISTRATION)
        log(event, "Registration opened.")
        changed_on_calendar(event)


@transaction.atomic
def open_check_in(*, event_id: int, now: datetime) -> None:
    """Not in the minute of the start: whoever could not check in in time must not be left out for it."""
    event = locked(event_id)
    in_time = event.check_in_at is not None and event.check_in_at <= now < event.starts_at
    if in_time and event.status == Event.Status.REGISTRATION:
        _move_on(event, Event.Status.CHECK_IN)
        log(event, "Check-in opened.")
        telling.check_in_opened(event)
        changed_on_calendar(event)


@transaction.atomic
def start(*, event_id: int, now: datetime) -> None:
    """Seeds whoever is here, gives free places to bots, pairs the first matches."""
    event = locked(event_id)
    if event.status not in Event.TAKES_ENTRIES or event.starts_at > now:
        return
    had_check_in = event.status == Event.Status.CHECK_IN
    _move_on(event, Event.Status.RUNNING)
    if now - event.starts_at > TOO_LATE:
        why = "The site was not running when it should have started."
        if event.cannot_go_on_because:
            why = "It could not be started, also not after several tries."
        close(event, Event.Status.CANCELLED, "Cancelled the event.", by=None, why=why)
        return
    entries = gather(event, after_check_in=had_check_in)
    if len(entries) < event.min_entries:
        why = f"{f'Only {len(entries)}' if entries else 'Nobody'} came, and it takes {event.min_entries}."
        close(event, Event.Status.CANCELLED, "Cancelled the event.", by=None, why=why)
        return
    seed(event, entries)
    event.started_at = now
    event.ends_at = now + timedelta(minutes=event.minutes) if event.minutes else None
    event.save(update_fields=["started_at", "ends_at"])
    log(event, f"Started with {len(entries)} entries.")
    go_on(event)
    telling.started(event)
    changed_on_calendar(event)


@transaction.atomic
def advance(*, event_id: int, now: datetime) -> None:
    """Takes in the games that have ended and starts what follows from them."""
    event = locked(event_id)
    if event.is_running and take_in(event):
        changed(event)


def take_in(event: Event) -> bool:
    """Settles the matches without a game in play, then goes on. Answers whether anything is new."""
    ended = event.matches.filter(status=Match.Status.PLAYING).exclude(games__table__status=Table.Status.RUNNING)
    is_new = settle(event, with_games(ended))
    return go_on(event) or is_new


@transaction.atomic
def start_match(*, match_id: int, now: datetime) -> None:
    """Opens the table of the first game.

    Its players are told at once; the pages of the event change with the last table of a round, and not a hundred times.
    """
    event_id = Match.objects.filter(pk=match_id).values_list("event_id", flat=True).first()
    if event_id is None:
        return  # it has been paired again since
    event = locked(event_id)
    claim = event.matches.to_start().filter(pk=match_id)
    if event.is_running and not event.is_paused and claim.update(status=Match.Status.PLAYING, started_at=now):
        match = with_games(event.matches.all()).get(pk=match_id)
        if open_or_set_aside(match):
            telling.match_started(match)
        if not event.matches.to_start().exists():
            changed(event)


@transaction.atomic
def try_again(*, match_id: int, by: User) -> None:
    """Opens the table of a match that was set aside, or sets it aside once more. :raises EventError:"""
    event = locked(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    match = with_games(event.matches.set_aside()).filter(pk=match_id).first()
    if match is None or not event.is_running:
        raise EventError("This match is not waiting for a director.")
    match.set_aside_because = ""
    match.save(update_fields=["set_aside_because"])
    log(event, f"Tried to open the table again: {match}.", by=by)
    take_in(event)
    changed(event)


def _move_on(event: Event, status: str) -> None:
    event.status = status
    event.due_at = next_due(event)
    event.save(update_fields=["status", "due_at"])
