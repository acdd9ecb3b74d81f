"""A rated game and what people see of it afterwards, in real browsers."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from accounts.services import sign_up
from games import services
from games.models import RatingChange
from tests.viewports import resize

PASSWORD = "a long enough one"


@pytest.fixture
def sign_in(live_url, new_context):
    """`sign_in("ann")`: a page of a browser in which the new account ann has logged in."""

    def make(name):
        sign_up(username=name, password=PASSWORD)
        page = new_context().new_page()
        page.goto(f"{live_url}/accounts/login/")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/accounts/")
        return page

    return make


@pytest.fixture
def after_a_rated_game(live_url, new_context, log_in, table_of, play_on, eager_tasks):
    """The pages of ann and bob at a rated game of Casino that ann, after a move of each, has given up."""
    people = [sign_up(username=name, password=PASSWORD) for name in ("ann", "bob")]
    table = play_on(table_of("ann", "bob", is_rated=True), 2)
    services.resign(table_id=table.pk, user=people[0])
    pages = [new_context().new_page() for _ in people]
    for page, user in zip(pages, people, strict=True):
        log_in(page.context, user.username)
        page.goto(live_url + table.get_absolute_url())
    return pages


def test_a_rated_game_is_played_and_both_see_at_the_table_what_it_did_to_their_ratings(
    sign_in, live_url, celery_worker_process
):
    ann, bob = sign_in("ann"), sign_in("bob")
    ann.goto(f"{live_url}/games/casino/")
    expect(ann.get_by_label("Rated")).to_be_hidden()  # with bots
    ann.get_by_text("Anyone: wait in the lobby").click()
    ann.get_by_label("Clock").select_option("standard")
    ann.get_by_label("Rated").check()
    ann.get_by_role("button", name="Sit down").click()
    bob.goto(f"{live_url}/play/")
    bob.locator("#tables").get_by_text("rated", exact=True).wait_for()
    bob.get_by_role("link", name=re.compile("Sit down")).click()
    bob.get_by_role("button", name="Sit here").click()
    for _ in range(2):
        play_first_card(ann, bob)
    ann.locator(".side-actions > summary").click()
    ann.locator("#resign summary").click()
    ann.get_by_role("button", name="Resign this game").click()
    for page in (ann, bob):
        page.locator(".ended").wait_for()
        page.get_by_text("Ratings:").wait_for()
    changes = {change.rating.user.username: change for change in RatingChange.objects.all()}
    assert changes["ann"].after < 1500 < changes["bob"].after
    text = bob.get_by_text("Ratings:").inner_text()
    for name, change in changes.items():
        assert f"{name} {change.after} ({change.signed})" in text


def play_first_card(*pages):
    for page in pages:
        page.wait_for_selector(".hand")
    mover = next(page for page in pages if page.locator(".choice").count())
    before = int(mover.locator("#board").get_attribute("data-seq"))
    mover.locator(".hand .pick").first.click()
    mover.locator(".choice.is-offered button").first.click()
    for page in pages:
        page.wait_for_function("n => +document.querySelector('#board').dataset.seq > n", arg=before)


def test_pages_about_people_are_accessible_and_fit_every_width(after_a_rated_game, live_url, axe):
    page, _ = after_a_rated_game
    page.get_by_text("Ratings:").wait_for()
    for path in ("/players/bob/", "/games/casino/ratings/", "/accounts/", "/accounts/close/"):
        page.goto(live_url + path)
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        for width in (360, 1280):
            resize(page, width, 800)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            axe(page)


def test_one_takes_the_data_along_and_closes_the_account(after_a_rated_game, live_url):
    ann, bob = after_a_rated_game
    ann.goto(f"{live_url}/accounts/")
    with ann.expect_download() as download:
        ann.get_by_role("button", name="Download your data").click()
    [game] = json.loads(Path(download.value.path()).read_text("utf-8"))["games"]
    assert game["players"] == ["ann", "bob"] and len(game["moves"]) == 2
    ann.get_by_role("link", name="Close account").click()
    ann.get_by_label("Your password").fill(PASSWORD)
    ann.get_by_role("button", name="Close my account").click()
    ann.locator("main").get_by_text("Your account is closed").wait_for()
    bob.reload()
    expect(bob.locator(".ended")).to_contain_text("Former player")
    assert bob.goto(f"{live_url}/players/ann/").status == 404
