"""Claim of due rows: every tick takes a row once, although ticks overlap and workers die.

A column of the row says when it is due. Whoever claims it puts that off, so a second tick leaves the row alone, and a
claim whose work got lost is due again by itself.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet


def claim_due(
    rows: "QuerySet[Any]", column: str, *, until: datetime, patience: timedelta
) -> list[tuple[int, datetime]]:
    """Keys of the rows due until then, with the time each was due, earliest first; all are put off by `patience`."""
    due = rows.filter(**{f"{column}__lte": until}).order_by(column).values_list("pk", column)
    return [(pk, at) for pk, at in due if claim_row(rows, pk, column, at, put_off_to=until + patience)]


def claim_row(rows: "QuerySet[Any]", pk: int, column: str, due_at: datetime, *, put_off_to: datetime) -> bool:
    """False if somebody else has claimed the row since it was read."""
    own = rows.model._default_manager.filter(pk=pk, **{column: due_at})
    return bool(own.update(**{column: put_off_to}))
