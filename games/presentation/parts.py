"""Parts of a board from Python: the macros of games/_parts.jinja."""

from typing import Any

from django.utils.safestring import SafeString

from infra.rendering import macro


def draw_part(name: str, *values: Any) -> SafeString:
    """The macro of this name, drawn with these arguments; it sees nothing else."""
    return SafeString(macro("games/_parts.jinja", name)(*values))
