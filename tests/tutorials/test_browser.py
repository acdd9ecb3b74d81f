"""The first move of every course, made in a real browser on a phone."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games import engines
from tests.fingers import offer_of, play_marked, try_offer
from tutorials import reviews
from tutorials.content import library
from tutorials.drills.questions import fresh_source
from tutorials.models import Drill, ReviewAnswer
from tutorials.navigation import step_url

from .test_drills import BUILDER

CARD = re.compile(r"\b[A2-9TJQK][CDHS][12]?\b")
PHONE = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 844, "height": 390}


def first_move(slug):
    """The first step that asks for a written move: (address, the move). On a workbench one that needs no cards."""
    for chapter in library.load_course(slug).chapters:
        for step in chapter.steps:
            moves = step.turns[0].accept if step.turns else ()
            if moves and not (engines.get(slug).workbench and moves[0] != "D"):
                return step_url(slug, chapter, step), step.turns[0].accept[0]
    raise AssertionError(f"the course of {slug} asks for no move")


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_the_first_move_of_a_course_is_made_with_a_finger(slug, live_url, new_context):
    address, text = first_move(slug)
    page = new_context(viewport=PHONE).new_page()
    page.goto(f"{live_url}{address}")
    if engines.get(slug).workbench:
        draw = page.locator(".bench-bar form:not(.script)", has=page.locator(f"[value={text}]"))
        draw.get_by_role("button").click()
    elif offer_of(page, text).count():
        try_offer(page, offer_of(page, text))
    elif page.locator(f".choices form:not(.choice) [value='{text}']").count():
        page.locator(".choices form", has=page.locator(f"[value='{text}']")).get_by_role("button").click()
    else:
        play_marked(page, CARD.findall(text))
    page.locator(".ended, .lesson-table .notice, .hand-news, .last-move").first.wait_for()
    page.wait_for_function("() => +document.querySelector('#board').dataset.seq > 0")
    expect(page.locator("#board .refusal")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_title_that_the_way_into_a_lesson_leads_to_has_no_outline(live_url, new_context):
    page = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{live_url}/learn/push/")
    page.get_by_role("link", name="Start", exact=True).tap()
    title = page.locator("#lesson .lesson-title")
    expect(title).to_be_focused()
    assert title.evaluate("title => getComputedStyle(title).outlineStyle") == "none"


WIDER_THAN_THE_PAGE = """() => [...document.querySelectorAll("main *")].filter((part) => {
  const box = part.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1;
}).map((part) => part.outerHTML.slice(0, 80))"""

INSIDE_OUT = """() => [...document.querySelectorAll(".answer")].flatMap((answer) =>
  [...answer.querySelectorAll(".card")].filter((card) =>
    card.getBoundingClientRect().right > answer.getBoundingClientRect().right)).length"""


def test_every_rule_book_and_every_question_fits_a_phone(live_url, new_context):
    page = new_context(viewport=PHONE).new_page()
    for slug in library.load_rule_books():
        page.goto(f"{live_url}/rules/{slug}/")
        assert page.evaluate(WIDER_THAN_THE_PAGE) == [], slug
    for slug in library.games_with("lessons.yaml"):
        for chapter in library.load_course(slug).chapters:
            for step in chapter.steps:
                if step.question and step.question.asks_for_all and step.question.picks_a_card:
                    page.goto(f"{live_url}{step_url(slug, chapter, step)}")
                    assert page.evaluate(INSIDE_OUT) == 0, step


def test_the_longest_rule_books_print_on_two_sheets(live_url, page):
    books = library.load_rule_books()
    for slug in sorted(books, key=lambda slug: -sum(len(rule.html) for rule in books[slug].rules))[:3]:
        page.goto(f"{live_url}/rules/{slug}/")
        printed = page.pdf(format="A4", margin=dict.fromkeys(("top", "right", "bottom", "left"), "10mm"))
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 4, f"{slug} is too long"


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["upright", "on its side"])
def test_a_missed_rule_is_reviewed_on_a_phone(size, live_url, new_context, log_in, person, axe):
    ann = person("ann")
    reviews.note_missed_rule(
        ann, "casino", "build-hold", source=ReviewAnswer.Source.LESSON, now=timezone.now() - timedelta(days=2)
    )
    Drill.objects.create(game="casino", rule="build-hold", seed=1, source=fresh_source(BUILDER))
    context = new_context(viewport=size)
    log_in(context, "ann")
    page = context.new_page()
    page.goto(f"{live_url}/learn/")
    page.get_by_role("link", name="Review").click()
    axe(page)
    board = page.locator("#lesson .felt").bounding_box()
    page.get_by_role("button", name="Build 9").click()
    expect(page.get_by_role("status").filter(has_text="Right.")).to_be_visible()
    axe(page)
    further = page.get_by_role("link", name="Next")
    expect(further).to_be_focused()
    expect(further).to_be_in_viewport(ratio=1)
    assert page.locator("#lesson .felt").bounding_box() == board
    expect(further).to_have_accessible_description(re.compile(r"^Right\. This rule comes back"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("You got 1 of 1 right.")).to_be_visible()
    axe(page)


def test_a_course_test_is_begun_and_left(live_url, page, axe):
    page.goto(f"{live_url}/learn/casino/test/")
    axe(page)
    page.get_by_role("button", name="Start the test").click()
    expect(page.get_by_role("heading", name="Question 1 of 12")).to_be_visible()
    axe(page)


def test_a_screen_reader_hears_what_came_of_an_answer_and_of_each_move(live_url, page):
    steps = {step.id: (chapter, step) for chapter in library.load_course("piquet").chapters for step in chapter.steps}
    heard = page.locator("#announce")
    page.goto(f"{live_url}{step_url('piquet', *steps['value'])}")
    [right] = steps["value"][1].question.right
    page.locator(f"#answer-{right}").press("Enter")
    expect(heard).to_contain_text(f"{steps['value'][1].question.answers[right].because} Right.")
    page.goto(f"{live_url}{step_url('piquet', *steps['leads'])}")
    page.dblclick('.pick[data-pick="AS"]')
    expect(heard).to_have_text(re.compile("You lead ace of spades.*Pip"))  # what would have happened
    page.get_by_role("link", name="Try again").press("Enter")
    page.dblclick('.pick[data-pick="7C"]')
    expect(heard).to_have_text(re.compile("You lead seven of clubs.*Pip.* nine of clubs.*Pip leads king of spades"))
    page.dblclick('.pick[data-pick="AS"]')
    expect(heard).to_contain_text("points from two tricks")
