"""A newcomer's first minute: a step on the home page, a game against a bot, a friend who joins."""

import pytest
from playwright.sync_api import expect

from games.models import Table
from tests.fingers import offer_of, try_offer

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]
PHONE = {"width": 390, "height": 844}


def test_a_newcomer_plays_a_step_then_a_bot_and_invites_a_friend(live_url, new_context, house_bot, axe):
    house_bot("Ada", level="club")
    context = new_context(viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(live_url)
    axe(page)
    try_offer(page, offer_of(page, "9Sx9D"))
    expect(page.locator("#lesson [role=alert]")).to_contain_text("You left a nine behind")
    page.get_by_role("link", name="Try again").click()
    try_offer(page, offer_of(page, "9Sx9D+9H"))
    expect(page.locator("#lesson [role=status]")).to_contain_text("Three nines for you")
    axe(page)
    page.goto(live_url)
    expect(page.get_by_role("navigation", name="Continue")).to_contain_text("Continue: Casino, step 2")
    page.get_by_role("button", name="Play Casino against a bot").click()
    expect(page.locator(".hand .card")).to_have_count(4)
    expect(page.get_by_role("form", name="Sounds")).to_be_visible()  # the deal does not take it away

    page.goto(f"{live_url}/games/gin-rummy/")
    page.get_by_role("button", name="Invite a friend").click()
    expect(page.get_by_text("Link copied. Send it to your friend.")).to_be_visible()
    axe(page)
    table = Table.objects.get(game="gin-rummy")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{live_url}{table.get_absolute_url()}"

    friend = new_context().new_page()
    friend.goto(link)
    expect(friend.locator("#board h2")).to_contain_text("invites you to Gin Rummy")
    expect(friend.locator("#board")).to_contain_text("About 30 minutes, 2 players")
    axe(friend)
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_role("button", name="Sit here").click()
    for player in (page, friend):
        expect(player.locator(".hand .card")).to_have_count(10)
    assert "Guest Ben" in table.names


def test_the_step_on_the_home_page_needs_no_script(live_url, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(live_url)
    for card in ("9S", "9D", "9H"):
        page.locator(f'[name="pick"][value="{card}"]').check()
    page.get_by_role("button", name="Try these cards").click()
    assert page.url == f"{live_url}/#lesson"
    expect(page.locator("#lesson [role=status]")).to_contain_text("Three nines for you")


def test_a_time_that_has_come_is_now_and_does_not_count_the_seconds_since(page, live_url):
    page.goto(live_url)
    page.evaluate("""() => {
        const at = new Date(Date.now() - 26_000).toISOString();
        const time = (shape) => `<time datetime="${at}" data-time="${shape}" id="${shape}">10:15</time>`;
        document.querySelector("main").insertAdjacentHTML("beforeend", time("relative") + time("ago"));
    }""")
    expect(page.locator("#relative")).to_have_text("now")
    expect(page.locator("#ago")).to_contain_text("seconds ago")


def test_a_day_of_another_year_names_its_year(page, live_url):
    page.goto(live_url)
    page.evaluate("""() => {
        const now = new Date();
        const time = (at, id) => `<time datetime="${at.toISOString()}" data-time="day" id="${id}">then</time>`;
        const before = new Date(now.getFullYear() - 2, 6, 15);
        document.querySelector("main").insertAdjacentHTML("beforeend", time(now, "now") + time(before, "before"));
        document.dispatchEvent(new Event("htmx:afterSwap"));
    }""")
    year = page.evaluate("() => new Date().getFullYear()")
    expect(page.locator("#before")).to_contain_text(str(year - 2))
    expect(page.locator("#now")).not_to_have_text("then")
    expect(page.locator("#now")).not_to_contain_text(str(year))
