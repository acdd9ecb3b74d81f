"""What can be done with an event. The clock, the pages and the admin all come through here.

Whatever changes an event locks its row first, so an event takes one step at a time while others go on. The
steps of the clock claim it by a conditional update: whoever comes second changes nothing. Each step is one
transaction, so a crash leaves the state before it, and the tick finds the event again.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from cardsite.accounts.models import User
from games import live
from games import services as games
from games.bots import LEVELS
from games.models import HouseBot, Table
from tournaments import records
from tournaments.formats import best_of, contract, lots
from tournaments.models import Entry, Event, EventLog, Match, MatchGame, MatchSide, Round, Series

CALENDAR = "events"  # the channel of the page with all events
LOOK_AGAIN = timedelta(seconds=4)  # a claimed step that was lost is due again after this
TOO_LATE = timedelta(minutes=10)  # an event that the site slept through is cancelled


class EventError(ValueError):
    """Cannot be done now; the message is for the person who asked."""


# The calendar


@transaction.atomic
def save_series(series: Series, *, now: datetime) -> Series:
    """Stores a new or edited series; the clock plans its events at once."""
    series.due_at = now if series.is_active else None
    series.save()
    return series


@transaction.atomic
def plan_series(*, series_id: int, now: datetime) -> list[Event]:
    """Creates those of the next events that do not exist yet; looks again when the first has started."""
    series = Series.objects.select_for_update().get(pk=series_id)
    starts = series.next_starts(after=now) if series.is_active else []
    new = []
    for starts_at in starts:
        event = Event(series=series, name=series.name, starts_at=starts_at, **series.setting_values())
        if not Event.objects.filter(series=series, starts_at=starts_at).exists():
            new.append(save_event(event, by=None, now=now))
    series.due_at = starts[0] if starts else None
    series.save(update_fields=["due_at"])
    return new


@transaction.atomic
def save_event(event: Event, *, by: User | None, now: datetime) -> Event:
    """Stores a new event, or an edited one that has not started. :raises EventError:"""
    is_new = event.pk is None
    if is_new:
        event.created_by = by
    else:
        stored = _locked(event.pk)
        if not stored.is_before_start:
            raise EventError("This event has started; its settings stay as they are.")
        event.status, event.version = stored.status, stored.version
        if event.status == Event.Status.CHECK_IN and (event.check_in_at is None or event.check_in_at > now):
            event.status = Event.Status.REGISTRATION
    event.due_at = _next_due(event)
    event.save()
    _log(event, "Planned the event." if is_new else "Changed the settings.", by=by)
    return _changed_on_calendar(event)


@transaction.atomic
def cancel(*, event_id: int, by: User | None, why: str) -> Event:
    """Calls an event off. Games in play may be finished, but lead nowhere. :raises EventError:"""
    event = _locked(event_id)
    if not (event.is_before_start or event.is_running):
        raise EventError("This event is over already.")
    event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING)).update(
        status=Match.Status.CANCELLED
    )
    return _close(event, Event.Status.CANCELLED, "Cancelled the event.", by=by, why=why)


def _next_due(event: Event) -> datetime:
    """When the step that follows the event's status is to be taken."""
    if event.status == Event.Status.SCHEDULED:
        return event.registration_at
    if event.status == Event.Status.REGISTRATION and event.check_in_at:
        return event.check_in_at
    return event.starts_at


# Entries


@transaction.atomic
def enter(*, event_id: int, user: User) -> Entry:
    """Enters, or enters again. Whoever enters during check-in is checked in. :raises EventError:"""
    event = _locked(event_id)
    if not event.takes_entries:
        raise EventError("This event is not open for entries.")
    if event.entries.filter(user=user, status=Entry.Status.REMOVED).exists():
        raise EventError("A director has removed you from this event.")
    return _enter(event, user, by=user)


@transaction.atomic
def add_entry(*, event_id: int, user: User, by: User) -> Entry:
    """Enters somebody, also before registration opens. :raises EventError:"""
    event = _locked(event_id)
    if not event.is_before_start:
        raise EventError("This event has started; nobody can be added any more.")
    return _enter(event, user, by=by)


def _enter(event: Event, user: User, *, by: User | None) -> Entry:
    entry = event.entries.filter(user=user).first() or Entry(
        event=event, user=user, status=Entry.Status.WITHDRAWN
    )
    if not entry.is_absent:
        return entry
    if event.is_full():
        raise EventError("Every place is taken.")
    is_ready = user.is_bot or event.status == Event.Status.CHECK_IN
    entry.status = Entry.Status.CHECKED_IN if is_ready else Entry.Status.ENTERED
    entry.save()
    _log(event, f"{entry.name} entered.", by=by)
    _changed_on_calendar(event)
    return entry


@transaction.atomic
def check_in(*, event_id: int, user: User) -> Entry:
    """Says that an entry is here and will play. :raises EventError:"""
    event = _locked(event_id)
    entry = _entry_of(event, user)
    if event.status != Event.Status.CHECK_IN:
        raise EventError("Check-in is not open.")
    if event.entries.filter(pk=entry.pk, status=Entry.Status.ENTERED).update(status=Entry.Status.CHECKED_IN):
        _log(event, f"{entry.name} checked in.", by=user)
        _changed(event)
    entry.refresh_from_db()
    return entry


@transaction.atomic
def withdraw(*, event_id: int, user: User) -> Entry:
    """Leaves an event; in a running one the match is forfeited. :raises EventError:"""
    event = _locked(event_id)
    return _take_out(
        event, _entry_of(event, user), Entry.Status.WITHDRAWN, f"{user.display_name} withdrew.", by=user
    )


@transaction.atomic
def remove_entry(*, entry_id: int, by: User, why: str) -> Entry:
    """Takes somebody out, who then cannot enter again. :raises EventError:"""
    event = _locked(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = event.entries.select_related("user").get(pk=entry_id)
    return _take_out(event, entry, Entry.Status.REMOVED, f"Removed {entry.name}.", by=by, why=why)


def _entry_of(event: Event, user: User) -> Entry:
    entry = event.entries.present().filter(user=user).select_related("user").first()
    if entry is None:
        raise EventError("You are not entered in this event.")
    return entry


def _take_out(event: Event, entry: Entry, status: str, what: str, *, by: User, why: str = "") -> Entry:
    if not (event.is_before_start or event.is_running) or entry.place is not None:
        raise EventError("This event is over for this entry already.")
    entry.status = status
    entry.save(update_fields=["status"])
    _log(event, what, by=by, why=why)
    for match in _open_matches(event).filter(sides__entry=entry):
        _forfeit(match)
    if event.is_running:
        _go_on(event)
    _changed_on_calendar(event)
    return entry


# The steps of the clock


def claim_due_events(*, until: datetime) -> list[tuple[int, datetime]]:
    """Events with a step to take, and when. Each is claimed, so that the next tick leaves it alone."""
    return [
        (pk, due_at)
        for pk, due_at in Event.objects.due(until).order_by("due_at").values_list("pk", "due_at")
        if Event.objects.filter(pk=pk, due_at=due_at).update(due_at=until + LOOK_AGAIN)
    ]


def take_step(*, event_id: int, now: datetime) -> None:
    """Takes whatever steps are due; several where the site was not running in time."""
    for step in (open_registration, open_check_in, start, advance):
        step(event_id=event_id, now=now)


@transaction.atomic
def open_registration(*, event_id: int, now: datetime) -> None:
    event = Event.objects.get(pk=event_id)
    is_time = event.status == Event.Status.SCHEDULED and event.registration_at <= now
    if is_time and _claim(event, Event.Status.REGISTRATION):
        _log(event, "Registration opened.")
        _changed_on_calendar(event)


@transaction.atomic
def open_check_in(*, event_id: int, now: datetime) -> None:
    """Not in the minute of the start: whoever could not check in in time must not be left out for it."""
    event = Event.objects.get(pk=event_id)
    in_time = event.check_in_at is not None and event.check_in_at <= now < event.starts_at
    if in_time and event.status == Event.Status.REGISTRATION and _claim(event, Event.Status.CHECK_IN):
        _log(event, "Check-in opened.")
        _changed_on_calendar(event)


@transaction.atomic
def start(*, event_id: int, now: datetime) -> None:
    """Seeds whoever is here, gives free places to bots, pairs the first matches."""
    event = Event.objects.get(pk=event_id)
    had_check_in = event.status == Event.Status.CHECK_IN
    is_time = event.takes_entries and event.starts_at <= now
    if not is_time or not _claim(event, Event.Status.RUNNING):
        return
    if now - event.starts_at > TOO_LATE:
        why = "The site was not running when it should have started."
        _close(event, Event.Status.CANCELLED, "Cancelled the event.", by=None, why=why)
        return
    if had_check_in:
        absent = event.entries.filter(status=Entry.Status.ENTERED).update(status=Entry.Status.NO_SHOW)
        if absent:
            _log(event, f"{absent} did not check in.")
    _fill_with_bots(event)
    entries = list(event.entries.present().select_related("user"))
    if len(entries) < event.min_entries:
        why = f"Only {len(entries)} entered, and it takes {event.min_entries}."
        _close(event, Event.Status.CANCELLED, "Cancelled the event.", by=None, why=why)
        return
    _seed(event, entries)
    event.started_at = now
    event.save(update_fields=["started_at"])
    _log(event, f"Started with {len(entries)} entries.")
    _go_on(event)
    _changed_on_calendar(event)


@transaction.atomic
def advance(*, event_id: int, now: datetime) -> None:
    """Takes in the games that have ended and starts what follows from them."""
    event = _locked(event_id)
    if not event.is_running:
        return
    over = (Table.Status.FINISHED, Table.Status.ABORTED)
    for match in (
        event.matches.filter(status=Match.Status.PLAYING).distinct().filter(games__table__status__in=over)
    ):
        _settle(match)
    _go_on(event)


@transaction.atomic
def start_match(*, match_id: int, now: datetime) -> None:
    """Opens the table of the first game."""
    event = _locked(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    claim = event.matches.filter(pk=match_id, status=Match.Status.WAITING)
    if event.is_running and claim.update(status=Match.Status.PLAYING, started_at=now):
        _open_game(event.matches.get(pk=match_id), number=1)
        _changed(event)


def _claim(event: Event, status: str) -> bool:
    """Moves an event on to its next status, unless somebody else has moved it since it was read."""
    before, event.status = event.status, status
    claim = Event.objects.filter(pk=event.pk, status=before)
    if not claim.update(status=status, due_at=_next_due(event)):
        return False
    event.refresh_from_db()
    return True


def _fill_with_bots(event: Event) -> None:
    """Bots of the wanted level, then of the others where these are too few."""
    wanted = event.fill_to - event.entries.present().count()
    levels = sorted(LEVELS, key=lambda level: level != event.bot_level)
    free = HouseBot.objects.filter(game=event.game).exclude(user__entries__event=event).select_related("user")
    bots = [bot for level in levels for bot in free.filter(level=level).order_by("?")]
    for bot in bots[: max(wanted, 0)]:
        Entry.objects.create(event=event, user=bot.user, status=Entry.Status.CHECKED_IN)
    if wanted > 0:
        _log(event, f"{min(wanted, len(bots))} bots took free places.")


def _seed(event: Event, entries: Iterable[Entry]) -> None:
    """People before bots, each by lot, so that people meet late."""
    by_pk = {entry.pk: entry for entry in entries}
    drawn = [by_pk[pk] for pk in lots.drawn(event.lots, by_pk)]
    for seed, entry in enumerate(sorted(drawn, key=lambda entry: entry.user.is_bot), start=1):
        entry.seed, entry.status = seed, Entry.Status.PLAYING
    Entry.objects.bulk_update(by_pk.values(), ["seed", "status"])


def _go_on(event: Event) -> None:
    """Pairs what can be paired, ranks who is out, and ends the event once nothing is left."""
    known = records.of(event)
    while paired := event.plan.next_matches(known):
        for pairing in paired:
            _create_match(event, pairing)
        known = records.of(event)
    _rank(event, event.plan.standings(known))
    if event.plan.is_over(known):
        champion = event.entries.filter(status=Entry.Status.CHAMPION).first()
        what = f"Finished: {champion.name} is the champion." if champion else "Finished without a champion."
        _close(event, Event.Status.FINISHED, what, by=None)
        return
    event.due_at = timezone.now() + LOOK_AGAIN
    event.save(update_fields=["due_at"])
    for match_id in event.matches.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        _queue("start_match", match_id)


def _create_match(event: Event, pairing: contract.Match) -> None:
    spot = pairing.spot
    event_round, _ = Round.objects.get_or_create(event=event, section=spot.section, number=spot.round)
    match = Match.objects.create(event=event, round=event_round, slot=spot.slot)
    MatchSide.objects.bulk_create(
        MatchSide(match=match, number=number, entry_id=entry_id)
        for number, entry_id in enumerate(pairing.entrants)
    )
    if pairing.is_bye:
        _decide(match, (1,), Match.DecidedBy.BYE, "bye")
    elif match.sides.filter(entry__status__in=Entry.ABSENT).exists():
        _forfeit(match)


def _rank(event: Event, standings: Iterable[contract.Standing]) -> None:
    entries = event.entries.in_bulk([standing.entrant for standing in standings])
    for standing in standings:
        entry = entries[standing.entrant]
        if standing.place == entry.place and standing.last_place == entry.last_place:
            continue
        entry.place, entry.last_place = standing.place, standing.last_place
        if not entry.is_absent:
            entry.status = Entry.Status.CHAMPION if standing.place == 1 else Entry.Status.ELIMINATED
        entry.save(update_fields=["place", "last_place", "status"])


# Matches


def _open_game(match: Match, *, number: int) -> None:
    """Deals the next game of a match. The side that begins is drawn by lot for the first one."""
    event, sides = match.event, list(match.sides.select_related("entry__user"))
    first = lots.number(event.lots, f"{match.round} {match.slot}", len(sides))
    order = best_of.seat_order(number, len(sides), first=first)
    table = games.seat_and_start(
        game=event.game,
        players=[sides[side].entry.user for side in order],
        options=event.options,
        move_seconds=event.move_seconds,
        first_dealer=len(sides) - 1,
    )
    MatchGame.objects.create(match=match, number=number, table=table, first_side=order[0])


def _settle(match: Match) -> None:
    """Takes in the games of a match and decides it or starts its next game, unless one is being played."""
    rows = list(match.games.select_related("table"))
    if not rows or not rows[-1].table.is_over:
        return
    sides = list(match.sides.select_related("entry"))
    ended = [row for row in rows if row.table.result]
    played = [_game_record(row, len(sides)) for row in ended]
    for side, won, points in zip(
        sides, best_of.wins(played, len(sides)), best_of.points(played, len(sides)), strict=True
    ):
        side.games_won, side.points = won, points
    MatchSide.objects.bulk_update(sides, ["games_won", "points"])
    absent = _absent_side(rows[-1], len(sides))
    if absent is not None:
        places = tuple(2 if side == absent else 1 for side in range(len(sides)))
        _decide(
            match, places, Match.DecidedBy.FORFEIT, f"{sides[absent].entry.name} did not come to the table"
        )
        return
    seeds = [side.entry.seed for side in sides]
    decision = best_of.decide(played, best_of=match.event.best_of, seeds=seeds)
    if decision:
        _decide(match, decision.places, Match.DecidedBy.GAMES, decision.reason)
    else:
        _open_game(match, number=len(rows) + 1)
        _changed(match.event)


def _game_record(row: MatchGame, sides: int) -> best_of.Game:
    """The result of a table, from seats to sides."""
    order = [(row.first_side + seat) % sides for seat in range(sides)]
    seat_of = {side: seat for seat, side in enumerate(order)}
    places, scores = row.table.result["places"], row.table.result["scores"]
    return best_of.Game(
        tuple(places[seat_of[side]] for side in range(sides)),
        tuple(scores[seat_of[side]] for side in range(sides)),
    )


def _absent_side(row: MatchGame, sides: int) -> int | None:
    """The side that ran out of time without a single move: it never came."""
    if row.table.ended_by != Table.EndedBy.FLAG:
        return None
    loser = row.table.result["places"].index(2)
    if row.table.moves.filter(seat=loser, is_by_clock=False).exists():
        return None
    return (row.first_side + loser) % sides


def _open_matches(event: Event) -> Any:
    return event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING))


def _forfeit(match: Match) -> None:
    """Decides a match against every side that has left; their game at the table is given up."""
    sides = list(match.sides.select_related("entry__user"))
    places = tuple(2 if side.entry.is_absent else 1 for side in sides)
    gone = [side.entry for side in sides if side.entry.is_absent]
    _decide(
        match, places, Match.DecidedBy.FORFEIT, f"{' and '.join(entry.name for entry in gone)} left the event"
    )
    for row in match.games.filter(table__status=Table.Status.RUNNING):
        with suppress(games.TableError):  # it ended this very moment
            games.resign(table_id=row.table_id, user=gone[0].user)


def _decide(match: Match, places: tuple[int, ...], decided_by: str, reason: str) -> None:
    for side, place in zip(match.sides.all(), places, strict=True):
        side.place = place
        side.save(update_fields=["place"])
    match.status, match.decided_by, match.reason = Match.Status.FINISHED, decided_by, reason
    match.finished_at = timezone.now()
    match.save(update_fields=["status", "decided_by", "reason", "finished_at"])
    if decided_by != Match.DecidedBy.BYE:
        winner = next((side.entry.name for side in match.sides.all() if side.place == 1), "nobody")
        _log(match.event, f"{match}: {winner} won ({reason}).")
    _changed(match.event)


# What follows


def _locked(event_id: int) -> Event:
    """The event, locked until the transaction ends."""
    return Event.objects.select_for_update().get(pk=event_id)


def _close(event: Event, status: str, what: str, *, by: User | None, why: str = "") -> Event:
    event.status, event.due_at, event.finished_at = status, None, timezone.now()
    event.save(update_fields=["status", "due_at", "finished_at"])
    _log(event, what, by=by, why=why)
    return _changed_on_calendar(event)


def _log(event: Event, what: str, *, by: User | None = None, why: str = "") -> None:
    EventLog.objects.create(event=event, by=by, what=what, why=why)


def _changed(event: Event) -> Event:
    """Counts a change and tells everybody who watches the event, once it is stored."""
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    event.refresh_from_db(fields=["version"])
    transaction.on_commit(partial(live.announce, event.channel, event.version), robust=True)
    return event


def _changed_on_calendar(event: Event) -> Event:
    """As `_changed`, and tells those who look at the calendar."""
    transaction.on_commit(partial(live.announce, CALENDAR, live.moment()), robust=True)
    return _changed(event)


def _queue(task: str, pk: int) -> None:
    """By name, since the tasks import this module."""
    transaction.on_commit(current_app.signature(f"tournaments.tasks.{task}", [pk]).delay, robust=True)
