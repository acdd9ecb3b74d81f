"""Ratings of players: current values, history, and the result of a finished table."""

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from games.models import Rating, RatingChange, Seat, Table

SHOWN_CHANGES = 200


@dataclass(frozen=True, slots=True)
class Result:
    """sides: the ids of the users who won and lost together. places: by side, less is better."""

    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]


def ratings_of(users: Iterable[User], game: str) -> dict[int, Rating]:
    """Ratings by user id; a newcomer's, which is not stored, for users who have none."""
    ids = [user.pk for user in users]
    known = {rating.user_id: rating for rating in Rating.objects.filter(game=game, user__in=ids)}
    return {pk: known.get(pk) or Rating(user_id=pk, game=game) for pk in ids}


def rating_history(rating: Rating) -> list[RatingChange]:
    """The newest `SHOWN_CHANGES` changes, oldest first."""
    return list(rating.changes.select_related("table").order_by("-at", "-pk")[:SHOWN_CHANGES])[::-1]


def result_of(table: Table) -> Result:
    """The result of a finished table; players who left it rank behind all who stayed."""
    seats = table.seat_rows
    sides = table.rules.sides(table.options, table.seat_count)
    behind_all = table.seat_count
    return Result(
        tuple(tuple(_person(seats[number]) for number in side) for side in sides),
        tuple(
            table.result["places"][side[0]] + behind_all * all(seats[number].has_left for number in side)
            for side in sides
        ),
    )


def rated_seats(table: Table) -> list[tuple[Seat, RatingChange]]:
    """The seats with what the game has done to their ratings; [] before that, or if it does nothing."""
    changes = {change.rating.user_id: change for change in table.rating_changes.select_related("rating")}
    return [(seat, changes[seat.user_id]) for seat in table.seat_rows if seat.user_id in changes]


def _person(seat: Seat) -> int:
    assert seat.user_id is not None, "only tables with somebody in every seat are rated"
    return seat.user_id
