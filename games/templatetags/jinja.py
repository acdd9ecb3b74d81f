"""Jinja2, in which boards are drawn: it compiles to Python, and every move draws a board for each reader.

All other pages use Django's language, which takes twice as long.
"""

from collections.abc import MutableMapping
from datetime import datetime
from typing import Any

from django.template import defaultfilters
from django.utils.timezone import localtime
from jinja2 import ChainableUndefined, Environment

from games.core.words import joined
from games.templatetags import boards
from games.templatetags.cards import card_back, card_face, card_glyphs, card_words
from infra.rendering import url


class BoardEnvironment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dictionary: every include goes through all names, and a ChainMap takes ten times as long."""
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """What is not there is nothing, as in Django's templates; see TEMPLATES in the settings."""
    made = BoardEnvironment(**options | {"undefined": ChainableUndefined, "lstrip_blocks": True})
    made.filters |= {
        "card_glyphs": card_glyphs,
        "card_words": card_words,
        "date": date,
        "drawn": boards.drawn,
        "fill_gaps": boards.fill_gaps,
        "joined": joined,
    }
    made.globals |= {"card_back": card_back, "card_face": card_face, "url": url}
    return made


def date(moment: datetime | None, shape: str) -> str:
    """As in Django's templates, in the time zone of the site; "" without a moment."""
    return defaultfilters.date(localtime(moment), shape) if moment else ""
