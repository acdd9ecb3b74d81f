"""A puzzle in a real browser: played by touching cards, answered in place, readable for all."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.fingers import offer_of, play_offer
from tests.tutorials.puzzle_samples import store_sample
from tutorials.models import PuzzleAttempt

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("move", "verdict"), [("TH", "2 points better than any other move."), ("QD", "Not the best move.")]
)
def test_a_puzzle_is_played_with_a_finger_and_answered_in_place(live_url, new_context, axe, move, verdict):
    puzzle = store_sample()
    page = new_context(viewport=PHONE, timezone_id="Pacific/Auckland").new_page()
    page.goto(f"{live_url}/puzzles/")
    axe(page)
    play_offer(page, offer_of(page, move))
    expect(page.locator("#puzzle .notice")).to_contain_text(verdict)
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()
    assert page.url == f"{live_url}/puzzles/"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    axe(page)
    attempt = PuzzleAttempt.objects.get(puzzle=puzzle)
    assert attempt.is_right is (move == "TH")
    assert attempt.day >= date.fromtimestamp(attempt.at.timestamp())  # in Auckland it is never earlier than here
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", name="No more Sixty-Six puzzles")).to_be_visible()


def test_the_first_visit_shows_the_puzzle_of_the_visitors_own_day(new_context, live_url):
    now = datetime.now(UTC)
    zone = "Pacific/Kiritimati" if now.hour >= 12 else "Pacific/Pago_Pago"  # where it is another day now
    store_sample()
    page = new_context(timezone_id=zone).new_page()
    page.goto(f"{live_url}/puzzles/")
    day = now.astimezone(ZoneInfo(zone)).date()
    assert day != now.date()
    expect(page.locator("#puzzle")).to_have_attribute("data-day", day.isoformat())
