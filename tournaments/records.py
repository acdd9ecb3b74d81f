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


def of(event: Event) -> contract.Records:
    return contract.Records(
        entrants(event),
        matches(event),
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


def matches(event: Event) -> list[contract.Match]:
    rows = event.matches.select_related("round").prefetch_related("sides")
    return [match_record(match) for match in rows]


def match_record(match: Match) -> contract.Match:
    sides = list(match.sides.all())
    places = tuple(side.place for side in sides if side.place is not None)
    return contract.Match(
        contract.Spot(match.round.section, match.round.number, match.slot),
        tuple(side.entry_id for side in sides),
        places if len(places) == len(sides) else None,
        HOW.get(match.decided_by, "played"),
        tuple(Fraction(side.points) for side in sides),
        match.why_paired,
    )
