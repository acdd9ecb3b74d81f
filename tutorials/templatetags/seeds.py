"""Template filter for texts of seed files, in which cards are written between backticks."""

import re

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from games.core.cards import CARD_IN_TEXT
from games.templatetags.cards import card_glyphs

register = template.Library()

_CODE = re.compile(r"<code>([^<]*)</code>")
_BETWEEN = "</code> <code>"
_CARD_BEFORE_CARD = re.compile(rf"{CARD_IN_TEXT.pattern}{_BETWEEN}(?={CARD_IN_TEXT.pattern}</code>)")


@register.filter
def seed_text(html: str) -> SafeString:
    """HTML with `<code>8S 5H</code>` as suit signs; other code stays. It was cleaned when it was read."""
    in_rows = _CARD_BEFORE_CARD.sub(lambda match: match[0].replace(_BETWEEN, " "), html)
    return mark_safe(_CODE.sub(_cards_or_code, in_rows))


@register.filter
def book_text(html: str, slug: str) -> SafeString:
    """`seed_text` on another page than the rule book of this game: links within the book lead to it."""
    return mark_safe(seed_text(html).replace('href="#', f'href="{reverse("tutorials:rule-book", args=[slug])}#'))


def _cards_or_code(match: re.Match[str]) -> str:
    words = match[1].split()
    if words and all((code := CARD_IN_TEXT.fullmatch(word)) and code[1] for word in words):
        return str(card_glyphs(match[1]))
    return match[0]
