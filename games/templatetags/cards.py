"""Cards in templates: drawn (`{% card "8S" %}`) and as signs within a sentence (`{{ text|card_glyphs }}`)."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.core.cards import CARD_IN_TEXT, RANK_NAMES, Card, face, is_joker, sign

register = template.Library()

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
JOKER_NAMES = {"XB": "black joker", "XR": "red joker"}

# Two cards that stand for a game on its tile; a game without an entry shows the aces.
TILE_CARDS = {
    "casino": ("TD", "2S"),
    "royal-casino": ("AS", "KD"),
    "cuarenta": ("4D", "4H"),
    "four-hand-cuarenta": ("5C", "6H"),
    "gin-rummy": ("7H", "8H"),
    "carousel": ("9D", "XB"),
    "krambambuli": ("AC", "KC"),
    "shanghai": ("7S", "8S"),
    "vatican": ("XR", "KS"),
    "push": ("2H", "XB"),
    "partnership-cribbage": ("5H", "JH"),
    "tabletop-cribbage": ("5S", "TD"),
    "piquet": ("KH", "QH"),
    "rubicon-piquet": ("AD", "KD"),
    "sixty-six": ("KS", "QS"),
    "advantage": ("TC", "TH"),
    "russian-bank": ("AH", "2H"),
}

KEPT_SENTENCES = 10_000  # a board says much the same as the one before

# Tags are matched first and left as they are, so finished HTML keeps its attributes.
TAG_OR_CARD = re.compile(rf"<[^>]*>|{CARD_IN_TEXT.pattern}")

# "3C 5D", "4H-5H-6H", "9C+9D": a screen reader would read a dash or a plus; the cards are a list.
BETWEEN_CARDS = re.compile(rf"(?P<card>{CARD_IN_TEXT.pattern})[-+ ](?={CARD_IN_TEXT.pattern})")


BEFORE_CARD = re.compile(rf" (?={CARD_IN_TEXT.pattern})")


def card_name(card: Card) -> str:
    """The card in words: "eight of spades" for `8S`, without its copy."""
    if is_joker(card):
        return JOKER_NAMES[face(card)]
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def suit_of(card: Card) -> str:
    """The suit letter in lower case, for its colour; jokers count as spades and hearts."""
    if is_joker(card):
        return {"XB": "s", "XR": "h"}[face(card)]
    return card[1].lower()


@register.simple_tag(name="card")
@cache
def card_face(card: Card, *, is_named: bool = True) -> SafeString:
    """The face of a card as an SVG whose label is the card in words. is_named: else it is decoration."""
    name = format_html('role="img" aria-label="{}"', card_name(card)) if is_named else mark_safe('aria-hidden="true"')
    return format_html(
        '<svg class="card suit-{}" viewBox="0 0 250 350" {}><use href="{}#card-{}"/></svg>',
        suit_of(card),
        name,
        static("cardsite/cards.svg"),
        face(card),
    )


@register.simple_tag
@cache
def card_back(copy: int | str = 1) -> SafeString:
    """The back of a card of the first or second pack; nameless, since its zone says how many lie there."""
    return format_html(
        '<svg class="card" viewBox="0 0 250 350" aria-hidden="true"><use href="{}#card-back{}"/></svg>',
        static("cardsite/cards.svg"),
        copy,
    )


@register.simple_tag
def card_line(cards: Sequence[Card]) -> SafeString:
    """Faces of cards side by side as one image, whose label is their list: "nine of diamonds, king of clubs"."""
    names, faces = ", ".join(map(card_name, cards)), mark_safe("".join(map(card_face, cards)))
    return format_html('<span class="card-line" role="img" aria-label="{}">{}</span>', names, faces)


@register.inclusion_tag("_tile_art.html")
def tile_art(slug: str) -> dict[str, tuple[Card, ...]]:
    """Two fanned cards for the tile of a game."""
    return {"cards": TILE_CARDS.get(slug, ("AS", "AH"))}


@register.filter(needs_autoescape=True)
def card_glyphs(text: object, autoescape: bool = True) -> SafeString:
    """Text with every card code as rank and suit sign, named in words for those who hear it."""
    plain = text if isinstance(text, str) else str(text)
    return _with_glyphs(plain if autoescape else mark_safe(plain))


@lru_cache(KEPT_SENTENCES, typed=True)  # typed: a safe string is not the same as an equal one that must be escaped
def _with_glyphs(text: str) -> SafeString:
    return mark_safe(TAG_OR_CARD.sub(_tag_or_glyph, conditional_escape(text)))


def _tag_or_glyph(match: re.Match[str]) -> str:
    if not match[1]:
        return match[0]
    return _glyph(match[1], "," if BEFORE_CARD.match(match.string, match.end()) else "")


@cache
def _glyph(code: Card, pause: str) -> str:
    """pause: what is heard after the card, a comma in a row of cards."""
    return format_html(
        '<span class="glyph suit-{}" role="img" aria-label="{}{}">{}</span>',
        suit_of(code),
        card_name(code),
        pause,
        sign(code),
    )


@register.filter
def card_words(text: object) -> str:
    """Plain text with every card code in words, for attributes that are read aloud."""
    return "\n".join(map(_in_words, str(text).split("\n")))


@lru_cache(KEPT_SENTENCES)
def _in_words(text: str) -> str:
    """A line of it."""
    text = BETWEEN_CARDS.sub(r"\g<card>, ", text)
    return TAG_OR_CARD.sub(lambda match: card_name(match[1]) if match[1] else match[0], text)


register.filter("card_name", card_name)
