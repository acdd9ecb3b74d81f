"""`--option NAME=VALUE` of management commands."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.core.contract import BadOption, Game, OptionValue


def add_option_argument(parser: CommandParser) -> None:
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")


def read_option_argument(game: Game[Any, Any, Any], given: Iterable[str], seats: int) -> dict[str, OptionValue]:
    """Every option of the game with its value. :raises CommandError: one does not exist, or not with this value."""
    try:
        return game.read_options(dict(pair.partition("=")[::2] for pair in given), seats)
    except BadOption as error:
        raise CommandError(str(error)) from error
