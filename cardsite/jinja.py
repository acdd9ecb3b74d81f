"""The second template language: Jinja2, which compiles to Python.

Boards are drawn with it, since every move draws one for each who looks; Django's own takes twice as long for them.
"""

from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from jinja2 import ChainableUndefined, Environment, pass_context
from jinja2.runtime import Context

from cardsite.templatetags import boards
from cardsite.templatetags.cards import card_face, card_glyphs, card_words

KEPT_URLS = 20_000


class BoardEnvironment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dictionary: every include goes through all names, and a ChainMap takes ten times as long."""
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """What is not there is nothing, as in Django's templates; see TEMPLATES in the settings."""
    made = BoardEnvironment(**options | {"undefined": ChainableUndefined, "lstrip_blocks": True})
    made.filters |= {"card_glyphs": card_glyphs, "card_words": card_words}
    made.globals |= {
        "card_face": card_face,
        "choice": boards.choice,
        "csrf_input": boards.csrf_input,
        "drawn": boards.drawn,
        "dtl": dtl,
        "log_lines": boards.log_lines,
        "place": boards.draw_place,
        "url": url,
    }
    return made


@lru_cache(KEPT_URLS)
def url(name: str, *args: str) -> str:
    return reverse(name, args=args)


@pass_context
def dtl(context: Context, template_name: str) -> SafeString:
    """An include of a template in Django's language: of what is seldom shown, or shown by other pages, too."""
    return render_to_string(template_name, context.get_all())
