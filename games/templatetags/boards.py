"""Parts of a board: those it has dozens of are drawn in Python, and what depends on a frozen value alone only once.

In the templates of boards, which are Jinja2, `{{ zone|place }}` is a zone with its cards, `{{ offer|choice(form) }}` a
move, `{{ lines|log_lines }}` a part of the log, `{{ "x.html"|drawn(a=a) }}` any include of frozen values: filters,
because Jinja2 calls them itself and functions by way of its context, which takes longer than most of them do.
A board has most of them in common with the one before. Django's templates include one of Jinja2 by
`{% jinja "games/_board.jinja" %}`.
"""

from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.utils.safestring import SafeString
from jinja2 import pass_context
from jinja2.runtime import Context

from games.presentation.board import Line, Offer, Place, Spot
from games.templatetags.cards import card_back, card_face, card_glyphs, card_words
from infra.rendering import rendered

KEPT = 10_000  # of each kind, half a kilobyte to a few each; a table of two has some twenty
SHOWN_EMPTY = ("stock", "pile", "column", "cell")

register = template.Library()


@register.simple_tag(takes_context=True)
def jinja(context: template.Context, template_name: str, **values: Any) -> SafeString:
    """An include of a Jinja2 template, which sees what the page sees and these values."""
    return rendered(template_name, {str(name): value for name, value in context.flatten().items()} | values)


@lru_cache(maxsize=0 if settings.DEBUG else KEPT, typed=True)  # typed: a safe string is not an equal one to be escaped
def drawn(template_name: str, **values: Any) -> SafeString:
    """An include that is rendered once for equal values. They must be hashable; it sees nothing else, so no visitor."""
    return rendered(template_name, values)


@lru_cache(maxsize=KEPT)
def draw_place(place: Place, is_hand: bool = False) -> SafeString:
    """A zone with its cards; one button if moves touch it as a whole."""
    is_whole, depth = bool(place.pick), place.zone.count if place.is_deep else 0
    cards = "".join(
        _spot(spot, is_whole, depth, place.sentence if spot.pick == place.id else "") for spot in place.spots
    )
    if not cards and (place.pick or place.kind in SHOWN_EMPTY):
        cards = '<span class="place"></span>'
    parts = [_zone_start(place, is_hand), _label(place)]
    if place.pick:
        parts.append(f'{_button_start(place)}<span class="cards">{cards}</span>{_value(place)}</button>')
    else:
        parts.append(f'<div class="cards">{cards}</div>{_value(place)}')
    return SafeString("".join([*parts, _beneath(place), "</div>"]))


def _zone_start(place: Place, is_hand: bool) -> str:
    looks = {" is-empty": not place.spots, " hand": is_hand, " fan": not is_hand and place.is_fanned}
    look = "".join(name for name, applies in (looks | {" is-deep": place.is_deep}).items() if applies)
    name = escape(card_words(place.sentence))
    return f'<div class="zone zone-{place.kind}{look}" data-zone="{escape(place.id)}" role="group" aria-label="{name}">'


def _label(place: Place) -> str:
    if place.kind == "hand":
        return ""
    note = f' <span class="zone-note">{card_glyphs(place.note)}</span>' if place.note else ""
    return f'<p class="zone-label" aria-hidden="true">{card_glyphs(place.tag or place.label)}{note}</p>'


def _button_start(place: Place) -> str:
    name = escape(card_words(place.sentence))
    look, idle = _look(place)
    pick = f'data-pick="{escape(place.pick)}" aria-pressed="false"{idle}'
    return f'<button type="button" class="pick pick-whole{look}" {pick} aria-label="{name}">'


def _look(chosen: Place | Spot) -> tuple[str, str]:
    """Class names and attributes of something that can be chosen."""
    last = " is-last" if chosen.is_last else ""
    return (f"{last} is-idle", ' aria-description="not playable now"') if chosen.is_idle else (last, "")


def _value(place: Place) -> str:
    return f'<span class="build-value" aria-hidden="true">{escape(place.value)}</span>' if place.value else ""


def _beneath(place: Place) -> str:
    if not place.beneath:
        return ""
    return f'<details class="beneath"><summary>Beneath</summary><p>{card_glyphs(" ".join(place.beneath))}</p></details>'


@lru_cache(maxsize=KEPT)
def _spot(spot: Spot, is_whole: bool, depth: int, name: str) -> str:
    """A card; a button if moves touch it. The top card of a pile may stand for the whole, and says how deep it is.

    is_whole: the place is a button itself. depth: 0 where it does not count. name: of the place, if it stands for that.
    """
    face = card_face(spot.card) if spot.card else card_back(spot.copy)
    card = f' data-card="{spot.card}"' if spot.card else ""
    look, idle = _look(spot)
    count = f'<span class="count" aria-hidden="true">{depth}</span>' if depth else ""
    rest = f'{card} data-from="{escape(spot.arrives_from)}"'
    if not spot.pick or is_whole:
        last = " is-last" if spot.is_last else ""
        return f'<span class="spot{last}"{rest}>{face}{count}</span>'
    label = f' aria-label="{escape(card_words(name))}"' if name else ""
    pick = f'data-pick="{escape(spot.pick)}"{rest} aria-pressed="false"{label}{idle}'
    return f'<button type="button" class="pick{look}" {pick}>{face}{count}</button>'


def log_lines(lines: tuple[Line, ...], is_newest: bool = False) -> SafeString:
    """Some lines of the log, newest first. is_newest: the first of them is the last move."""
    if is_newest:
        return SafeString("".join(_log_line(line, is_last=line is lines[0]) for line in lines))
    return _old_lines(lines)


@lru_cache(maxsize=KEPT)
def _old_lines(lines: tuple[Line, ...]) -> SafeString:
    return SafeString("".join(_log_line(line, is_last=False) for line in lines))


def _log_line(line: Line, *, is_last: bool) -> str:
    if line.number is None:
        return f'<li class="log-deal">{card_glyphs(line.text)}</li>'
    look = ' class="is-last"' if is_last else ""
    return f'<li value="{line.number}"{look}>{card_glyphs(line.text)}</li>'


@pass_context
def csrf_input(context: Context) -> SafeString:
    token = context.get("csrf_token")
    return SafeString(f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">' if token else "")


class MoveForm(NamedTuple):
    """What all forms of a board have in common that send a move: attributes that say how, and hidden fields."""

    attributes: SafeString
    fields: SafeString


@pass_context
def move_form(context: Context) -> MoveForm:
    url, target = escape(context["play_url"]), context.get("target") or "#board"
    attributes = (
        f'method="post" action="{url}" hx-post="{url}" hx-target="{target}" hx-swap="outerHTML" hx-sync="#board:drop"'
    )
    version = f'<input type="hidden" name="version" value="{context["board"].seq}">'
    return MoveForm(SafeString(attributes), SafeString(csrf_input(context) + version))


def choice(offer: Offer, form: MoveForm, *, is_plain: bool = False, may_be_forced: bool = True) -> SafeString:
    """A legal move as a form. is_plain: only its button counts, not the cards that it touches."""
    more, button = _choice(offer, is_plain, offer.is_forced and may_be_forced)
    return SafeString(f"<form {more}{form.attributes}>{form.fields}{button}</form>")


@lru_cache(maxsize=KEPT)
def _choice(offer: Offer, is_plain: bool, is_forced: bool) -> tuple[str, str]:
    """Further attributes of the form, and what is in it of the move."""
    touches = "" if is_plain else f'class="choice" data-touches="{escape(" ".join(offer.touches))}" '
    text = f'<input type="hidden" name="text" value="{escape(offer.text)}">'
    button = f'{text}<button type="submit" class="button">{card_glyphs(offer.label)}</button>'
    return f"{touches}{'data-forced ' if is_forced else ''}", button
