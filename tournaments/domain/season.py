"""Season tables: the results of several events as one table of people.

The rulings: a shared place gives each of those who share it the mean of the points of these places, as partners and
losers of the same round of a knock-out do. Players who have no place in an event, or never came, have no result in it.
Of the results only the best `best` count; of equal ones those of earlier events are dropped first. The attendance bonus
is for every event that a player came to, also for those whose result is dropped.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class SeasonTieBreak:
    """name: as a director chooses it. than: in a sentence, "ahead of ... by"."""

    name: str
    than: str


TIE_BREAKS: dict[str, SeasonTieBreak] = {
    "places": SeasonTieBreak("most first places, then second places and so on", "better places"),
    "all": SeasonTieBreak("points of all tournaments, dropped results too", "points with dropped results"),
    "best": SeasonTieBreak("best single result", "the best single result"),
    "events": SeasonTieBreak("most tournaments played", "more tournaments played"),
    "latest": SeasonTieBreak("better result in the latest tournament", "the latest tournament"),
}
SCALES = {
    "10-7-5-4-3-2-1": (10, 7, 5, 4, 3, 2, 1),
    "25-18-15-12-10-8-6-4-2-1": (25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
    "3-2-1": (3, 2, 1),
}
"""Points by place that seasons often use, by their name."""

USUAL_TIE_BREAKS = ("places", "all", "latest")


@dataclass(frozen=True, slots=True)
class Finish:
    """A place in an event. people: the player, or both partners. last_place: the last of the shared places."""

    people: tuple[int, ...]
    place: int
    last_place: int


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    id: int
    finishes: tuple[Finish, ...]


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """How places become points.

    place_points: for the first place, the second, ...; () gives a point for each player beaten, and half for one who
    shares the place. best: how many results count, None: all. attendance: bonus for each event.
    tie_breaks: codes of `TIE_BREAKS`, in their order.
    """

    place_points: tuple[int, ...] = ()
    best: int | None = None
    attendance: int = 0
    tie_breaks: tuple[str, ...] = USUAL_TIE_BREAKS

    def points(self, finish: Finish, finishers: int) -> Fraction:
        """finishers: how many have a place in the event, a pair counting as one."""
        places = range(finish.place, finish.last_place + 1)
        return sum((self._points_of(place, finishers) for place in places), Fraction()) / len(places)

    def _points_of(self, place: int, finishers: int) -> Fraction:
        if not self.place_points:
            return Fraction(finishers - place)
        return Fraction(self.place_points[place - 1] if place <= len(self.place_points) else 0)


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """A person's result in an event. points: without the attendance bonus."""

    event: int
    place: int
    last_place: int
    points: Fraction
    is_dropped: bool = False


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A row of the table. place: 1 is first, shared by equals. reason: why behind the row
    above, "" for the first."""

    person: int
    place: int
    last_place: int
    points: Fraction
    bonus: int
    results: tuple[SeasonResult, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    """A person before the table is sorted."""

    person: int
    points: Fraction
    bonus: int
    results: tuple[SeasonResult, ...]


def season_table(events: Sequence[SeasonEvent], rules: SeasonRules) -> list[SeasonStanding]:
    """Everyone with a result, best first. events: in the order in which they were played."""
    results: dict[int, list[SeasonResult]] = defaultdict(list)
    for event in events:
        for finish in event.finishes:
            points = rules.points(finish, len(event.finishes))
            for person in finish.people:
                results[person].append(SeasonResult(event.id, finish.place, finish.last_place, points))
    latest = events[-1].id if events else 0
    rows = [_row(person, own, rules) for person, own in results.items()]
    keyed = sorted(((_key(row, rules, latest), row) for row in rows), key=lambda pair: pair[1].person)
    keyed.sort(key=lambda pair: pair[0], reverse=True)
    keys = [key for key, _ in keyed]
    return [
        SeasonStanding(
            row.person,
            1 + keys.index(key),
            keys.index(key) + keys.count(key),
            row.points,
            row.bonus,
            row.results,
            _reason(keyed[at - 1][0], key, rules) if at else "",
        )
        for at, (key, row) in enumerate(keyed)
    ]


def _row(person: int, results: Sequence[SeasonResult], rules: SeasonRules) -> _Row:
    """With the worst results marked, and the others added up."""
    order = sorted(range(len(results)), key=lambda at: (results[at].points, at), reverse=True)
    kept = set(order[: rules.best])
    marked = tuple(replace(one, is_dropped=at not in kept) for at, one in enumerate(results))
    bonus = rules.attendance * len(results)
    return _Row(person, sum((one.points for one in marked if not one.is_dropped), Fraction(bonus)), bonus, marked)


Key: TypeAlias = "tuple[Fraction | tuple[int, ...], ...]"


def _key(row: _Row, rules: SeasonRules, latest: int) -> Key:
    """The points and the tie-breaks, more is better."""
    figures: dict[str, Fraction | tuple[int, ...]] = {
        "places": _count_back(row.results),
        "all": sum((one.points for one in row.results), Fraction()),
        "best": max(one.points for one in row.results),
        "events": Fraction(len(row.results)),
        "latest": next((one.points for one in row.results if one.event == latest), Fraction(-1)),
    }
    return (row.points, *(figures[code] for code in rules.tie_breaks))


def _count_back(results: Sequence[SeasonResult]) -> tuple[int, ...]:
    """How often first, second, ...; a shared place counts as the last one of those shared."""
    counts = Counter(one.last_place for one in results)
    return tuple(counts[place] for place in range(1, max(counts) + 1))


def _reason(above: Key, own: Key, rules: SeasonRules) -> str:
    """Why a row is behind the one above."""
    if above == own:
        return "level with the player above"
    at = next(at for at, (one, other) in enumerate(zip(above, own, strict=True)) if one != other)
    return f"level on points, behind by {TIE_BREAKS[rules.tie_breaks[at - 1]].than}" if at else "fewer points"
