"""Reviews by the coach: who may see which, and those of a player's own games."""

from typing import Any

from django.db.models import F, Max, Q, QuerySet

from accounts.models import User
from games.models import CoachReview, Table
from games.queries.shared_deals import offering_table


def readable_reviews(table: Table, reader: Any) -> QuerySet[CoachReview]:
    """The reviews of a game that is over: a reader's own, and those of all where other tables have had its cards."""
    own = Q(user=reader.pk)
    is_shared = table.is_compared or table.shares_deals or offering_table(table) is not None
    return CoachReview.objects.filter(own | Q(finished_at__isnull=False) if is_shared else own, table=table)


def own_reviews(user: User) -> QuerySet[CoachReview]:
    """The finished reviews of games that the user has played, not of their bots' games; the last game first."""
    played = CoachReview.objects.filter(table__seats__user=user, table__seats__number=F("seat"))
    return played.filter(user=user, finished_at__isnull=False).order_by("-table__finished_at", "-pk")


def reviewed_games(user: User) -> list[str]:
    """The games in which the user has reviews; the one played last comes first."""
    by_game = own_reviews(user).values("table__game").annotate(last=Max("table__finished_at"))
    return list(by_game.order_by("-last").values_list("table__game", flat=True))
