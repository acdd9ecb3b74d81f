"""The draw of an event: sections, rounds and matches with names, tables and results, and the standings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest

from django.urls import reverse

from tournaments.formats import contract
from tournaments.formats.duplicate import DuplicateTotal
from tournaments.formats.numbers import written
from tournaments.formats.swiss import UNWANTED_PAIR
from tournaments.models import Entry, Event, Match, MatchGame, MatchSide
from tournaments.presentation.match_box import BYE_DECISIONS, MatchBox, SideLine, SideResult, TableLink
from tournaments.presentation.names import with_entry_names
from tournaments.presentation.standings import (
    ResultsCrosstable,
    StandingRow,
    StandingsColumns,
    results_crosstable,
    standing_row,
    standings_columns,
)
from tournaments.presentation.team_boards import board_lines
from tournaments.queries import records
from tournaments.queries.duplicate import duplicate_totals
from tournaments.queries.group_draws import draws_groups

NOT_BY_SCORE = (*BYE_DECISIONS, Match.DecidedBy.FORFEIT)


@dataclass(frozen=True, slots=True)
class RoundColumn:
    """A round. leads_straight: in a tree, box k leads to box k of the next round, and not two boxes to one."""

    round: int
    title: str
    boxes: tuple[MatchBox, ...]
    leads_straight: bool = False

    @property
    def is_open(self) -> bool:
        return any(box.is_open for box in self.boxes)

    @property
    def is_paired(self) -> bool:
        return any(box.match for box in self.boxes)


@dataclass(frozen=True, slots=True)
class DrawSection:
    """crosstable: of a round robin, with its standings."""

    id: str
    title: str
    is_tree: bool
    columns: tuple[RoundColumn, ...]
    crosstable: ResultsCrosstable | None = None

    @property
    def now(self) -> RoundColumn:
        """The round in play; between two of them, and at the end, the last one."""
        paired = [column for column in self.columns if column.is_paired]
        return next((column for column in paired if column.is_open), paired[-1] if paired else self.columns[0])

    @property
    def is_over(self) -> bool:
        return all(box.match and box.match.is_over for column in self.columns for box in column.boxes)

    @property
    def progress(self) -> str:
        """Such as "Round 2 of 5", or "Semi-finals" in a tree."""
        counts = not self.is_tree and len(self.columns) > 1
        return f"{self.now.title} of {len(self.columns)}" if counts else self.now.title


class EventDraw:
    """Everything public about an event that has been seeded, read from the database once.

    ranking: the standings of the format, best first. Empty for an event without seeds.

    The event may change between two statements: what is referred to is read after what refers to it.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.known = records.records_of(event, is_public=True)
        seeded = event.entries.filter(seed__isnull=False)
        self.entries: dict[int, Entry] = seeded.with_players(teams=event.has_teams).in_bulk()
        self.names = {pk: entry.name for pk, entry in self.entries.items()}
        self._matches = _by_spot(event)
        self._sides = _sides_of(event)
        self._tables = _tables_of(event)
        self._boards = board_lines(event, self._tables)

    @cached_property
    def sections(self) -> tuple[DrawSection, ...]:
        shown = self.entries and not self.is_being_drawn
        return tuple(map(self._section, self.event.plan.draw(self.known))) if shown else ()

    @cached_property
    def ranking(self) -> tuple[contract.Standing, ...]:
        standings = self.event.plan.standings(self.known) if self.entries and not self.is_being_drawn else ()
        if self.is_without_places:
            standings = [replace(one, place=None, last_place=None, reason="no match was played") for one in standings]
        return tuple(standings)

    @property
    def is_without_places(self) -> bool:
        """Whether the event is over without a match that anyone played."""
        return self.event.is_finished and all(entry.place is None for entry in self.entries.values())

    @cached_property
    def is_being_drawn(self) -> bool:
        """Whether the groups are drawn on a page of their own, and nothing here may tell them before it."""
        return draws_groups(self.event) and not self.known.matches

    def rows(self, ranking: Iterable[contract.Standing]) -> list[StandingRow]:
        totals, substituted = self.duplicate_totals, self.substituted
        return [
            standing_row(
                standing,
                self.entries,
                self.names,
                totals.get(standing.entrant),
                substituted.get(standing.entrant, ""),
            )
            for standing in ranking
        ]

    @cached_property
    def duplicate_totals(self) -> dict[int, DuplicateTotal]:
        """By entry; {} where results are not compared."""
        return duplicate_totals(self.event)

    @property
    def columns(self) -> StandingsColumns:
        return standings_columns(self.event, self.ranking)

    @cached_property
    def substituted(self) -> dict[int, str]:
        """By entry that has a substitute: who played it before, in words."""
        rounds: dict[int, dict[str, list[int]]] = {}
        for spot, match in sorted(self._matches.items()):
            for side in self._sides.get(match.pk, ()):
                if side.played_by:
                    rounds.setdefault(side.entry_id, {}).setdefault(side.played_by, []).append(spot.round)
        return {
            pk: "; ".join(f"{name} played until round {numbers[-1]}" for name, numbers in before.items())
            for pk, before in rounds.items()
        }

    @cached_property
    def boxes(self) -> list[MatchBox]:
        """All that are drawn, and matches in play where the format draws only the latest ones."""
        drawn = [box for section in self.sections for column in section.columns for box in column.boxes]
        spots = {box.record.spot for box in drawn if box.record}
        left_out = [match for match in self.known.matches if match.places is None and match.spot not in spots]
        return drawn + [self._box(contract.Cell(match.spot, "Match", contract.sides_of(match))) for match in left_out]

    @cached_property
    def every_match(self) -> list[MatchBox]:
        """All that are paired, by rounds, also where the format draws only the latest ones."""
        drawn = {box.record.spot: box for box in self.boxes if box.record}
        return [
            drawn.get(match.spot) or self._box(contract.Cell(match.spot, "Match", contract.sides_of(match)))
            for match in sorted(self.known.matches, key=lambda match: match.spot)
        ]

    @property
    def live(self) -> list[MatchBox]:
        return [box for box in self.boxes if box.is_live]

    @property
    def decided(self) -> list[MatchBox]:
        """Matches that were played, or not because a player was missing; newest first."""
        over = [(box.match.finished_at, box) for box in self.boxes if box.match and box.match.finished_at]
        newest_first = sorted(over, key=lambda pair: pair[0], reverse=True)
        return [box for _, box in newest_first if not box.is_bye]

    @property
    def progress(self) -> str:
        """Such as "Round 2 of 5"; "" before the first match and where there are no rounds."""
        if not self.event.has_rounds:
            return ""
        going = [section for section in self.sections if any(column.is_open for column in section.columns)]
        return ", ".join(dict.fromkeys(section.progress for section in going or self.sections[-1:]))

    def _section(self, section: contract.Section) -> DrawSection:
        columns = tuple(
            RoundColumn(
                column.round,
                column.title,
                tuple(self._box(cell) for cell in column.cells),
                following is not None and len(column.cells) == len(following.cells),
            )
            for column, following in zip_longest(section.columns, section.columns[1:])
        )
        return DrawSection(section.id, section.title, section.is_tree, columns, self._crosstable(section, columns))

    def _crosstable(self, section: contract.Section, columns: Iterable[RoundColumn]) -> ResultsCrosstable | None:
        """Of a group, or of an event that is a round robin."""
        ranking = section.standings or (self.ranking if self.event.plan.all_play_all else ())
        boxes = [box for column in columns for box in column.boxes]
        return results_crosstable(self.rows(ranking), boxes, through=section.through) if ranking else None

    def _box(self, cell: contract.Cell) -> MatchBox:
        match, record = self._matches.get(cell.spot), self.known.by_spot.get(cell.spot)
        sides = tuple(self._sides.get(match.pk, ())) if match else ()
        scores = _scores(self.event, match, sides) if match else {}
        played_by = {side.entry_id: side.played_by for side in sides}
        places = dict(zip(record.entrants, record.places or (), strict=False)) if record and self.event.has_pods else {}
        anybody_has_won = any(side.has_won for side in cell.sides)
        lines = tuple(
            SideLine(
                self.entries[side.entrant],
                score=scores.get(side.entrant, ""),
                has_won=side.has_won if anybody_has_won else None,
                place=places.get(side.entrant),
                played_by=played_by.get(side.entrant, ""),
                came_from=side.came_from,
            )
            if side.entrant is not None
            else SideLine(None, side.text)
            for side in cell.sides
        )
        return MatchBox(
            cell.title,
            cell.spot.section,
            cell.spot.round,
            lines,
            match,
            sides,
            tuple(self._tables.get(match.pk, ())) if match else (),
            record,
            with_entry_names(self._public_why(record), self.names) if record else "",
            self._boards.get(match.pk, ()) if match else (),
            cell.is_bye,
        )

    def _public_why(self, record: contract.MatchRecord) -> str:
        """Why a pair meets, without what only directors may know."""
        return record.why.replace(UNWANTED_PAIR, "") if self.event.reasons_are_private else record.why


def draw_of(event: Event) -> EventDraw:
    return EventDraw(event)


# What it is read from: a large event has thousands of matches, so that whole rows of everything would take too long


def _by_spot(event: Event) -> dict[contract.Spot, Match]:
    matches = event.matches.between_entries().published().select_related("round")
    return {contract.Spot(match.round.section, match.round.number, match.slot): match for match in matches}


def _sides_of(event: Event) -> dict[int, list[SideResult]]:
    """By match, in their order."""
    found: dict[int, list[SideResult]] = {}
    sides = MatchSide.objects.filter(match__event=event, match__parent=None)
    rows = sides.order_by("match_id", "number").values_list(
        "pk", "match_id", "entry_id", "place", "games_won", "points", "compared", "board_points", "player_id"
    )
    substituted = [pk for pk, *_, player_id in rows if player_id]
    names = _names_of_sides(substituted) if substituted else {}
    for pk, match_id, entry_id, place, won, points, compared, board_points, _ in rows:
        side = SideResult(entry_id, place, won, points, compared, names.get(pk, ""), board_points)
        found.setdefault(match_id, []).append(side)
    return found


def _names_of_sides(ids: Iterable[int]) -> dict[int, str]:
    return {
        side.pk: side.name for side in MatchSide.objects.filter(pk__in=ids).select_related("match", "player", "partner")
    }


def _tables_of(event: Event) -> dict[int, list[TableLink]]:
    """By match, in the order of its games."""
    found: dict[int, list[TableLink]] = {}
    rows = MatchGame.objects.filter(match__event=event).order_by("match_id", "number")
    columns = ("match_id", "table__code", "table__is_hidden", "match__round_id", "deal")
    are_shared = event.dealing == Event.Dealing.SAME
    for match_id, code, is_hidden, round_id, deal in rows.values_list(*columns):
        shared = reverse("tournaments:traveller", args=[event.pk, round_id, deal]) if are_shared and deal else ""
        found.setdefault(match_id, []).append(TableLink(code, is_hidden, deal, shared))
    return found


def _scores(event: Event, match: Match, sides: Sequence[SideResult]) -> dict[int, str]:
    """By entry: games won, or points where there is one game or where the points decide; {} where neither did."""
    by_games = event.match_games > 1 and event.match_rule != Event.MatchRule.POINTS
    if any(side.board_points is not None for side in sides):
        return {side.entry_id: written(Fraction(side.board_points or 0)) for side in sides}
    if match.decided_by in NOT_BY_SCORE or event.has_teams or not (match.is_over or by_games):
        return {}
    if match.decided_by == Match.DecidedBy.DIRECTOR and not any(side.games_won or side.points for side in sides):
        return {}
    return {side.entry_id: _score(side, by_games=by_games) for side in sides}


def _score(side: SideResult, *, by_games: bool) -> str:
    if side.compared is not None:
        return written(Fraction(side.compared))
    return str(side.games_won if by_games else side.points)
