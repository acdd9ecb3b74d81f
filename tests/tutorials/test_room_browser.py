"""Room in a lesson: a refusal moves no card, and a joker between other cards is wide enough to be hit."""

import pytest
from playwright.sync_api import expect

from notifications.services import notify
from tests.fingers import CORNER
from tutorials.content import library
from tutorials.navigation import step_url

SIZE = {"width": 1440, "height": 757}
LEAST_PX = 24
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
ON_ITS_SIDE = {"width": 844, "height": 390}
COVERED = """all => all.filter((card) => {
  const { left, top } = card.getBoundingClientRect();
  return !card.contains(document.elementFromPoint(left + 4, top + 8));
}).length"""
HEARS_NOTICE = """document.addEventListener("htmx:afterSettle", () => {
  window.isTold ||= document.querySelector("#notices li") !== null;
})"""
JOKERS = "all => all.map((pick) => pick.getBoundingClientRect().width)"


def open_step(new_context, live_url, chapter_id, step_id, size=SIZE, game="push"):
    chapter = next(chapter for chapter in library.load_course(game).chapters if chapter.id == chapter_id)
    step = next(step for step in chapter.steps if step.id == step_id)
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    page.goto(live_url + step_url(game, chapter, step))
    page.locator("#board").wait_for()
    return page


def test_a_refusal_in_a_lesson_leaves_the_hand_where_it_is(new_context, live_url):
    page = open_step(new_context, live_url, "melds", "three-queens")
    for card in ("QS1", "QD1"):
        page.locator(f'.hand [data-pick="{card}"]').click(position=CORNER)
    where = page.locator(".hand .cards").bounding_box()
    page.locator("[data-try].is-offered button, .selection.is-offered button").first.click()
    expect(page.locator("#board .refusal")).to_be_visible()
    assert page.locator(".hand .cards").bounding_box() == where


def test_a_joker_in_a_meld_can_be_hit(new_context, live_url):
    page = open_step(new_context, live_url, "jokers", "free-it")
    widths = page.locator("#board .zone-meld [data-pick^=X]").evaluate_all(JOKERS)
    assert widths and min(widths) >= LEAST_PX
    hand = page.locator(".hand .cards").bounding_box()
    assert hand["y"] + hand["height"] <= SIZE["height"]


def test_on_a_phone_the_foot_covers_no_meld_that_a_step_is_about(new_context, live_url):
    """Its room for many buttons lay on them; there it stays at the lower edge, and grows upwards when they come."""
    page = open_step(new_context, live_url, "jokers", "what-stays", PHONE)
    cards = page.locator("#board .zone-meld .pick")
    assert cards.count() > 4
    assert cards.evaluate_all(COVERED) == 0
    hand = page.locator(".hand .cards").bounding_box()
    page.locator(".hand .pick").first.click(position=CORNER)
    assert page.locator(".hand .cards").bounding_box() == hand


def test_on_a_phone_the_foot_covers_no_pile_below_long_words(new_context, live_url):
    page = open_step(new_context, live_url, "stop", "watch", PHONE, "russian-bank")
    lowest = page.locator("#board .middle .cards").evaluate_all(
        "all => all.map((pile) => pile.getBoundingClientRect().bottom)"
    )
    assert max(lowest) <= page.locator("#board .foot").bounding_box()["y"]


def test_all_that_a_step_with_piles_shows_fits_the_window(new_context, live_url):
    page = open_step(new_context, live_url, "foundations", "aces-first", DESKTOP, "russian-bank")
    foot = page.locator("#board .foot").bounding_box()
    assert foot["y"] + foot["height"] <= DESKTOP["height"]


def test_on_a_phone_the_set_that_grows_is_in_sight_after_the_contract(new_context, live_url):
    page = open_step(new_context, live_url, "open", "own-feet", PHONE)
    for card in ("3S1", "3H1", "3C2", "9D1", "9S2", "2H2"):
        page.locator(f'.hand [data-pick="{card}"]').click(position=CORNER)
    page.locator("[data-try].is-offered button, .selection.is-offered button").first.click()
    expect(page.locator("#board .own .zone-meld")).to_have_count(2)
    jacks = page.locator('#board .zone-meld:has([data-card="JS1"]) [data-card]')
    assert jacks.count() == 3
    assert jacks.evaluate_all(COVERED) == 0


def test_on_a_phone_the_foot_does_not_cover_the_trick_that_is_answered(new_context, live_url):
    page = open_step(new_context, live_url, "tricks", "no-duty", PHONE, "sixty-six")
    led = page.locator('#board [data-zone="trick"] [data-card]')
    assert led.count() == 1
    assert led.evaluate_all(COVERED) == 0


def test_on_a_phone_the_answer_covers_no_card_that_it_is_about(new_context, live_url):
    """The table above it shows what would have happened, here with two more cards in a second row."""
    page = open_step(new_context, live_url, "taking", "sums", PHONE, "casino")
    page.locator('[data-pick="8S"]').click(position=CORNER)
    page.locator("[data-try].is-offered button").click()
    expect(page.get_by_role("link", name="Try again")).to_be_in_viewport()
    cards = page.locator("#board .middle [data-card]")
    assert cards.count() == 6
    assert cards.evaluate_all(COVERED) == 0


def test_a_notice_does_not_scroll_a_lesson(new_context, live_url, log_in, person):
    context = new_context(reduced_motion="reduce", viewport={"width": 844, "height": 390})
    log_in(context, "ann")
    page = context.new_page()
    chapter = next(chapter for chapter in library.load_course("push").chapters if chapter.id == "melds")
    page.goto(live_url + step_url("push", chapter, chapter.steps[0]))
    page.locator("#board").wait_for()
    page.evaluate(HEARS_NOTICE)
    where = page.evaluate("scrollTo(0, document.body.scrollHeight), scrollY")
    assert where > 0
    notify(person("ann"), key="event:1", text="Cup 1 starts now", url="/tournaments/")
    page.wait_for_function("() => window.isTold")
    assert page.evaluate("scrollY") == where


def test_on_a_phone_each_of_many_buttons_can_be_scrolled_to(new_context, live_url):
    page = open_step(new_context, live_url, "house-rules", "big-gin", PHONE, "gin-rummy")
    buttons = page.locator(".choices button:visible")
    assert buttons.count() > 3
    buttons.first.scroll_into_view_if_needed()
    assert buttons.first.bounding_box()["y"] >= page.locator(".choices").bounding_box()["y"]


def test_on_a_phone_the_foot_keeps_no_room_for_a_hand_that_is_empty(new_context, live_url):
    """It lay on the pot from which the question is answered."""
    page = open_step(new_context, live_url, "rondas", "which-one", PHONE, "cuarenta")
    pot = page.locator('#board [data-zone="pot"] .card')
    assert pot.count() == 6
    assert pot.evaluate_all(COVERED) == 0
    lowest = pot.evaluate_all("all => Math.max(...all.map((card) => card.getBoundingClientRect().bottom))")
    assert lowest <= page.locator("#board .foot").bounding_box()["y"]


@pytest.mark.parametrize(
    ("game", "chapter", "step"),
    [("russian-bank", "first-game", "first-end"), ("tabletop-cribbage", "square", "where")],
)
def test_on_a_phone_on_its_side_piles_and_the_square_are_whole(new_context, live_url, game, chapter, step):
    """The outer piles were cut, and the plate of the other player lay on the square."""
    page = open_step(new_context, live_url, chapter, step, ON_ITS_SIDE, game)
    middle = page.locator("#board .middle").bounding_box()
    plate = page.locator("#board .seats .plate").bounding_box()
    assert plate["x"] + plate["width"] <= middle["x"]
    places = page.locator("#board .middle :is(.card, .place):visible").evaluate_all(
        "all => all.map((place) => place.getBoundingClientRect())"
    )
    assert len(places) >= 16
    assert min(place["left"] for place in places) >= middle["x"]
    assert max(place["right"] for place in places) <= middle["x"] + middle["width"]


def test_on_a_phone_on_its_side_an_answer_is_read_from_its_beginning(new_context, live_url):
    """It was scrolled to its button, and what it says first was out of sight."""
    page = open_step(new_context, live_url, "courts", "jack-and-two", ON_ITS_SIDE, "royal-casino")
    page.locator('[data-pick="4H"]').click()
    page.locator("[data-try].is-offered button").click()
    expect(page.get_by_role("link", name="Try again")).to_be_focused()
    expect(page.get_by_role("link", name="Try again")).to_be_in_viewport(ratio=1)
    turn, answer = page.locator("#board .turn").bounding_box(), page.locator("#board .notice").bounding_box()
    assert answer["y"] >= turn["y"] - 1
