"""A ladder in a real browser: two players go through a challenge, by keyboard, and the pages fit and are accessible."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.factories import person
from tournaments.models import Ladder
from tournaments.services import ladders

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
def ladder(live_url) -> Ladder:
    made = ladders.save_ladder(Ladder(name="Gin ladder", game="gin-rummy"), by=person("dora"))
    for name in ("ann", "Maximilian-of-Vienna", "bob", "cat"):
        ladders.join_ladder(ladder_id=made.pk, user=person(name), now=timezone.now())
    return made


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_challenge_is_made_and_accepted_by_keyboard(new_context, log_in, live_url, ladder, axe, viewport):
    def fits(page) -> None:
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page = new_context(viewport=viewport).new_page()
    log_in(page.context, "cat")
    page.goto(live_url + ladder.get_absolute_url())
    fits(page)
    button = page.get_by_role("button", name="Challenge Maximilian-of-Vienna")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("You have challenged Maximilian-of-Vienna, who can answer")).to_be_visible()
    expect(page.get_by_role("row", name="4 cat you has challenged Maximilian-of-Vienna")).to_be_visible()
    fits(page)
    rival = new_context(viewport=viewport).new_page()
    log_in(rival.context, "Maximilian-of-Vienna")
    rival.goto(live_url + ladder.get_absolute_url())
    fits(rival)
    rival.get_by_role("button", name="Accept and start the game").press("Enter")
    expect(rival.get_by_role("link", name="Go to your table")).to_be_visible()
    fits(rival)
    page.reload()
    page.get_by_role("link", name="Go to your table").press("Enter")
    expect(page.get_by_role("region", name="Gin Rummy table")).to_be_visible()
    page.goto(f"{live_url}{ladder.get_absolute_url()}history/")
    expect(page.get_by_text("joined in place 4")).to_be_visible()
    fits(page)
