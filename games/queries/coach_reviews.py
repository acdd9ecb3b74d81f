"""Reviews by the coach: who may see which."""

from typing import Any

from django.db.models import Q, QuerySet

from games.models import CoachReview, Table
from games.queries.shared_deals import offering_table


def readable_reviews(table: Table, reader: Any) -> QuerySet[CoachReview]:
    """The reviews of a game that is over: a reader's own, and those of all where other tables have had its cards."""
    own = Q(user=reader.pk)
    is_shared = table.is_compared or table.shares_deals or offering_table(table) is not None
    return CoachReview.objects.filter(own | Q(finished_at__isnull=False) if is_shared else own, table=table)
