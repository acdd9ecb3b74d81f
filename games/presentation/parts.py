"""Board parts: renders the macros of `templates/games/board/` from Python."""

from typing import Any

from django.utils.safestring import SafeString

from infra.rendering import macro


def draw_part(subject: str, name: str, *values: Any) -> SafeString:
    """Renders a macro of the file about this subject with these arguments; it sees nothing else."""
    return SafeString(macro(f"games/board/{subject}.jinja", name)(*values))
