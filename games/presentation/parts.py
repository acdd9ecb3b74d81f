"""Board parts: renders the macros of games/_parts.jinja from Python."""

from typing import Any

from django.utils.safestring import SafeString

from infra.rendering import macro


def draw_part(name: str, *values: Any) -> SafeString:
    """Renders the macro of this name with these arguments; it sees nothing else."""
    return SafeString(macro("games/_parts.jinja", name)(*values))
