"""Season queries: which events count, and the table of their people."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter
from zoneinfo import ZoneInfo

from django.db.models import Q

from accounts.models import User
from tournaments.domain.season import Finish, SeasonEvent, SeasonResult, SeasonStanding, season_table
from tournaments.models import Entry, Event, Season
from tournaments.queries.attendance import entries_that_came


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A person of the table. cells: by event, None where they have no result."""

    user: User
    standing: SeasonStanding
    cells: tuple[SeasonResult | None, ...]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """events: those that are over, in the order in which they were played. coming: those that still count later."""

    events: tuple[Event, ...]
    coming: tuple[Event, ...]
    rows: tuple[SeasonRow, ...]


def table_of_season(season: Season) -> SeasonTable:
    events = events_of_season(season)
    over = tuple(event for event in events if event.is_finished)
    finishes = _finishes(over, with_bots=season.counts_bots)
    standings = season_table([SeasonEvent(event.pk, finishes[event.pk]) for event in over], season.rules)
    users = User.objects.in_bulk([standing.person for standing in standings])
    rows = []
    for standing in standings:
        results = {one.event: one for one in standing.results}
        rows.append(SeasonRow(users[standing.person], standing, tuple(results.get(event.pk) for event in over)))
    return SeasonTable(over, tuple(event for event in events if not event.is_finished), tuple(rows))


def events_of_season(season: Season) -> list[Event]:
    """By their start; without those that were cancelled."""
    chosen = Q(pk__in=season.events.values("pk"))
    found = Event.objects.filter(chosen | Q(series=season.series_id) if season.series_id else chosen)
    own = {*season.events.values_list("pk", flat=True)}
    events = found.exclude(status=Event.Status.CANCELLED).order_by("starts_at", "pk")
    return [event for event in events if event.pk in own or _is_within(season, _day_of(event))]


def seasons_of_event(event: Event) -> list[Season]:
    """The seasons that an event counts for."""
    if event.status == Event.Status.CANCELLED:
        return []
    own = [*Season.objects.filter(events=event)]
    of_series = Season.objects.filter(series=event.series_id) if event.series_id else ()
    day = _day_of(event)
    return own + [season for season in of_series if season not in own and _is_within(season, day)]


def _day_of(event: Event) -> date:
    """Where the event is organised; a clock that changes in between moves no event to another day."""
    return event.starts_at.astimezone(ZoneInfo(event.time_zone)).date()


def _is_within(season: Season, day: date) -> bool:
    first, last = season.first_day or day, season.last_day or day
    return first <= day <= last


def _finishes(events: Iterable[Event], *, with_bots: bool) -> dict[int, tuple[Finish, ...]]:
    """By event. Places are counted among those who have a result: who came or played, and was not disqualified.

    with_bots: bots count, those of the site and those of people.
    """
    found: dict[int, list[Entry]] = {event.pk: [] for event in events}
    entries = entries_that_came(events).filter(place__isnull=False)
    for entry in entries.exclude(status=Entry.Status.REMOVED).with_players().order_by("event", "place", "seed"):
        if with_bots or any(user.is_person for user in entry.players):
            found[entry.event_id].append(entry)
    return {pk: tuple(_ranked(of_event, with_bots)) for pk, of_event in found.items()}


def _ranked(entries: list[Entry], with_bots: bool) -> Iterable[Finish]:
    """entries: best first."""
    equals, better = Counter(entry.place for entry in entries), 0
    for place, group in groupby(entries, key=attrgetter("place")):
        for entry in group:
            people = (user.pk for user in entry.players if with_bots or user.is_person)
            yield Finish(tuple(people), better + 1, better + equals[place])
        better += equals[place]
