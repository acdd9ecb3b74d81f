"""Ratings: stores them by player and game, and updates them after a game (`games.domain.rating_math` has the maths).

Tables that were opened as rated count, once each; a game that ended before every player had moved does not. Partners
win and lose together. A player who leaves a game that a bot then finishes ranks behind all who stayed.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games import live
from games.domain.rating_math import after_game
from games.models import Rating, RatingChange, Table
from games.queries.ratings import Result, result_of
from infra.after_commit import on_commit

PATIENCE = timedelta(seconds=30)  # after this a game that is not rated yet counts as lost


@transaction.atomic
def rate_table(*, table_id: int) -> None:
    """Rates a finished table and announces it. A second call finds nothing to do."""
    table = Table.objects.select_for_update().with_seats().get(pk=table_id)
    if table.rating_due_at is None:
        return
    if _counts(table):
        rate_results([result_of(table)], game=table.game, at=timezone.now(), table=table)
    table.rating_due_at = None
    table.version += 1
    table.save(update_fields=["rating_due_at", "version"])
    on_commit(live.announce, table.channel, table.version)


def claim_lost(*, now: datetime) -> list[int]:
    """Claims tables that should have been rated long ago, for one call of `rate_table` each."""
    return Table.objects.claim("rating_due_at", now=now, patience=PATIENCE)


def rate_results(
    results: Sequence[Result], *, game: str, at: datetime, table: Table | None = None
) -> list[RatingChange]:
    """Rates results in order, with one stored change for each user. Call it in a transaction."""
    ratings = _locked({user for result in results for side in result.sides for user in side}, game)
    before = {user: rating.number for user, rating in ratings.items()}
    for result in results:
        after = after_game([[ratings[user].skill for user in side] for side in result.sides], result.places)
        for side, skills in zip(result.sides, after, strict=True):
            for user, skill in zip(side, skills, strict=True):
                ratings[user].take(skill)
    for rating in ratings.values():
        rating.updated_at = at
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "games", "updated_at"])
    return RatingChange.objects.bulk_create(
        RatingChange(rating=rating, table=table, before=before[user], after=rating.number, at=at)
        for user, rating in ratings.items()
    )


def _locked(users: Iterable[int], game: str) -> dict[int, Rating]:
    """The users' ratings, made where they are missing, locked in the order of their ids to avoid deadlocks."""
    wanted = sorted(users)
    Rating.objects.bulk_create((Rating(user_id=user, game=game) for user in wanted), ignore_conflicts=True)
    rows = Rating.objects.select_for_update().filter(game=game, user__in=wanted).order_by("user_id")
    return {rating.user_id: rating for rating in rows}


def _counts(table: Table) -> bool:
    if any(seat.user_id is None for seat in table.seat_rows):
        return False  # an account is gone
    has_ended = table.ended_by == Table.EndedBy.RULES
    return has_ended or table.moves.values("seat").distinct().count() == table.seat_count
