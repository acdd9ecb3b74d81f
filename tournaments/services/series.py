"""Series: plan events ahead, update them when the series changes, remove them when it is switched off.

An event belongs to one start of the rule (`Event.planned_at`). If the rule changes, the event of a start that is gone
moves to the nearest free start; what a director has changed in it stays. Settings reach an event until the first
entry, its start also afterwards. The row of the series is locked first, so two workers plan one after the other.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.domain.recurrence import BadRecurrenceRule, moved_rule
from tournaments.domain.wall_clock import past_start, shifted_by_wall_clock, wall_time_of
from tournaments.models import Event, Series
from tournaments.planning import edits
from tournaments.queries.conditions import hash_password
from tournaments.services import notices
from tournaments.services.common import calendar_changed, changed_on_calendar, locked_event, log_action
from tournaments.services.schedule import cancel_event, next_step_at, reopen_before_check_in, save_event

NEARBY_RANGES = (
    timedelta(days=1),
    timedelta(days=7),
)  # an event moves to another start within the first of these that has one
ONE_MICROSECOND = timedelta(microseconds=1)
SERIES_CHANGED = "Its series has changed."
START_GONE = "Its series no longer has a tournament at this time."
SERIES_SWITCHED_OFF = "Its series is turned off."
SERIES_DELETED = "Its series has ended."


@transaction.atomic
def save_series(series: Series, *, now: datetime) -> Series:
    """Stores a new or edited series; the clock plans its events at once."""
    series.due_at = now
    hash_password(series)
    series.save()
    return series


@transaction.atomic
def repeat_event(series: Series, event: Event, *, now: datetime) -> Series:
    """Stores a series that repeats an event, which becomes one of its own if it is still to come at one of its starts.

    event: one that the series may take over, directed by the same person.
    """
    save_series(series, now=now)
    stored = locked_event(event.pk)
    if stored.is_before_start and stored.series_id is None and _is_start(series, stored.starts_at):
        stored.series, stored.planned_at = series, stored.starts_at
        stored.save(update_fields=["series", "planned_at"])
        changed_on_calendar(stored)
    return series


def take_settings_of(series: Series, event: Event, *, now: datetime) -> Series:
    """Stores a series with the settings of an event, for all of its events that no one has entered."""
    for name, value in event.setting_values().items():
        setattr(series, name, value)
    return save_series(series, now=now)


@transaction.atomic
def move_following(*, event_id: int, starts_at: datetime, by: User, why: str = "", now: datetime) -> Series:
    """Moves an event of a series to another start, and those after it with it; earlier ones stay where they are.

    :raises EventError: the event is not one to come of a series, or the series can't be moved so.
    """
    series_id = Event.objects.values_list("series", flat=True).get(pk=event_id)
    series: Series | None = Series.objects.select_for_update().filter(pk=series_id).first()
    planned = _planned(series, now) if series else []
    event = next((one for one in planned if one.pk == event_id), None)
    if series is None or event is None:
        raise EventError("Only a coming tournament of a series can be moved with those that follow.")
    if reason := past_start(starts_at, series.time_zone, now=now):
        raise EventError(reason)
    old, was = event.starts_at, _planned_at(event)
    if abs(starts_at - old) > NEARBY_RANGES[-1]:
        raise EventError("Choose a start at most a week before or after the old one.")
    days = [wall_time_of(at, series.time_zone).date() for at in (was, starts_at)]
    try:
        series.rrule = moved_rule(series.rrule, *days)
    except BadRecurrenceRule as error:
        raise EventError(str(error)) from error
    series.first_start_at = starts_at
    series.skipped = [day for day in series.skipped if day != str(days[1])]
    if not _is_start(series, starts_at):
        raise EventError("The rule of this series has no tournament on that day. Change the rule on its page.")
    zone = series.time_zone
    shift = wall_time_of(starts_at, zone) - wall_time_of(was, zone)
    moved = {event.pk: starts_at}
    for other in planned:
        if _planned_at(other) < was:
            other.planned_at = None  # the series leaves it alone from now on
            other.save(update_fields=["planned_at"])
        elif other != event:
            moved[other.pk] = shifted_by_wall_clock(_planned_at(other), shift, zone)
    Event.objects.filter(pk=event.pk).update(planned_at=old)  # its own start moves, too
    log_action(event, "Moved this tournament and all that follow in its series.", by=by, why=why)
    save_series(series, now=now)
    _plan_again(series, moved, now)
    return series


@transaction.atomic
def delete_series(*, series_id: int, now: datetime) -> None:
    """Deletes a series. Past events stay; coming ones are removed as if it was switched off."""
    series = Series.objects.select_for_update().get(pk=series_id)
    for event in _planned(series, now):
        _drop(event, SERIES_DELETED)
    series.delete()


@transaction.atomic
def plan_series(*, series_id: int, now: datetime) -> list[Event]:
    """Updates planned events and creates the next ones; runs again when the first has started."""
    series = Series.objects.select_for_update().filter(pk=series_id).first()
    return _plan_again(series, {}, now) if series else []


def _plan_again(series: Series, moved: Mapping[int, datetime], now: datetime) -> list[Event]:
    """Plans a locked series. moved: new starts of its coming events, by event."""
    starts = series.next_starts(after=now) if series.is_active else []
    _fit_planned(series, moved, now)
    taken = set(_taken(series))
    new = [_plan(series, start, now) for start in starts if start not in taken]
    series.due_at = starts[0] if starts else None
    series.save(update_fields=["due_at"])
    return new


def _plan(series: Series, start: datetime, now: datetime) -> Event:
    times = {"planned_at": start, "starts_at": start, "time_zone": series.time_zone}
    event = Event(series=series, name=series.name, **times, **series.setting_values())
    return save_event(event, by=series.created_by, now=now)


def _planned(series: Series, now: datetime) -> list[Event]:
    """Its coming events, locked."""
    ahead = series.events.filter(status__in=Event.BEFORE_START, starts_at__gt=now).exclude(planned_at=None)
    return list(ahead.select_for_update().order_by("pk"))


def _taken(series: Series) -> Iterable[datetime | None]:
    return series.events.exclude(planned_at=None).values_list("planned_at", flat=True)


# What was planned before


def _fit_planned(series: Series, moved: Mapping[int, datetime], now: datetime) -> None:
    planned = _planned(series, now)
    if not series.is_active:
        for event in planned:
            _drop(event, SERIES_SWITCHED_OFF)
        return
    wanted = {event.pk: moved.get(event.pk, _planned_at(event)) for event in planned}
    kept = {pk: at for pk, at in wanted.items() if at <= now or _is_start(series, at)}
    lost = [event for event in planned if event.pk not in kept]
    starts = kept | _nearest(series, lost, wanted, {*_taken(series), *kept.values()})
    series.events.filter(pk__in=moved).update(planned_at=None)  # one may take the start that another leaves
    for event in planned:
        if event.pk in starts:
            _fit(event, series, starts[event.pk], now)
        else:
            _drop(event, START_GONE)


def _planned_at(event: Event) -> datetime:
    assert event.planned_at is not None, "only planned events follow their series"
    return event.planned_at


def _is_start(series: Series, at: datetime) -> bool:
    return series.starts_after(at - ONE_MICROSECOND, count=1) == [at]


def _nearest(
    series: Series, lost: Sequence[Event], wanted: Mapping[int, datetime], taken: Collection[datetime | None]
) -> dict[int, datetime]:
    """A free start for each event whose start is gone: events with entries choose first, then the nearest."""
    found: dict[int, datetime] = {}
    wishes = [
        (not event.entries.entered().exists(), abs(start - wanted[event.pk]), event.pk, start)
        for event in lost
        for start in _free_starts(series, wanted[event.pk], taken)
    ]
    for *_, event_id, start in sorted(wishes):
        if event_id not in found and start not in found.values():
            found[event_id] = start
    return found


def _free_starts(series: Series, at: datetime, taken: Collection[datetime | None]) -> list[datetime]:
    """Free starts near one that is gone; past ones, too, since an event keeps its day although the new hour is over."""
    for near in NEARBY_RANGES:
        if starts := [start for start in _starts_around(series, at, near) if start not in taken]:
            return starts
    return []


def _starts_around(series: Series, at: datetime, near: timedelta) -> Iterator[datetime]:
    start = at - near
    while (coming := series.starts_after(start, count=1)) and coming[0] < at + near:
        start = coming[0]
        yield start


def _fit(event: Event, series: Series, start: datetime, now: datetime) -> None:
    """Gives an event its start by the rule and, before the first entry, the settings of the series."""
    before, has_own_start = copy(event), event.starts_at != event.planned_at
    has_people = event.entries.entered().exists()
    event.planned_at = start
    if not has_people:
        _take_settings(event, series)
    if start > now and not has_own_start:
        event.starts_at = start
    found = edits.edit_changes(before, event)
    if not found:
        event.save(update_fields=["planned_at"])
        return
    reopen_before_check_in(event, now)
    event.due_at = next_step_at(event)
    event.save()
    for change in found:
        log_action(event, f"{change.words}.", why=SERIES_CHANGED)
    notices.notify_edited(event, [change.words for change in found])
    changed_on_calendar(event)


def _take_settings(event: Event, series: Series) -> None:
    """Copies the settings that no director has changed; none if they do not fit those that were changed."""
    wanted = {"name": series.name, "time_zone": series.time_zone, **series.setting_values()}
    before = {name: getattr(event, name) for name in wanted}
    for name in wanted.keys() - {*event.own_settings}:
        setattr(event, name, wanted[name])
    try:
        event.clean()
    except ValidationError:
        for name, value in before.items():
            setattr(event, name, value)


def _drop(event: Event, why: str) -> None:
    """Deletes an untouched event; cancels others, with a notice, and frees their start."""
    is_untouched = not (event.own_settings or event.entries.exists() or event.log.exclude(by=None).exists())
    if is_untouched:
        event.delete()
        calendar_changed()
        return
    Event.objects.filter(pk=event.pk).update(planned_at=None)
    cancel_event(event_id=event.pk, by=None, why=why)
