"""Rows as the records that formats work with."""

from fractions import Fraction

from tournaments.formats import contract
from tournaments.models import Event, Match

HOW: dict[str, contract.How] = {
    Match.DecidedBy.FORFEIT: "forfeit",
    Match.DecidedBy.BYE: "bye",
    Match.DecidedBy.HALF_BYE: "half-bye",
    Match.DecidedBy.ZERO_BYE: "zero-bye",
    Match.DecidedBy.ANNULLED: "annulled",
}
DECIDED_BY = {how: decided_by for decided_by, how in HOW.items()}


def of(event: Event, *, is_public: bool = False) -> contract.Records:
    """is_public: without the matches that are not published yet."""
    return contract.Records(
        entrants(event),
        matches(event, is_public=is_public),
        forbidden=frozenset(
            frozenset(pair) for pair in event.forbidden_pairs.values_list("first_id", "second_id")
        ),
        lots=event.lots,
        is_closed=event.is_time_up,
    )


def entrants(event: Event) -> list[contract.Entrant]:
    """Everybody who was seeded, also those who have left since."""
    rows = event.entries.filter(seed__isnull=False).order_by("seed")
    return [contract.Entrant(row.pk, row.seed, row.first_round, not row.is_absent) for row in rows]


def matches(event: Event, *, is_public: bool = False) -> list[contract.Match]:
    rows = event.matches.select_related("round").prefetch_related("sides")
    sign = -1 if event.fewer_is_better else 1
    return [match_record(match, sign) for match in (rows.published() if is_public else rows)]


def match_record(match: Match, sign: int) -> contract.Match:
    """sign: -1 for a game whose points are penalties, since in records more is better."""
    sides = list(match.sides.all())
    places = tuple(side.place for side in sides if side.place is not None)
    return contract.Match(
        spot(match),
        tuple(side.entry_id for side in sides),
        places if len(places) == len(sides) else None,
        HOW.get(match.decided_by, "played"),
        tuple(sign * Fraction(side.points) if side.compared is None else Fraction(side.compared) for side in sides),
        match.why_paired,
    )


def spot(match: Match) -> contract.Spot:
    return contract.Spot(match.round.section, match.round.number, match.slot)
