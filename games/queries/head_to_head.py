"""Head to head: the record of two players, people or bots, against each other."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from games import engines
from games.core.contract import Game
from games.models import Seat, Table
from games.queries.ratings import result_of

COUNTED = 500


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games in which the first player finished ahead of the other one, behind, or level."""

    game: Game[Any, Any, Any]
    ahead: int
    behind: int
    level: int


def head_to_head(user: User, other: User) -> list[Tally]:
    """The tally by game, in the order of the games, over their newest `COUNTED` finished games."""
    found: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for table in _games_between(user, other):
        difference = _difference(table, user, other)
        if difference is not None:
            found[table.game][(difference > 0) - (difference < 0)] += 1
    return [
        Tally(game, ahead=found[game.slug][1], behind=found[game.slug][-1], level=found[game.slug][0])
        for game in engines.GAMES
        if game.slug in found
    ]


def _games_between(user: User, other: User) -> QuerySet[Table]:
    tables = Seat.objects.filter(user=other).values("table")
    finished = Table.objects.games().of(user).filter(status=Table.Status.FINISHED, is_hidden=False, pk__in=tables)
    decided = finished.exclude(ended_by=Table.EndedBy.DIRECTOR)
    return decided.with_seats().order_by("-finished_at")[:COUNTED]


def _difference(table: Table, user: User, other: User) -> int | None:
    """By how many places the user finished ahead; None for partners, and where neither came to the table."""
    if not table.winners:
        return None
    result = result_of(table)
    place = {player: place for side, place in zip(result.sides, result.places, strict=True) for player in side}
    are_partners = any(user.pk in side and other.pk in side for side in result.sides)
    return None if are_partners else place[other.pk] - place[user.pk]
