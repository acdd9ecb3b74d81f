"""Wording of seeks: the games that a player looks for."""

from games.domain.clocks import PACES
from games.models import Seek


def seek_clocks(seek: Seek) -> str:
    return " or ".join(PACES[pace].words for pace in seek.paces)


def seek_seats(seek: Seek) -> str:
    """The numbers of seats, "" where the game has only one."""
    return "" if seek.rules.seats == tuple(seek.seats) else f"{' or '.join(map(str, seek.seats))} seats"


def seek_rated(seek: Seek) -> str:
    return {True: "rated", False: "not rated", None: "rated or not"}[seek.is_rated]


def seek_opponents(seek: Seek) -> str:
    """The ratings that the player wants to meet, "" for any."""
    return "" if seek.low is None else f"with {seek.low} to {seek.high}"


def seek_options(seek: Seek) -> list[tuple[str, str]]:
    """Label and value of every option that the player insists on."""
    chosen = (option for option in seek.rules.open_options if option.name in seek.options)
    return [(option.label, option.label_of(seek.options[option.name])) for option in chosen]
