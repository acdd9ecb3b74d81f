"""Agreements in real browsers."""

import pytest
from playwright.sync_api import expect

from games import services

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def enter(live_url, new_context, log_in):
    """`enter("alice", "/play/")`: a page of that account in a browser of its own."""

    def open_page(name, path, **context):
        browser = new_context(**context)
        log_in(browser, name)
        page = browser.new_page()
        page.goto(live_url + path)
        return page

    return open_page


CARDS_OF_HAND = "() => [...document.querySelectorAll('.hand .pick')].map((pick) => pick.dataset.card).join()"


def test_a_move_is_taken_back_by_keyboard_once_the_other_agrees_on_the_phone(table_of, play_on, enter):
    table = table_of("alice", "bob")
    alice, bob = enter("alice", table.get_absolute_url()), enter("bob", table.get_absolute_url(), viewport=PHONE)
    before = alice.evaluate(CARDS_OF_HAND)
    play_on(table, 1)
    alice.locator(".prompt", has_text="bob to move.").wait_for()
    alice.get_by_text("At the table", exact=True).press("Enter")
    alice.get_by_role("button", name="Ask to take back the last move").press("Enter")
    alice.locator(".asked", has_text="You ask to take back the last move. Waiting for bob.").wait_for()
    bob.get_by_role("button", name="Agree").wait_for()
    expect(bob.locator("#announce")).to_contain_text("Alice asks to take back the last move.")
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert bob.locator(".hand").bounding_box()["y"] < PHONE["height"] - 60
    bob.get_by_role("button", name="Agree").press("Enter")
    bob.locator(".asked", has_text="alice takes back the last move.").wait_for()
    expect(bob.locator("#board .prompt")).to_be_focused()
    alice.locator(".asked", has_text="You take back the last move.").wait_for()
    expect(alice.locator("#announce")).to_contain_text("You take back the last move.")
    assert alice.evaluate(CARDS_OF_HAND) == before


def test_the_button_to_take_a_move_back_is_there_only_when_it_can_be(table_of, state_of, play_on, enter):
    table = table_of("alice", "bob", game="gin-rummy")
    while not {"D", "U"} <= {str(move) for move in state_of(table).legal_moves(state_of(table).to_act[0])}:
        table = play_on(table, 1)
    seat = state_of(table).to_act[0]
    mover = enter(table.names[seat], table.get_absolute_url())
    mover.get_by_text("At the table", exact=True).click()
    undo = mover.get_by_role("button", name="Ask to take back the last move")
    expect(mover.get_by_role("button", name="Ask to end the game in a draw")).to_be_visible()
    expect(undo).to_have_count(0)
    table = services.play_move(table_id=table.pk, seat=seat, text="D", version=table.version)
    expect(mover.locator("#own-actions")).to_contain_text("Something hidden has shown by the last move")
    expect(undo).to_have_count(0)
    play_on(table, 1)
    expect(undo).to_be_visible()


def test_a_question_leaves_what_the_other_is_arranging_as_it_is(table_of, person, enter):
    table = table_of("alice", "bob", game="vatican")
    alice = enter("alice", table.get_absolute_url())
    card = alice.locator(".hand [data-card]").first
    name = card.get_attribute("data-card")
    card.click(position={"x": 10, "y": 20})
    alice.locator('.bench-put [data-put="new"]').click()
    alice.wait_for_selector(".meld.is-wrong")
    services.ask_question(table_id=table.pk, user=person("bob"), kind="share")
    alice.get_by_role("button", name="Refuse").wait_for()
    expect(alice.locator(f'.bench-melds [data-card="{name}"]')).to_have_count(1)
