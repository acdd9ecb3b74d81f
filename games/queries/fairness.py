"""Unusually perfect players of rated games, by the coach's reviews: figures for moderators, and no verdict.

A player is compared with others of the same game whose rating is close. The loss of a decision is what the move played
brings less than the best one, as a review has measured it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from statistics import mean, variance
from typing import Any

from django.db.models import F

from accounts.models import User
from games import engines
from games.bots.rollouts import Difference
from games.core.contract import Game
from games.models import CoachReview, Rating, Table
from games.record.coach_rows import rows_of

SINCE = timedelta(days=180)
LEAST_DECISIONS = 20  # of the player, and of the others together
CLOSE_RATING = 150


@dataclass(slots=True)
class ReviewedPlay:
    """What the reviews of a player's rated games in a game hold. tables: these games, the newest first.

    losses: of all decisions in one unit.
    """

    user: User
    game: str
    tables: list[Table]
    losses: list[float]
    agreed: int
    rating: int = 0


@dataclass(frozen=True, slots=True)
class PerfectPlayer:
    """A player whose loss is clearly below that of others. less: by how much, in points, or percent of winning.

    agreed: percent of the decisions in which the strong bot chose the same move.
    """

    play: ReviewedPlay
    rules: Game[Any, Any, Any]
    loss: float
    others_loss: float
    less: Difference
    others: int

    @property
    def agreed(self) -> int:
        return round(100 * self.play.agreed / len(self.play.losses))


def perfect_players(*, now: datetime) -> list[PerfectPlayer]:
    """The players whose whole 95 % interval is below others of similar rating, the largest difference first."""
    played = reviewed_plays(now=now)
    found = [perfect for play in played if (perfect := compared(play, played)) is not None]
    return sorted(found, key=lambda one: one.less.low, reverse=True)


def reviewed_plays(*, now: datetime) -> list[ReviewedPlay]:
    """Decisions measured in points count, or those in percent where a game has no points.

    Those that no review had time to judge do not, nor those of the users' bots, nor games that a player has left: of
    older ones the record does not tell the player's moves from those of the bot that played on.
    """
    reviews = CoachReview.objects.filter(
        table__is_rated=True,
        table__status=Table.Status.FINISHED,
        table__seats__user=F("user"),
        table__seats__has_left=False,  # else a bot has played on
        finished_at__gt=now - SINCE,
        user__is_active=True,
    )
    by_player: defaultdict[tuple[str, int], list[CoachReview]] = defaultdict(list)
    for review in reviews.select_related("user", "table"):
        by_player[review.table.game, review.user_id].append(review)
    ratings = {(one.game, one.user_id): one.number for one in Rating.objects.filter(user__in=reviews.values("user"))}
    plays = []
    for (game, user_id), own in by_player.items():
        rows = [row for review in own for row in rows_of(review) if not row.is_unjudged]
        rows = [row for row in rows if not row.in_percent] or rows
        agreed = sum(row.chosen.get("strong") == row.played for row in rows)
        losses = [row.loss for row in rows]
        tables = sorted((review.table for review in own), key=lambda table: table.pk, reverse=True)
        plays.append(ReviewedPlay(own[0].user, game, tables, losses, agreed, ratings.get((game, user_id), 0)))
    return plays


def compared(play: ReviewedPlay, played: Sequence[ReviewedPlay]) -> PerfectPlayer | None:
    """The player's figures against others of similar rating; None if they lose as much, or too little is known."""
    others = [
        other
        for other in played
        if other.game == play.game and other is not play and abs(other.rating - play.rating) <= CLOSE_RATING
    ]
    losses = [loss for other in others for loss in other.losses]
    if min(len(play.losses), len(losses)) < LEAST_DECISIONS:
        return None
    own, theirs = mean(play.losses), mean(losses)
    error = 1.96 * sqrt(variance(play.losses) / len(play.losses) + variance(losses) / len(losses))
    less = Difference(theirs - own, error)
    if less.low <= 0:
        return None
    return PerfectPlayer(play, engines.get(play.game), own, theirs, less, len(others))
