"""A browser from before 2024 is told so, and one without modules gets the pages that work without script."""

import pytest
from playwright.sync_api import Page, Route, expect

NOTE = "This browser is too old"


@pytest.mark.e2e
def test_a_browser_without_our_colours_is_told_that_it_is_too_old(page: Page, live_url: str) -> None:
    page.goto(live_url)
    expect(page.get_by_text(NOTE)).to_be_hidden()

    def as_read_by_an_old_browser(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("light-dark(", "unknown("))

    page.route("**/*.css", as_read_by_an_old_browser)
    page.goto(live_url)
    expect(page.get_by_text(NOTE)).to_be_visible()


@pytest.mark.e2e
def test_a_browser_without_modules_gets_what_works_without_script(page: Page, live_url: str) -> None:
    page.add_init_script("delete HTMLScriptElement.prototype.noModule")
    page.goto(live_url)
    page.get_by_text("Display").first.click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
