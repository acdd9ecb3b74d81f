"""In a browser: the first chapter of Casino by clicks and by keys, without script, on every width."""

import re

import pytest
from playwright.sync_api import expect

from tests.viewports import resize
from tutorials.content import library
from tutorials.models import LessonProgress

CHAPTER = library.load_course("casino").chapters[0]
# What to select in each step of the first chapter.
SELECTIONS = [
    ("9S", "9D", "9H"),
    ("AH", "AS"),
    ("KS", "KD"),
    ("8S", "3C", "5H"),
    ("8S", "8D", "3C", "5H", "2C", "6S"),
    ("7C", "AS", "3D", "3H"),
]
PAGES = [
    "/learn/",
    "/learn/casino/",
    "/learn/casino/taking/",
    "/learn/casino/counting/dear-cards/",
    "/learn/casino/letting-go/what-may-i/",
    "/learn/casino/building/nobody-owns/",
    "/learn/casino/first-game/first-hand/?advice=1",
    "/learn/vatican/rearranging/spare-seven/",
    "/rules/",
    "/rules/casino/",
]


def pick(page, card: str):
    return page.locator(f'#board .pick[data-pick="{card}"]')


def finished_steps() -> set[str]:
    return set(LessonProgress.objects.filter(done_at__isnull=False).values_list("step", flat=True))


def test_the_first_chapter_is_learned_by_clicking(page, live_url):
    page.goto(f"{live_url}/learn/casino/")
    for cards in SELECTIONS:
        with page.expect_navigation():  # a click counts when the scripts are there
            page.get_by_role("link", name=re.compile("^(Start$|Next:)")).click()
        for card in cards:
            pick(page, card).click()
        page.locator(".is-enter button").click()
    page.get_by_role("link", name="Next: When nothing fits").wait_for()
    assert finished_steps() == {step.id for step in CHAPTER.steps}
    page.goto(f"{live_url}/learn/casino/")
    expect(page.get_by_label("6 of 6 stars")).to_be_visible()


def press_to(page, matches: str) -> None:
    """Tab until the focus is on something that matches."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", matches):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {matches}")


def press_to_card(page, card: str) -> None:
    """Tab to the zone of a card, then arrows to the card."""
    zone = pick(page, card).locator("xpath=ancestor::*[@data-zone]").get_attribute("data-zone")
    press_to(page, f'[data-zone="{zone}"] .pick')
    for key in ("ArrowRight", "ArrowLeft"):
        for _ in range(10):
            if page.evaluate("document.activeElement.dataset.pick") == card:
                return
            page.keyboard.press(key)
    raise AssertionError(f"the arrows do not reach {card}")


def test_the_first_chapter_is_learned_by_keys_alone(page, live_url):
    page.goto(f"{live_url}/learn/casino/")
    press_to(page, f'a[href^="/learn/casino/taking/{CHAPTER.steps[0].id}/"].button')
    for cards in SELECTIONS:
        with page.expect_navigation():
            page.keyboard.press("Enter")
        for card in (*cards[1:], cards[0]):
            press_to_card(page, card)
            page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.locator("a:focus", has_text="Next:").wait_for()
    page.locator("a:focus", has_text="Next: When nothing fits").wait_for()
    assert finished_steps() == {step.id for step in CHAPTER.steps}


def test_a_wrong_move_is_shown_and_tried_again(page, live_url):
    page.goto(f"{live_url}/learn/casino/taking/same-rank/")
    for card in ("9S", "9D"):
        pick(page, card).click()
    page.locator(".is-enter button").click()
    page.get_by_role("alert").get_by_text("guess who has the fourth one").wait_for()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("link", name="Try again")).to_have_count(0)
    for card in ("9S", "KC"):
        pick(page, card).click()
    page.locator(".is-enter button").click()
    refusal = page.get_by_role("alert")
    refusal.get_by_text("has no number value").wait_for()
    expect(refusal.get_by_role("link", name="The rule")).to_have_attribute("href", "/rules/casino/#capture-face")


def test_the_lesson_works_without_script(new_context, live_url):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_url}/learn/casino/taking/same-rank/")
    expect(page.locator('form:has([value="9Sx9D+9H"]) button')).to_be_hidden()
    for card in ("9S", "9D", "9H"):
        page.locator(f'[name="pick"][value="{card}"]').check()
    page.get_by_role("button", name="Try these cards").click()
    page.get_by_role("link", name="Next: What you want most").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What you want most")


@pytest.mark.parametrize("url", PAGES)
def test_pages_are_accessible_and_fit_every_width(page, live_url, axe, url):
    page.goto(live_url + url)
    for width in (1440, 768, 360):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)


@pytest.mark.parametrize("cards", [("9S", "9D", "9H"), ("9S", "9D"), ("9S", "KC")])
def test_answers_are_accessible_and_fit_a_phone(new_context, live_url, axe, cards):
    page = new_context(java_script_enabled=True, viewport={"width": 360, "height": 740}).new_page()
    page.goto(f"{live_url}/learn/casino/taking/same-rank/")
    for card in cards:
        pick(page, card).click()
    page.locator(".is-enter button").click()
    page.locator(".notice").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    axe(page)
