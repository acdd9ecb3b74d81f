"""Rows as the records that formats work with."""

from tournaments.formats import contract
from tournaments.models import Event, Match


def of(event: Event) -> contract.Records:
    return contract.Records(entrants(event), matches(event), lots=event.lots)


def entrants(event: Event) -> list[contract.Entrant]:
    """Everybody who was seeded at the start, also those who have left since."""
    rows = event.entries.filter(seed__isnull=False).order_by("seed").values_list("pk", "seed")
    return [contract.Entrant(pk, seed) for pk, seed in rows]


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
    )
