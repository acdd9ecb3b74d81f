"""Boards in Django's templates: `{% jinja %}` includes a Jinja2 template, `{% board %}` a board, `{% part %}` a macro.

Boards are Jinja2 throughout. A page in Django's language puts one in, and gives it the content that replaces
prompt and moves: `{% board has_side=True %}<p>The end.</p>{% endboard %}`.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.utils.safestring import SafeString
from jinja2.runtime import Macro

from games.presentation.parts import draw_part
from infra.rendering import rendered

GAP = "<gap>"
KEPT = 40_000  # half a kilobyte to a few each; a table of two has some twenty panels and a hundred spots

register = template.Library()


@register.simple_tag(takes_context=True)
def jinja(context: template.Context, template_name: str, **values: Any) -> SafeString:
    """Includes a Jinja2 template with the context of the page and these values."""
    return rendered(template_name, _seen_by(context) | values)


@register.simple_block_tag(takes_context=True)
def board(context: template.Context, content: str, **values: Any) -> SafeString:
    """A board without moves, which the content of the block replaces."""
    return rendered("games/_board.jinja", _seen_by(context) | values | {"below": content})


def _seen_by(context: template.Context) -> dict[str, Any]:
    return {str(name): value for name, value in context.flatten().items()}


register.simple_tag(draw_part, name="part")


@lru_cache(maxsize=0 if settings.DEBUG else KEPT)
def drawn(drawing: Macro, *values: Any, **named: Any) -> str:
    """Memoized macro: renders once for equal values, which must be hashable. It sees no context, so no visitor.

    No value is a safe string, which would be equal to one that must be escaped.
    """
    return drawing(*values, **named)


def fill_gaps(drawing: str, rest: str) -> SafeString:
    """Puts `rest` into the gaps of drawn forms: what belongs to one page, such as a token. No text contains a tag."""
    return SafeString(str(drawing).replace(GAP, rest))
