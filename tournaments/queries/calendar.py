"""Calendar queries: which events the calendar and the page of a series list."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from accounts.models import User
from tournaments.models import Badge, Entry, Event, Series
from tournaments.queries import conditions

EVENTS_LISTED = 12
MOST_SEARCHED = 60  # upcoming events, when only some of them are wanted
NAMED_UP_TO = 5  # fewer entries than this are named


@dataclass(frozen=True, slots=True)
class CalendarFilter:
    """The visitor's filter. game, format: a slug, "" for all. is_open: only what the visitor may enter."""

    game: str = ""
    format: str = ""
    is_open: bool = False

    def __bool__(self) -> bool:
        return bool(self.game or self.format or self.is_open)


@dataclass(frozen=True, slots=True)
class EventListing:
    """own: ids of the events that the visitor is in."""

    running: Sequence[Event]
    upcoming: Sequence[Event]
    finished: Sequence[Event]
    own: frozenset[int]


def calendar_listing(chosen: CalendarFilter, user: User | None) -> EventListing:
    """user: None for a visitor without a name."""
    events = Event.objects.with_counts()
    for name in ("game", "format"):
        if value := getattr(chosen, name):
            events = events.filter(**{name: value})
    own = _own(user)
    if not chosen.is_open:
        return _with_names(
            events.running()[:EVENTS_LISTED], events.upcoming()[:EVENTS_LISTED], events.finished()[:EVENTS_LISTED], own
        )
    free = events.upcoming().exclude(status=Event.Status.SCHEDULED).exclude(is_closed=True).exclude(pk__in=own)
    visitor = user or User(is_guest=True)
    upcoming = [event for event in free[:MOST_SEARCHED] if not conditions.unmet_conditions(event, visitor)]
    return _with_names([], upcoming[:EVENTS_LISTED], [], own)


def _own(user: User | None) -> frozenset[int]:
    if user is None:
        return frozenset()
    entries = Entry.objects.entered().of(user).filter(event__finished_at=None)
    return frozenset(entries.values_list("event_id", flat=True))


def _with_names(
    running: Iterable[Event], upcoming: Iterable[Event], finished: Iterable[Event], own: frozenset[int]
) -> EventListing:
    """Reads names of champions, and of entrants where there are only a few."""
    upcoming, finished = list(upcoming), list(finished)
    few = [event for event in upcoming if event.entry_count < NAMED_UP_TO]
    prefetch_related_objects(few, Prefetch("entries", Entry.objects.present().with_players()))
    prefetch_related_objects(finished, Prefetch("entries", champions(), to_attr="champions"))
    return EventListing(list(running), upcoming, finished, own)


def champions() -> QuerySet[Entry]:
    return Entry.objects.filter(status=Entry.Status.CHAMPION).with_players()


# A series


@dataclass(frozen=True, slots=True)
class HallOfFameRow:
    """A user in the hall of fame. places: how often first, second and third."""

    user: User
    places: tuple[int, int, int]


def hall_of_fame(series: Series) -> list[HallOfFameRow]:
    """The users with badges of a series: most first places first, then second and third ones."""
    badges = Badge.objects.filter(event__series=series).select_related("user")
    counts: dict[User, list[int]] = {}
    for badge in badges:
        counts.setdefault(badge.user, [0, 0, 0])[badge.place - 1] += 1
    best = sorted(counts.items(), key=lambda found: ([-count for count in found[1]], found[0].display_name))
    return [HallOfFameRow(user, (first, second, third)) for user, (first, second, third) in best[:EVENTS_LISTED]]


def series_listing(series: Series, user: User | None) -> EventListing:
    events = series.events.with_counts()
    return _with_names(
        events.running()[:EVENTS_LISTED],
        events.upcoming()[:EVENTS_LISTED],
        events.finished()[:EVENTS_LISTED],
        _own(user),
    )
