"""Clocks in real browsers."""

import re
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.domain.clocks import PACES

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def enter(live_url, new_context, log_in):
    """`enter("alice", "/play/")`: a page of that account in a browser of its own, whose time the test moves."""

    def open_page(name, path, **context):
        browser = new_context(**context)
        log_in(browser, name)
        page = browser.new_page()
        page.clock.install()
        page.goto(live_url + path)
        return page

    return open_page


def milliseconds_sent_with_a_move(page):
    """How long the page says that the board has been there."""
    page.locator(".hand .pick").first.click()
    with page.expect_request("**/moves/") as sent:
        page.locator(".choice.is-offered button").first.click()
    return int(parse_qs(sent.value.post_data)["held"][0])


def test_both_see_the_clock_run_and_its_owner_hears_when_it_is_short(table_of, enter):
    table = table_of("alice", "bob", **PACES["standard"].fields)
    alice, bob = (enter(name, table.get_absolute_url(), viewport=PHONE) for name in ("alice", "bob"))
    for page in (alice, bob):
        page.clock.fast_forward(272_000)
        page.wait_for_selector("time.clock:text-matches('^0:2[0-8]$')")
        expect(page.locator("span.clock")).to_have_text("5:00")
    expect(alice.locator("#announce")).to_have_text(re.compile(r"^2\d seconds left\.$"))
    expect(bob.locator("#announce")).not_to_contain_text("seconds left")
    alice.clock.fast_forward(20_000)
    alice.wait_for_selector("time.clock.is-short")
    assert milliseconds_sent_with_a_move(alice) >= 292_000
    bob.wait_for_selector(".own time.clock")
    expect(bob.locator(".seats span.clock")).to_have_text(re.compile("^5:0"))
    assert milliseconds_sent_with_a_move(bob) < 60_000


@pytest.mark.parametrize("minutes", [-3, 3])
def test_a_clock_of_the_machine_that_is_set_meanwhile_spoils_no_move_and_no_clock(minutes, table_of, enter):
    page = enter("alice", table_of("alice", "bob", **PACES["standard"].fields).get_absolute_url())
    page.wait_for_selector("time.clock")
    page.clock.set_system_time(timezone.now() + timedelta(minutes=minutes))
    assert 0 <= milliseconds_sent_with_a_move(page) < 60_000
    page.wait_for_selector('#board[data-turn="other"]')
    expect(page.locator("time.clock")).to_have_text(re.compile("^(5:0|4:5)"))
