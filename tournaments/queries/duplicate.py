"""Duplicate rounds: which are over, and the boards of their tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Prefetch, Q, QuerySet

from games.models import Table
from tournaments.formats.duplicate import (
    DIFFERENCES,
    MATCHPOINTS,
    DuplicateBoard,
    DuplicateField,
    DuplicateTotal,
    Traveller,
)
from tournaments.models import Event, Match, MatchGame, MatchSide, Round


def board_of(row: MatchGame, match: Match) -> DuplicateBoard:
    """A finished game as a board. match: with its sides prefetched."""
    sides, of_seat, table = list(match.sides.all()), row.side_of_seat, row.table
    merits = table.rules.merits(table.options, table.result["scores"])
    entrants = tuple(sides[of_seat[seat]].entry_id for seat in range(table.seat_count))
    assert row.deal is not None, "deals are numbered where tables share them"
    return DuplicateBoard(row.deal, entrants, tuple(map(Fraction, merits)), row.pk)


def closed_rounds(event: Event) -> QuerySet[Round]:
    """Rounds of shared deals of which no deal is still played or hidden at any table."""
    if event.dealing != Event.Dealing.SAME:
        return event.rounds.none()
    is_open = Q(status__in=Match.OPEN) | Q(games__table__is_hidden=True) | Q(games__table__status=Table.Status.RUNNING)
    with_games = event.rounds.filter(matches__games__isnull=False).distinct()
    return with_games.exclude(pk__in=event.matches.filter(is_open).values("round"))


def comparison_of(event: Event) -> str:
    """How the results of a deal are compared; by matchpoints where they decide nothing."""
    return DIFFERENCES if event.compared_by == Event.ComparedBy.DIFFERENCES else MATCHPOINTS


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """A round with all its boards. games: by id, as in the boards."""

    round: Round
    field: DuplicateField
    games: dict[int, MatchGame]

    def travellers(self, event: Event) -> list[Traveller]:
        return self.field.travellers(comparison_of(event))


def read_closed_rounds(event: Event, rounds: Iterable[Round]) -> list[ClosedRound]:
    """rounds: of `closed_rounds`."""
    rounds = list(rounds)
    was_compared = MatchSide.objects.filter(match__event=event, compared__isnull=False)
    by_comparison = Q(match__decided_by=Match.DecidedBy.GAMES) | Q(match__in=was_compared.values("match"))
    counts = by_comparison if event.is_compared else Q(table__ended_by=Table.EndedBy.RULES)
    rows = MatchGame.objects.filter(counts, match__round__in=rounds)
    sides = Prefetch("match__sides", MatchSide.objects.order_by("number"))
    found: dict[int, list[MatchGame]] = {one.pk: [] for one in rounds}
    for row in rows.select_related("table", "match").prefetch_related(sides).order_by("match__slot", "number"):
        found[row.match.round_id].append(row)
    return [
        ClosedRound(
            one,
            DuplicateField(board_of(row, row.match) for row in found[one.pk]),
            {row.pk: row for row in found[one.pk]},
        )
        for one in rounds
    ]


def duplicate_totals(event: Event) -> dict[int, DuplicateTotal]:
    """By entry, over all rounds that are over; {} where results are not compared."""
    totals: dict[int, DuplicateTotal] = {}
    if event.is_compared:
        for one in read_closed_rounds(event, closed_rounds(event)):
            for entrant, total in one.field.totals(comparison_of(event)).items():
                totals[entrant] = totals.get(entrant, DuplicateTotal()) + total
    return totals
