"""Sides: the seats that share a score. The side of a seat is `seat % sides`, so that partners sit opposite."""

from games.core.words import players_in_words


def seats_of_side(side: int, seats: int, sides: int) -> tuple[int, ...]:
    return tuple(range(side, seats, sides))


def side_in_words(side: int, seats: int, sides: int) -> str:
    """The players of a side: "@0 and @2", or "@0" without partners."""
    return players_in_words(seats_of_side(side, seats, sides))
