import re

import pytest
from django.template import Context, Template
from django.utils.safestring import mark_safe

from games.core.cards import card_signs
from games.templatetags.cards import TILE_CARDS, card_face, card_glyphs, card_name
from tutorials.templatetags.seeds import seed_text


def words(html: str) -> list[tuple[str, str]]:
    """(spoken, shown) of every card in the text."""
    return re.findall(r'aria-label="([^"]+)">([^<]+?)\ufe0e?</span>', html)


@pytest.mark.parametrize(
    ("card", "name"),
    [("8S", "eight of spades"), ("TD", "ten of diamonds"), ("7H2", "seven of hearts"), ("XB", "black joker")],
)
def test_card_is_named_in_words(card: str, name: str) -> None:
    assert card_name(card) == name


def test_card_is_an_image_with_a_name() -> None:
    html = Template('{% load cards %}{% card "QH1" %}').render(Context())
    assert 'class="card suit-h"' in html
    assert 'aria-label="queen of hearts"' in html
    assert re.search(r'href="/static/cardsite/cards\.[^"]*svg#card-QH"|cards\.svg#card-QH"', html)


def test_back_of_the_second_pack_differs_and_has_no_name() -> None:
    html = Template("{% load cards %}{% card_back 2 %}").render(Context())
    assert "#card-back2" in html
    assert 'aria-hidden="true"' in html


def test_codes_in_a_sentence_become_signs() -> None:
    html = card_glyphs("Take 3C TD2 with XR.")
    assert words(html) == [("three of clubs,", "3♣"), ("ten of diamonds", "10♦"), ("red joker", "★")]


def test_a_row_of_cards_is_heard_with_commas():
    spoken = [name for name, _ in words(card_glyphs("Say AS KS QS, then 7H."))]
    assert spoken == ["ace of spades,", "king of spades,", "queen of spades", "seven of hearts"]


def test_a_row_of_cards_in_a_lesson_is_heard_with_commas():
    html = seed_text(
        "<p>Take <code>9D</code> <code>9H</code> with <code>9S</code>, <code>X1</code> <code>KH</code></p>"
    )
    spoken = [name for name, _ in words(html)]
    assert spoken == ["nine of diamonds,", "nine of hearts", "nine of spades", "king of hearts"]
    assert "<code>X1</code>" in html


@pytest.mark.parametrize("text", ["AKS", "8SX", "ASHD", "X8S", "1S", "#8S", "9C3", "K7S9PQ"])
def test_letters_within_a_word_are_no_card(text: str) -> None:
    assert card_glyphs(text) == text


def test_text_is_escaped_and_its_cards_still_found() -> None:
    html = card_glyphs("<b>8S</b> & 'KH'")
    assert html.startswith("&lt;b&gt;")
    assert [spoken for spoken, _ in words(html)] == ["eight of spades", "king of hearts"]


def test_meld_in_plain_text_shows_signs() -> None:
    assert card_signs("AS2-3H1-TC mixes suits.").replace("\ufe0e", "") == "A♠-3♥-10♣ mixes suits."


def test_finished_html_keeps_its_tags() -> None:
    html = card_glyphs(mark_safe('<a href="/8S/" title="8S">8S</a>'))
    assert html.startswith('<a href="/8S/" title="8S"><span')
    assert len(words(html)) == 1


def test_a_joker_of_either_pack_is_a_joker():
    assert card_name("XB1") == card_name("XB") == "black joker"
    assert "suit-h" in card_face("XR2") and "#card-XR" in card_face("XR2")


def test_the_two_cards_of_a_tile_are_those_of_one_game():
    assert len(set(TILE_CARDS.values())) == len(TILE_CARDS)
