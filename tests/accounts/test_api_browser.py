"""Pages about the API in the browser: a token that is shown once, a bot, and what operations there are."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import ApiToken, User

SIZES = [(390, 844), (1440, 900)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_person_makes_a_token_and_registers_a_bot(new_context, live_url, log_in, axe, size):
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    log_in(page.context, "alice")
    page.goto(f"{live_url}/accounts/")
    page.get_by_role("link", name="API tokens").click()
    page.get_by_label("Name", exact=True).fill("laptop")
    page.get_by_label("Open tables, join, move, ask, resign").check()
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_label("Your new token")).to_have_value(re.compile(re.escape(ApiToken.objects.get().start)))
    axe(page)
    page.goto(f"{live_url}/accounts/tokens/")
    expect(page.get_by_label("Your new token")).to_have_count(0)
    page.get_by_role("button", name="Revoke laptop").click()
    expect(page.locator(".messages", has_text="no longer works")).to_be_visible()
    page.goto(f"{live_url}/accounts/bots/")
    page.get_by_label("Name", exact=True).fill("Deep")
    page.get_by_role("button", name="Register bot").click()
    expect(page.get_by_label("New token of Deep")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Retire bot Deep").click()
    expect(page.locator(".messages", has_text="Deep is retired")).to_be_visible()
    assert not User.objects.get(username="Deep").is_active


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_page_about_the_api_lists_its_operations(new_context, live_url, axe, size):
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{live_url}/api/")
    page.get_by_text("POST /api/v1/tables/{code}/moves").click()
    expect(page.get_by_text("the answer is the problem")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    axe(page)
