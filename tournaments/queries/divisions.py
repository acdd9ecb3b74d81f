"""Division queries: the stages of a league, and who would play where next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeAlias

from django.db.models import Count, F, QuerySet

from accounts.models import User
from tournaments.domain.divisions import DivisionPlayer, Move, move_between, next_divisions
from tournaments.domain.errors import EventError
from tournaments.models import Division, DivisionLeague, Entry, Event
from tournaments.queries.attendance import entries_that_missed_all
from tournaments.queries.records import records_of

DivisionTable: TypeAlias = tuple[Division, list[tuple[Entry, Move]]]
"""A division of a stage, and its entries, best first, with how they came there."""


@dataclass(frozen=True, slots=True)
class DivisionLine:
    """A player of a division. move: how they came there or, once it is over, where they go.

    has_missed_all: came to no match of the last stage.
    """

    user: User
    move: Move
    has_missed_all: bool = False


@dataclass(frozen=True, slots=True)
class PlannedDivision:
    """A division of the coming stage, in the order of its seeds. level: from 1."""

    level: int
    lines: tuple[DivisionLine, ...]


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A league in a list. divisions: of its latest stage, () before the first one. players: in all of these."""

    league: DivisionLeague
    divisions: tuple[Division, ...]
    players: int

    @property
    def stage(self) -> int | None:
        return self.divisions[0].stage if self.divisions else None

    @property
    def has_ended(self) -> bool:
        """Whether every division of the latest stage is over."""
        return bool(self.divisions) and all(is_over(division.event) for division in self.divisions)

    @property
    def ended_at(self) -> datetime | None:
        """When the last division was over; None before the first one is."""
        return max((one.event.finished_at for one in self.divisions if one.event.finished_at), default=None)


def league_lines() -> list[LeagueLine]:
    """Every league by name, with the divisions of its latest stage."""
    latest: dict[int, list[Division]] = {}
    for row in Division.objects.select_related("event").order_by("league", "-stage", "level"):
        divisions = latest.setdefault(row.league_id, [])
        if not divisions or divisions[0].stage == row.stage:
            divisions.append(row)
    in_play = Entry.objects.exclude(status__in=Entry.IN_LINE).filter(event__division__isnull=False)
    players = dict(in_play.values_list("event").annotate(Count("pk")))
    return [
        LeagueLine(league, tuple(rows), sum(players.get(row.event_id, 0) for row in rows))
        for league in DivisionLeague.objects.all()
        for rows in [latest.get(league.pk, [])]
    ]


def stages_of(league: DivisionLeague) -> list[tuple[int, list[Division]]]:
    """Stage numbers with their divisions, the newest first."""
    found = Division.objects.filter(league=league).select_related("event")
    return [(stage, list(divisions)) for stage, divisions in groupby(found, key=lambda one: one.stage)]


def stages_with_players(league: DivisionLeague) -> list[tuple[int, list[DivisionTable]]]:
    """Stage numbers with their divisions and players, the newest first."""
    ranked = [
        (stage, [(division, ranked_entries(division.event)) for division in divisions])
        for stage, divisions in stages_of(league)
    ]
    levels = [
        {entry.user_id: division.level for division, entries in divisions for entry in entries}
        for _stage, divisions in ranked
    ]
    before = [*levels[1:], *levels[-1:]]  # in the first stage no one has moved
    return [
        (stage, [_division_table(division, entries, last) for division, entries in divisions])
        for (stage, divisions), last in zip(ranked, before, strict=True)
    ]


def _division_table(division: Division, entries: Sequence[Entry], before: Mapping[int, int]) -> DivisionTable:
    return division, [(entry, move_between(before.get(entry.user_id), division.level)) for entry in entries]


def division_of_event(event: Event) -> Division | None:
    """The division that the event is, with its league; None where it is none."""
    return Division.objects.filter(event=event).select_related("league").first()


def latest_stage(league: DivisionLeague) -> list[Division]:
    """Its divisions, the highest first; [] before the first stage."""
    stages = stages_of(league)
    return stages[0][1] if stages else []


def is_over(event: Event) -> bool:
    """Finished or cancelled."""
    return not (event.is_before_start or event.is_running)


def ranked_entries(event: Event) -> list[Entry]:
    """Best first: as they stand while the division is played, and by their seeds before."""
    entries = event.entries.with_players()
    if event.is_running:
        standings = event.plan.standings(records_of(event, is_public=True))
        found = entries.in_bulk([standing.entrant for standing in standings])
        return [found[standing.entrant] for standing in standings]
    order = [F(name).asc(nulls_last=True) for name in ("place", "seed", "wanted_seed")]
    return list(entries.exclude(status__in=Entry.IN_LINE).order_by(*order, "pk"))


def players_who_missed_all(league: DivisionLeague) -> QuerySet[User]:
    """Those who came to no match of the latest stage and are still in it, by name."""
    events = [division.event for division in latest_stage(league)]
    entries = entries_that_missed_all(events).exclude(status__in=Entry.ABSENT)
    return User.objects.filter(pk__in=entries.values("user"), is_active=True).order_by("username")


def plan_next_stage(
    league: DivisionLeague, newcomers: Sequence[User], left_out: Collection[User] = ()
) -> list[PlannedDivision]:
    """left_out: players of the last stage who count as having left.

    :raises EventError: a division isn't over yet, or there is nobody to play.
    """
    divisions = latest_stage(league)
    for division in divisions:
        if not is_over(division.event):
            raise EventError(f"Division {division.level} isn't over yet.")
    ranked = [ranked_entries(division.event) for division in divisions]
    tables = [
        [
            DivisionPlayer(one.user_id, one.is_absent or not one.user.is_active or one.user in left_out)
            for one in entries
        ]
        for entries in ranked
    ]
    users = {entry.user_id: entry.user for entries in ranked for entry in entries}
    present = {one.person for table in tables for one in table if not one.has_left}
    for user in newcomers:
        if user.pk in present:
            raise EventError(f"{user} is in a division already.")
    plan = next_divisions(tables, [user.pk for user in newcomers], league.rules)
    users |= {user.pk: user for user in newcomers}
    if len(plan[-1]) < 2:
        raise EventError("There are too few players.")
    missing = {user.pk for user in players_who_missed_all(league)}
    return [
        PlannedDivision(
            level, tuple(DivisionLine(users[one.person], one.move, one.person in missing) for one in division)
        )
        for level, division in enumerate(plan, start=1)
    ]
