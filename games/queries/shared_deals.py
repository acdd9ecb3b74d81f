"""Shared deals: who may see the cards of an offered deal, and all results on it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Count, Q

from games.bots import LEVELS
from games.models import CoachReview, Seat, Table
from games.models.querysets import TableQuerySet


def may_see_cards(table: Table, user: Any) -> bool:
    """Whether a user may see this table's cards: those of an offered deal only after playing them.

    The table's own players see what they may see anyway.
    """
    if table.seat_of(user.pk) is not None:
        return True
    first = offering_table(table)
    return first is None or (user.is_authenticated and knows_deals(first.pk, user))


def offered_code(table: Table) -> str:
    """The code of the table that offers this one's cards, for a link. There is one where `may_see_cards` says no."""
    offered = offering_table(table)
    assert offered is not None
    return offered.code


def offering_table(table: Table) -> Table | None:
    """The table that offers this one's cards, or those that a "what if" of it continues; None if there is none."""
    while table.branch_of is not None:
        table = table.branch_of
    return table if table.offers_deal else table.same_deal_as


def knows_deals(first: int, user: Any) -> bool:
    """Whether a user has played these deals to the end, or asked to see the cards; not while still playing them.

    first: id of the table that offers them.
    """
    played = tables_with_deals(first).of(user).values_list("status", flat=True)
    if Table.Status.RUNNING in played:
        return False
    return bool(played) or Table.objects.filter(pk=first, shown_to=user).exists()


def tables_with_deals(first: int) -> TableQuerySet[Table]:
    """The tables with these deals, the one that offers them included."""
    return Table.objects.filter(Q(pk=first) | Q(same_deal_as=first))


def is_played_elsewhere(table: Table) -> bool:
    """Whether another table with the same shuffles is going on. A "what if" does not count: its cards are known."""
    others = Table.objects.filter(commitment=table.commitment, branch_at=None).exclude(pk=table.pk)
    return others.filter(status__in=Table.UNFINISHED).exists()


def offered_deals() -> TableQuerySet[Any]:
    """Offered deals for a public list, newest first; without those of private games.

    tries: how many others have played them or are playing.
    """
    people = Count("seats", filter=Q(seats__user__is_bot=False), distinct=True)
    deals = Table.objects.by_todays_rules().filter(offers_deal=True, is_hidden=False).annotate(people=people)
    listed = deals.filter(Q(is_private=False) | Q(is_rated=True) | Q(people=1))
    return listed.annotate(tries=Count("same_deals", distinct=True)).order_by("-finished_at")


@dataclass(frozen=True, slots=True)
class DealResult:
    """A player's game with the deals. place: among all players of the same seat.

    mistakes: by the coach's review, None without one.
    """

    seat: Seat
    table: Table
    score: int
    place: int
    mistakes: int | None

    @property
    def scores(self) -> str:
        """The points of the player's side, then those of the other sides."""
        by_side = [self.table.result["scores"][side[0]] for side in self.table.sides if self.seat.number not in side]
        return " : ".join(map(str, [self.score, *by_side]))

    @property
    def result(self) -> str:
        """The result in words, for games in which points mean nothing."""
        if len(self.table.winners) == self.table.seat_count:
            return "drew"
        return "won" if self.seat in self.table.winners else "did not win"

    @property
    def against(self) -> str:
        """The opponents: "Club bots", or names."""
        others = [seat for seat in self.table.seat_rows if seat != self.seat]
        levels = Counter(LEVELS[seat.level] for seat in others if not seat.has_person)
        people = [seat.name for seat in others if seat.has_person]
        return ", ".join([*people, *(f"{level} bot{'s' * (count > 1)}" for level, count in levels.items())])


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """All results from one seat, best first. median: of their points, None without any.

    is_reviewed: the coach has reviewed one of these games.
    """

    number: int
    name: str
    tries: tuple[DealResult, ...]

    @property
    def median(self) -> float | None:
        return median(one.score for one in self.tries) if self.tries else None

    @property
    def is_reviewed(self) -> bool:
        return any(one.mistakes is not None for one in self.tries)


def seat_sheets(first: Table) -> list[SeatSheet]:
    """The results seat by seat; games that a player gave up are left out."""
    over = tables_with_deals(first.pk).filter(status=Table.Status.FINISHED, ended_by=Table.EndedBy.RULES).with_seats()
    tables = list(over.order_by("finished_at"))
    return [SeatSheet(number, seat.name, tuple(_ranked(number, tables))) for number, seat in enumerate(first.seat_rows)]


def known_mistakes(tables: Iterable[Table]) -> dict[tuple[int, int], int]:
    """How many mistakes the coach has found, by table and seat; without those that are not reviewed."""
    reviews = CoachReview.objects.filter(table__in=list(tables), finished_at__isnull=False)
    return {(review.table_id, review.seat): sum(row["is_mistake"] for row in review.decisions) for review in reviews}


def _ranked(number: int, tables: Iterable[Table]) -> list[DealResult]:
    played = [(table, table.seat_rows[number]) for table in tables]
    merits = {
        table: (table.rules.merits(table.options, table.result["scores"])[number], seat)
        for table, seat in played
        if seat.user is not None and not seat.user.is_bot and not seat.has_left
    }
    ranked = sorted(merits.items(), key=lambda item: -item[1][0])
    mistakes = known_mistakes(merits)
    return [
        DealResult(
            seat=seat,
            table=table,
            score=table.result["scores"][number],
            place=1 + sum(other > merit for other, _ in merits.values()),
            mistakes=mistakes.get((table.pk, number)),
        )
        for table, (merit, seat) in ranked
    ]
