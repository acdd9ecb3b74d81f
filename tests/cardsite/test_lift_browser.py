"""Drag and drop by keys: Space lifts a card, arrows lead to its places, Space or Enter drops it."""

import pytest
from playwright.sync_api import expect

from tests.fingers import pick_of


def focused(page) -> str:
    return page.evaluate("(({ dataset }) => dataset.pick ?? dataset.zone ?? dataset.put)(document.activeElement)")


def press(page, *keys: str) -> str:
    for key in keys:
        page.keyboard.press(key)
    return focused(page)


def test_arrows_lead_a_lifted_card_through_the_places_where_it_may_go(casino) -> None:
    casino.focus(pick_of("8S"))
    assert press(casino, "Space") == "8S"
    expect(casino.locator("#announce")).to_have_text(
        "Eight of spades lifted, 3 places: three of clubs; five of diamonds; Build of 8."
    )
    expect(casino.locator(".is-drop")).to_have_count(3)
    assert {press(casino, "ArrowRight") for _ in range(3)} == {"3C", "5D", "build:8"}
    assert {press(casino, "ArrowUp") for _ in range(3)} == {"3C", "5D", "build:8"}


def test_a_drop_that_means_one_move_plays_it(casino) -> None:
    casino.focus(pick_of("KC"))
    assert press(casino, "Space", "ArrowDown") == "KH"
    casino.keyboard.press("Space")
    casino.wait_for_selector('#board[data-seq="8"]')
    assert focused(casino) == "KC"


def test_a_drop_that_means_several_moves_lets_the_player_choose(casino) -> None:
    casino.focus(pick_of("8S"))
    press(casino, "Space")
    while press(casino, "ArrowDown") != "3C":
        pass
    casino.keyboard.press("Enter")
    expect(casino.locator(".choice.is-offered .button")).to_have_count(2)
    assert casino.evaluate("document.activeElement.closest('.choice') !== null")
    assert casino.get_attribute("#board", "data-seq") == "7"


def test_escape_puts_a_lifted_card_back(casino) -> None:
    casino.focus(pick_of("8S"))
    assert press(casino, "Space", "ArrowDown", "Escape") == "8S"
    expect(casino.locator("#announce")).to_contain_text("Put back.")
    expect(casino.locator(".is-drop, [aria-pressed='true']")).to_have_count(0)


def test_a_card_that_has_no_place_is_selected_as_ever(casino) -> None:
    casino.focus(pick_of("3C"))
    press(casino, "Space")
    expect(casino.locator(pick_of("3C"))).to_have_attribute("aria-pressed", "true")
    expect(casino.locator(".has-drag")).to_have_count(0)


def test_cards_of_a_selection_are_lifted_together_and_dropped_on_the_crib(
    live_url, new_context, log_in, table_of
) -> None:
    table = table_of("ada", "bob", game="partnership-cribbage")
    page = new_context().new_page()
    log_in(page.context, "ada")
    page.goto(f"{live_url}{table.get_absolute_url()}")
    page.wait_for_selector(".pick[data-drag]")
    page.locator(".hand .pick").first.focus()
    press(page, "Space", "ArrowRight", "Space")
    expect(page.locator('.hand [aria-pressed="true"]')).to_have_count(2)
    assert press(page, "ArrowUp") == "crib"
    page.keyboard.press("Space")
    expect(page.locator(".hand [data-card]")).to_have_count(4)


@pytest.mark.parametrize(
    ("game", "names", "lifted", "said"),
    [
        ("russian-bank", "ada bob", "6S1", "Six of spades lifted, 1 place: Your pile 4: seven of diamonds."),
        ("push", "ada bob cleo dora", "stock", "Stock, 83 cards lifted, 1 place: your hand."),
    ],
    ids=["pile", "hand"],
)
def test_a_pile_and_the_hand_are_named_as_places(
    game, names, lifted, said, live_url, new_context, log_in, table_of
) -> None:
    table = table_of(*names.split(), game=game)
    page = new_context().new_page()
    log_in(page.context, "ada")
    page.goto(f"{live_url}{table.get_absolute_url()}")
    page.wait_for_selector(".pick[data-drag]")
    page.focus(pick_of(lifted))
    press(page, "Space")
    expect(page.locator("#announce")).to_have_text(said)


def test_a_card_of_a_workbench_is_lifted_into_a_meld(vatican) -> None:
    card = vatican.locator(".hand .pick").first.get_attribute("data-card")
    vatican.locator(".hand .pick").first.focus()
    press(vatican, "Space")
    while press(vatican, "ArrowDown") != "new":
        pass
    vatican.keyboard.press("Enter")
    expect(vatican.locator(f'.meld [data-card="{card}"]')).to_have_count(1)
    assert focused(vatican) == card
