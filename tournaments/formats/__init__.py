"""Tournament formats, pure: no database, no clock, no chance."""

from collections.abc import Mapping
from dataclasses import fields
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

    :raises LookupError: there is no such format. :raises TypeError: it has no such option, or not with such a value.
    """
    for kind in FORMATS:
        if kind.slug == slug:
            if not isinstance(options, Mapping):
                raise TypeError("The options of a format are named values.")
            given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
            plan = kind(**given)
            for field in fields(plan):
                _check_type(field.name, getattr(plan, field.name), field.default)
            return plan
    raise LookupError(f"There is no format {slug!r}.")


def _check_type(name: str, value: Any, like: Any) -> None:
    """:raises TypeError: a value of another type than the default, or with others in it."""
    if type(value) is not type(like) or (type(value) is tuple and {*map(type, value)} - {*map(type, like)}):
        raise TypeError(f"The option {name} can't be {value!r}.")
