"""The coach in a real browser: a question at the table, and the review of a finished game."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import services
from games.models import CoachQuestion, HouseBot, Table
from games.presentation import coach_page
from games.services import coaching
from tests.games.test_coach_questions import NOW
from tests.viewports import resize

PHONE, DESKTOP, LANDSCAPE = (390, 844), (1440, 900), (844, 390)
WIDER_THAN_THE_WINDOW = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def table(person, table_of):
    """A deal of Cribbage of Alice against a bot; she is to move."""
    table = table_of("alice", "bob", game="partnership-cribbage", deals=1)
    User.objects.filter(pk=person("bob").pk).update(is_bot=True, first_name="Ada")
    HouseBot.objects.create(user=person("bob"), game="partnership-cribbage", level="club")
    return table


@pytest.fixture
def page(live_url, new_context, log_in):
    page = new_context(reduced_motion="reduce").new_page()
    log_in(page.context, "alice")
    return page


def answer_last():
    services.answer_coach_question(question_id=CoachQuestion.objects.latest("pk").pk, now=NOW)


def test_the_coach_is_asked_at_the_table_by_keyboard(live_url, table, page, axe):
    page.goto(live_url + table.get_absolute_url())
    resize(page, *PHONE)
    for card in page.locator(".hand .pick").all()[:2]:
        card.press("Enter")
    ask = page.get_by_role("button", name="Coach", exact=True)
    ask.press("Enter")
    expect(page.locator("#advice")).to_contain_text("The coach is thinking")
    answer_last()
    answer = page.locator("#advice .coach-answer")
    expect(answer).to_contain_text("The replay shows that you asked.")
    expect(ask).to_be_focused()
    assert CoachQuestion.objects.get().move.startswith("D:")
    for size in (PHONE, LANDSCAPE, DESKTOP):
        resize(page, *size)
        answer.get_by_text("What other moves cost").press("Enter")
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    axe(page)
    page.locator(".hand .pick").first.press("Enter")  # another selection: the answer is no longer about it
    expect(answer).to_have_count(0)


@pytest.fixture
def reviewed(table, person, play_on, house_bot, monkeypatch):
    """Three deals of the same game, badly played and reviewed, always alike: by its code, and with time enough."""
    monkeypatch.setattr(coaching, "DECISION_SECONDS", 60)
    monkeypatch.setattr(coaching, "GAME_SECONDS", 600)
    house_bot("Ben", game="partnership-cribbage", level="club")
    Table.objects.filter(pk=table.pk).update(deals=3, code="reviewed")
    table.refresh_from_db()
    finished = Table.objects.with_seats().get(pk=play_on(table).pk)
    review = services.request_review(table=finished, user=person("alice"), now=NOW)
    while not review.is_finished:
        services.review_slice(review_id=review.pk, now=NOW)
        review.refresh_from_db()
    return review


def test_a_reviewed_game_shows_its_mistakes_and_lets_the_player_try_again(live_url, reviewed, page, axe):
    worst, *others = coach_page.costliest(coach_page.rows_of(reviewed))
    assert len(others) >= 2
    table = reviewed.table
    page.goto(f"{live_url}{table.get_absolute_url()}coach/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("mistakes cost you about")
    assert page.locator(".coach-graph circle").count() == len(others) + 1
    for number in (1, 2, 3):
        page.get_by_role("navigation", name="Mistakes").get_by_role("link").nth(number - 1).click()
        expect(page.get_by_role("heading", name=f"Mistake {number} of {len(others) + 1}")).to_be_visible()
    for size in (PHONE, LANDSCAPE, DESKTOP):
        resize(page, *size)
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        labels = [label.bounding_box() for label in page.locator(".coach-graph text").all()]
        assert all(12 <= label["height"] <= 24 and label["x"] >= 0 for label in labels), "7 pixels on a phone"
    axe(page)
    # Practise the costliest one, first wrongly and then with the best move, by keys.
    page.goto(f"{live_url}{table.get_absolute_url()}coach/?practise=1")
    play_by_keys(page, table, worst.played)
    expect(page.locator(".coach-mistake").get_by_role("status")).to_contain_text("Not the best move")
    page.get_by_role("link", name="Practise these", exact=True).press("Enter")
    play_by_keys(page, table, worst.best)
    expect(page.locator(".coach-mistake").get_by_role("status")).to_contain_text("Right:")
    # The replay marks the mistakes, and "Try it again" plays on from one.
    page.goto(f"{live_url}{table.get_absolute_url()}replay/")
    expect(page.locator(".move-cost")).to_have_count(len(others) + 1)
    page.locator(".move-cost").first.press("Enter")
    expect(page.locator(".replay-verdict")).to_contain_text("The coach's move, outlined")
    expect(page.locator("#board .is-best").first).to_be_visible()
    axe(page)
    page.goto(f"{live_url}{table.get_absolute_url()}coach/?mistake=1")
    page.get_by_role("button", name="Try it again").press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-turn", "own")
    assert Table.objects.get(branch_of=table).branch_at == worst.at


def play_by_keys(page, table, text):
    """Makes a move with the cards that it names."""
    for card in re.findall(r"[A2-9TJQK][CDHS]", text):
        page.locator(f'.hand .pick[data-pick="{card}"]').press("Enter")
    page.locator(".hand .pick[aria-pressed=true]").last.press("Enter")


def test_all_reviewed_games_together_lead_to_the_costliest_mistake(live_url, reviewed, page, axe):
    page.goto(f"{live_url}{reviewed.table.get_absolute_url()}coach/")
    page.get_by_role("link", name="Your play in Cribbage").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your play in Cribbage")
    for size in (PHONE, LANDSCAPE, DESKTOP):
        resize(page, *size)
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    axe(page)
    worst = coach_page.costliest(coach_page.rows_of(reviewed))[0]
    page.get_by_role("link", name=f"Deal {worst.hand}, move {worst.at + 1}").click()
    expect(page.get_by_role("heading", name=re.compile("Mistake 1 of"))).to_be_visible()
