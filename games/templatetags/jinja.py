"""The second template language: Jinja2, which compiles to Python.

Boards are drawn with it, since every move draws one for each who looks; Django's own takes twice as long for them.
"""

import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from jinja2 import ChainableUndefined, Environment, pass_context
from jinja2.ext import Extension
from jinja2.runtime import Context

from games.templatetags import boards
from games.templatetags.cards import card_face, card_glyphs, card_words

KEPT_URLS = 20_000
INCLUDE = re.compile(r'{% include "([^"]+)" %}')


class BoardEnvironment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dictionary: every include goes through all names, and a ChainMap takes ten times as long."""
        return {**self.globals, **(d or {})}


class PutIn(Extension):
    """Puts what a template includes into it before it is compiled: each include in a drawing would make a context."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return INCLUDE.sub(lambda match: self.part(match[1]), source)

    def part(self, name: str) -> str:
        assert self.environment.loader is not None
        source, filename, _ = self.environment.loader.get_source(self.environment, name)
        return self.preprocess(source, name, filename).rstrip("\n")


def environment(**options: Any) -> Environment:
    """What is not there is nothing, as in Django's templates; see TEMPLATES in the settings."""
    more = {"undefined": ChainableUndefined, "lstrip_blocks": True, "extensions": [PutIn]}
    made = BoardEnvironment(**options | more)
    made.filters |= {
        "card_glyphs": card_glyphs,
        "card_words": card_words,
        "choice": boards.choice,
        "drawn": boards.drawn,
        "log_lines": boards.log_lines,
        "place": boards.draw_place,
    }
    made.globals |= {
        "card_face": card_face,
        "csrf_input": boards.csrf_input,
        "dtl": dtl,
        "move_form": boards.move_form,
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
