"""The palette can be read in both themes, and the sheet of cards is what its script draws."""

import re
from itertools import product

import pytest
from django.conf import settings

from games.presentation import cards_svg

STATIC = settings.BASE_DIR / "cardsite" / "static" / "cardsite"
CSS = (STATIC / "css" / "base" / "tokens.css").read_text()
THEMES = ("light", "dark")

TEXTS = ("ink", "ink-soft", "brass-ink", "red", "blue", "green")
GROUNDS = ("paper", "sheet", "wash", "red-wash", "green-wash", "brass-wash")
OTHER_PAIRS = [
    ("felt-ink", "felt"),
    ("felt-soft", "felt"),
    ("on-brass", "brass"),
    ("on-main", "main"),
    *product(("card-s", "card-h", "card-d", "card-c"), ("card-paper",)),
]


def colours(name: str) -> list[tuple[str, str]]:
    """Every value that the token is given, as (light, dark); a plain colour counts for both."""
    found = re.findall(rf"--{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", CSS)
    assert found, f"no token --{name} with a colour"
    return [(light or plain, dark or plain) for light, dark, plain in found]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_agrees_with_published_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), [*product(TEXTS, GROUNDS), *OTHER_PAIRS])
def test_text_reads_on_its_ground(text: str, ground: str, theme: str) -> None:
    """Four-colour suits redefine a token, so every value of it has to hold."""
    side = THEMES.index(theme)
    for on, under in product(colours(text), colours(ground)):
        assert contrast(on[side], under[side]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "sheet"])
def test_borders_of_controls_can_be_seen(ground: str, theme: str) -> None:
    side = THEMES.index(theme)
    assert contrast(colours("edge")[0][side], colours(ground)[0][side]) >= 3


def test_committed_cards_are_those_the_script_draws() -> None:
    assert (STATIC / "cards.svg").read_text() == cards_svg.sheet(), "run manage.py draw_cards"


def test_sheet_holds_every_card_once() -> None:
    names = re.findall(r'<symbol id="card-(\w+)"', cards_svg.sheet())
    faces = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    assert sorted(names) == sorted([*faces, "XB", "XR", "back1", "back2"])


@pytest.mark.parametrize(("rank", "pips"), [*((str(n), n) for n in range(2, 10)), ("T", 10)])
def test_number_card_shows_as_many_pips_as_its_rank(rank: str, pips: int) -> None:
    places = cards_svg.PLACES[rank]
    assert len(set(places)) == pips


@pytest.mark.parametrize("rank", [*"245689T"])
def test_pips_lie_the_same_either_way_up(rank: str) -> None:
    """Not the seven, which has a pip too many; the three would pass, but says nothing."""
    places = cards_svg.PLACES[rank]
    turned = {(round(250 - x, 6), round(1 - height, 6)) for x, height in places}
    assert turned == {(x, round(height, 6)) for x, height in places}


def test_courts_are_the_same_either_way_up() -> None:
    crest = "M125,40 L134,58 Z"
    assert cards_svg.both_ways(crest) == crest + "M125,310 L116,292 Z"
