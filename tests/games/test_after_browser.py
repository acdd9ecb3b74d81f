"""After the game, in a real browser: the replay plays by itself, one goes on from a moment, deals are checked."""

import re

import pytest
from playwright.sync_api import expect

from games import services
from games.models import Table


@pytest.fixture
def given_up(transactional_db, table_of, play_on, person, house_bot):
    """Casino, given up after eight moves."""
    house_bot("Ada", level="club")
    table = play_on(table_of("alice", "bob"), 8)
    services.resign(table_id=table.pk, user=person("alice"))
    return table


def test_a_replay_plays_by_itself_and_one_goes_on_from_a_moment(live_url, new_context, given_up, axe):
    page = new_context().new_page()
    page.goto(f"{live_url}/tables/{given_up.code}/replay/")
    page.get_by_label("Speed").select_option("fast")
    page.locator("body").press("Space")
    expect(page.locator(".replay-at")).to_have_text("move 3 of 8")
    page.locator("body").press("Space")
    page.wait_for_function("() => !document.querySelector('.replay .htmx-request')")  # a step that was on its way
    stopped_at = page.locator("#board").get_attribute("data-seq")
    expect(page.locator("#replay-moves [aria-current]")).to_have_attribute("value", stopped_at)
    page.locator("body").press("ArrowLeft")
    at = int(stopped_at) - 1
    expect(page.locator(".replay-at")).to_have_text(f"move {at} of 8")
    expect(page).to_have_url(re.compile(rf"\?at={at}$"))
    expect(page.locator("#moment")).to_have_value(re.compile(rf"at={at}&seat=0$"))
    page.get_by_text("What if: play on from here").click()
    axe(page)
    page.get_by_role("button", name="Play on").click()
    page.wait_for_selector(".hand")
    table = Table.objects.get(branch_of=given_up)
    assert table.branch_at == at
    expect(page.locator("#side")).to_contain_text(f"move {at} of another game")


def test_quick_presses_of_a_key_in_a_replay_are_all_counted_and_its_end_says_who_won(live_url, new_context, given_up):
    """Each press followed the link of the board that was shown, so all before its answer led to the same move."""
    page = new_context().new_page()
    page.goto(f"{live_url}/tables/{given_up.code}/replay/")
    own = page.get_by_role("link", name="as this player saw them")
    own.focus()
    page.evaluate(
        """for (let press = 0; press < 5; press++)
             document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))"""
    )
    expect(page.locator("#board")).to_have_attribute("data-seq", "5")
    expect(page.locator("#replay-number")).to_have_text("5")
    expect(own).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".foot .prompt")).to_contain_text("bob wins")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".foot .prompt")).not_to_contain_text("bob wins")


def test_a_printed_result_has_the_sheets_of_all_hands(live_url, new_context, transactional_db, table_of, play_on):
    table = play_on(table_of("alice", "bob"))
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_url}/tables/{table.code}/result/")
    sheets = page.locator(".hand-result .score-sheet")
    assert sheets.count() > 1
    expect(sheets.first).not_to_be_visible()
    page.get_by_text("Hand 1:").click()
    expect(sheets.first).to_be_visible()
    page.get_by_text("Hand 1:").click()
    page.emulate_media(media="print")
    for sheet in sheets.all():
        expect(sheet).to_be_visible()


def test_deals_are_checked_in_the_browser(live_url, new_context, given_up):
    page = new_context().new_page()
    page.goto(f"{live_url}/tables/{given_up.code}/verify/")
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator("#verified")).to_contain_text(
        "The secret fits its seal. Each number fits its commitment. The deal is as computed."
    )
    expect(page.locator("[data-deck='1']")).to_have_text("as computed")
    expect(page.locator("#verified")).to_contain_text("Seat 2 dealt first")

    def lie(route):
        record = route.fetch().json()
        record["decks"][0].reverse()
        route.fulfill(json=record | {"seal": "0" * 64})

    page.route("**/deals.json", lie)
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator("#verified")).to_contain_text(
        "The secret does NOT fit its seal. A number does NOT fit its commitment. 1 of 1 deals DIFFER."
    )
    expect(page.locator("[data-deck='1']")).to_have_text("DIFFERS")
