"""Tournament formats, pure: no database, no clock, no chance."""

from collections.abc import Mapping
from typing import Any

from tournaments.formats.arena import Arena
from tournaments.formats.contract import Format
from tournaments.formats.double_elimination import DoubleElimination
from tournaments.formats.groups import Groups
from tournaments.formats.pods import Pods
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.single_elimination import SingleElimination
from tournaments.formats.swiss import Swiss

FORMATS: tuple[type[Format], ...] = (
    SingleElimination,
    DoubleElimination,
    RoundRobin,
    Groups,
    Swiss,
    Arena,
    Pods,
)


def make_format(slug: str, options: Mapping[str, Any]) -> Format:
    """A format with its options, such as `{"third_place": True}`; lists, as JSON has them, become tuples.

    :raises LookupError: there is no such format. :raises TypeError: it has no such option.
    """
    for kind in FORMATS:
        if kind.slug == slug:
            given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
            return kind(**given)
    raise LookupError(f"There is no format {slug!r}.")
