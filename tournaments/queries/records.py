"""Records: rows as the records that formats work with."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from tournaments.formats import contract
from tournaments.formats.team_match import TeamPoints
from tournaments.models import Entry, Event, Match, MatchSide

HOW_DECIDED: dict[str, contract.How] = {
    Match.DecidedBy.FORFEIT: "forfeit",
    Match.DecidedBy.BYE: "bye",
    Match.DecidedBy.HALF_BYE: "half-bye",
    Match.DecidedBy.ZERO_BYE: "zero-bye",
    Match.DecidedBy.ANNULLED: "annulled",
}
DECIDED_BY = {how: decided_by for decided_by, how in HOW_DECIDED.items()}


def records_of(event: Event, *, is_public: bool = False) -> contract.Records:
    """is_public: without the matches that are not published yet.

    Entrants are read after the matches, which may refer to one that has just come.
    """
    matches = match_records_of(event, is_public=is_public)
    return contract.Records(
        entrants_of(event),
        matches,
        forbidden=frozenset(frozenset(pair) for pair in event.forbidden_pairs.values_list("first_id", "second_id")),
        lots=event.lots,
        is_closed=event.is_time_up,
        draw_worth=(event.team_points.draw,) if event.team_points else (),
    )


def entrants_of(event: Event) -> list[contract.Entrant]:
    """All entries with a seed, also those that have left."""
    rows = event.entries.filter(seed__isnull=False).order_by("seed")
    columns = ("pk", "seed", "first_round", "status", "sits_out", "has_come")
    return [
        contract.Entrant(pk, seed, first_round, status not in Entry.ABSENT, sits_out, has_come)
        for pk, seed, first_round, status, sits_out, has_come in rows.values_list(*columns)
    ]


def match_records_of(event: Event, *, is_public: bool = False) -> list[contract.MatchRecord]:
    """All matches between entries, read side by side: an event needs all of them after each result."""
    sides = MatchSide.objects.filter(match__event=event, match__parent=None).order_by("match_id", "number")
    if is_public:
        sides = sides.exclude(match__status=Match.Status.PROPOSED)
    sign = -1 if event.fewer_is_better else 1
    rows = sides.values_list(
        "match_id", "match__round__section", "match__round__number", "match__slot", "match__decided_by",
        "match__why_paired", "entry_id", "place", "points", "compared", "board_points", named=True,
    )  # fmt: skip
    found = (
        (_record(group := list(of_match), sign), group) for _, of_match in groupby(rows, key=attrgetter("match_id"))
    )
    team_points = event.team_points
    if team_points is None:
        return [record for record, _ in found]
    return [with_worth(team_points, record, [side.board_points for side in group]) for record, group in found]


def with_worth(
    team_points: TeamPoints, record: contract.MatchRecord, board_points: Iterable[Decimal | Fraction | None]
) -> contract.MatchRecord:
    """A match of teams with what it gives, once it is decided. board_points: by side."""
    if record.places is None:
        return record
    own = [None if points is None else Fraction(points) for points in board_points]
    score = team_points.score(record.places, record.how, own)
    return replace(record, points=score, worth=team_points.worth(record.places, record.how, score))


def _record(sides: Sequence[Any], sign: int) -> contract.MatchRecord:
    """sign: -1 for a game whose points are penalties, since in records more is better."""
    first, places = sides[0], tuple(side.place for side in sides)
    return contract.MatchRecord(
        contract.Spot(first.match__round__section, first.match__round__number, first.match__slot),
        tuple(side.entry_id for side in sides),
        None if None in places else places,
        HOW_DECIDED.get(first.match__decided_by, "played"),
        tuple(Fraction(sign * side.points if side.compared is None else side.compared) for side in sides),
        first.match__why_paired,
    )


def spot_of(match: Match) -> contract.Spot:
    return contract.Spot(match.round.section, match.round.number, match.slot)
