"""Records: rows as the records that formats work with."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from tournaments.formats import contract
from tournaments.models import Event, Match, MatchSide

HOW_DECIDED: dict[str, contract.How] = {
    Match.DecidedBy.FORFEIT: "forfeit",
    Match.DecidedBy.BYE: "bye",
    Match.DecidedBy.HALF_BYE: "half-bye",
    Match.DecidedBy.ZERO_BYE: "zero-bye",
    Match.DecidedBy.ANNULLED: "annulled",
}
DECIDED_BY = {how: decided_by for decided_by, how in HOW_DECIDED.items()}


def records_of(event: Event, *, is_public: bool = False) -> contract.Records:
    """is_public: without the matches that are not published yet."""
    return contract.Records(
        entrants_of(event),
        match_records_of(event, is_public=is_public),
        forbidden=frozenset(frozenset(pair) for pair in event.forbidden_pairs.values_list("first_id", "second_id")),
        lots=event.lots,
        is_closed=event.is_time_up,
    )


def entrants_of(event: Event) -> list[contract.Entrant]:
    """All entries with a seed, also those that have left."""
    rows = event.entries.filter(seed__isnull=False).order_by("seed")
    return [
        contract.Entrant(row.pk, row.known_seed, row.first_round, not row.is_absent, row.sits_out, row.has_come)
        for row in rows
    ]


def match_records_of(event: Event, *, is_public: bool = False) -> list[contract.MatchRecord]:
    """All matches, read side by side: an event needs all of them after each result."""
    sides = MatchSide.objects.filter(match__event=event).order_by("match_id", "number")
    if is_public:
        sides = sides.exclude(match__status=Match.Status.PROPOSED)
    sign = -1 if event.fewer_is_better else 1
    rows = sides.values_list(
        "match_id", "match__round__section", "match__round__number", "match__slot", "match__decided_by",
        "match__why_paired", "entry_id", "place", "points", "compared", named=True,
    )  # fmt: skip
    return [_record(list(of_match), sign) for _, of_match in groupby(rows, key=attrgetter("match_id"))]


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
