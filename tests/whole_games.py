"""Whole games in Chromium: by mouse, by finger upright and on the side, and by keys. `make hands` runs them.

They take long and are no part of the tests; `tests/games/test_every_game.py` plays some turns of every game and whole
hands of some.
"""

from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, engines
from games.models import Table
from games.record import replay
from tests.at_table import drag_this, others_move, wait_for_seq
from tests.fingers import choose_reading, drag, more_is_asked, offer_of, pick_of, touch_drag

WIDE, UPRIGHT = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
ON_ITS_SIDE = {"width": 844, "height": 390}
SLUGS = ["partnership-cribbage", "gin-rummy", "casino", "piquet", "russian-bank", "push"]
SHORTER = {"gin-rummy": {"target": 50}, "push": {"deals": 3}}  # games that would take a quarter of an hour
FOCUSED = "(({ dataset }) => dataset.pick ?? dataset.zone)(document.activeElement)"
MOST_PLACES = 60


def with_hand(drag_hand):
    """Makes moves by dragging and presses buttons with the pointer."""

    def play(page, view, text):
        drag_this(page, view, text, drag_hand)

    def go_on(page):
        page.locator("[data-next]").click()

    return play, go_on


def lift_to(page, cards, target):
    """Selects cards by Space, leads them to a place by arrows and drops them there."""
    for card in cards:
        page.focus(pick_of(card))
        page.keyboard.press("Space")
    for _ in range(MOST_PLACES):
        page.keyboard.press("ArrowDown")
        if page.evaluate(FOCUSED) == target:
            return page.keyboard.press("Space")
    raise AssertionError(f"arrows do not lead {cards} to {target}")


def press_button(button):
    button.focus()
    button.press("Enter")


def play_by_keys(page, view, text):
    choice = offer_of(page, text)
    if not choice.count():
        cards = [card for card in view.selection.cards if card in text]
        if view.selection.to:
            return lift_to(page, cards, view.selection.to)
        for card in cards:
            page.focus(pick_of(card))
            page.keyboard.press("Space")
        seq = page.get_attribute("#board", "data-seq")
        press_button(page.locator(".selection.is-offered button"))
        return choose_reading(page, seq, text)
    touches, to = choice.get_attribute("data-touches").split(), choice.get_attribute("data-to")
    if to or len(touches) > 1:
        before = page.get_attribute("#board", "data-seq")
        lift_to(page, touches[:1], to or touches[-1])
        if not more_is_asked(page, before):
            return None
    for touch in [] if offer_of(page, text, ".is-offered").count() else touches:
        if page.get_attribute(pick_of(touch), "aria-pressed") == "false":
            page.focus(pick_of(touch))
            page.keyboard.press("Space")
    return press_button(offer_of(page, text, ".is-offered").get_by_role("button"))


def go_on_by_keys(page):
    press_button(page.locator("[data-next]"))


HANDS = {
    "mouse": (WIDE, "mouse", *with_hand(drag)),
    "finger": (UPRIGHT, "finger", *with_hand(touch_drag)),
    "finger-on-its-side": (ON_ITS_SIDE, "finger", *with_hand(touch_drag)),
    "keys": (WIDE, "mouse", play_by_keys, go_on_by_keys),
}


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("slug", SLUGS)
def test_a_whole_game(slug, hand, seat_of_ada):
    game = engines.get(slug)
    screen, pointer, play, go_on = HANDS[hand]
    table, page = seat_of_ada(game, min(game.seats), screen, by=pointer, options=SHORTER.get(slug))
    player, rng = bots.bot(slug, "club"), Random(3)
    while (table := others_move(table, rng)).status == Table.Status.RUNNING:
        wait_for_seq(page, table.version)
        if page.locator("[data-next]").count():
            go_on(page)
            expect(page.locator("[data-next]")).to_have_count(0)
            table.refresh_from_db()  # which counts that as well
        view = replay.state_of(table).view(0)
        play(page, view, str(player.choose(view, rng)))
        wait_for_seq(page, table.version + 1)
        expect(page.locator("#board .refusal")).to_have_count(0)
    wait_for_seq(page, table.version)
    print(slug, hand, table.move_count, "moves", len(replay.state_of(table).results), "hands")
    expect(page.locator(".drag-ghost")).to_have_count(0)
