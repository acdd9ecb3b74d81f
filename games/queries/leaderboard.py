"""Leaderboard of a game: all accounts and house bots whose rating is no longer provisional.

It is read from the ratings each time, so that a game counts as soon as it is rated.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from accounts.models import User
from games.core.contract import places
from games.domain.rating_math import PROVISIONAL_SIGMA
from games.models import Rating

LISTED = 100


def ranked(game: str, *, with_bots: bool) -> QuerySet[Rating]:
    """The ranked ratings, best first."""
    settled = Rating.objects.filter(game=game, sigma__lte=PROVISIONAL_SIGMA)
    listed = settled.filter(user__is_guest=False, user__is_active=True)
    return (listed if with_bots else listed.filter(user__is_bot=False)).order_by("-mu", "user_id")


def leaderboard_rows(game: str, *, with_bots: bool) -> Iterator[tuple[int, Rating]]:
    """Place (equals share one) and rating of the first `LISTED`."""
    ratings = list(ranked(game, with_bots=with_bots).select_related("user__house_bot")[:LISTED])
    return zip(places([rating.mu for rating in ratings]), ratings, strict=True)


def leaderboard_place(user: User, rating: Rating, *, with_bots: bool) -> int | None:
    """The place of a rating, None if it is not ranked."""
    others = ranked(rating.game, with_bots=with_bots)
    return others.filter(mu__gt=rating.mu).count() + 1 if others.filter(user=user).exists() else None
