"""A browser that refuses to store anything: the scripts of a table do without it until the page is left."""

import pytest
from playwright.sync_api import expect

from chat.services import post_line
from games import services
from games.models import Table
from games.presentation.verification import contribution_of
from tests.at_table import cards_of, wait_for_seq

REFUSES = """
for (const area of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, area, { get() { throw new DOMException("refused", "SecurityError"); } });
}
LockManager.prototype.request = () => Promise.reject(new DOMException("refused", "SecurityError"));
"""


@pytest.fixture
def page(new_context):
    """That a script fails there is a complaint of its own."""
    page = new_context().new_page()
    page.add_init_script(REFUSES)
    return page


@pytest.fixture
def open_table(page, log_in, live_url):
    """`open_table("alice", table)`: her page at the table."""

    def act(name, table):
        log_in(page.context, name)
        page.goto(live_url + table.get_absolute_url())

    return act


def test_the_hand_stays_as_it_was_sorted_and_laid(page, open_table, table_of):
    table = table_of("alice", "bob", game="gin-rummy")
    open_table("alice", table)
    page.get_by_role("button", name="Sort the hand: now with its melds first").click()
    page.get_by_role("button", name="Sort the hand: now by rank").click()
    table = services.play_move(table_id=table.pk, seat=0, text="U", version=table.version)
    wait_for_seq(page, table.version)
    page.get_by_role("button", name="Sort the hand: now by suit").wait_for()
    first, second, *others = cards_of(page)
    page.locator(f'.hand [data-card="{first}"]').press("Alt+ArrowRight")
    assert cards_of(page) == [second, first, *others]


def test_the_count_of_a_hand_is_told(page, open_table, table_of, play_on, state_of):
    table = table_of("alice", "bob", game="partnership-cribbage")
    while not state_of(table).results:
        table = play_on(table, 1)
    open_table("alice", table)
    expect(page.locator(".show-stage.is-told")).not_to_have_count(0)


def test_a_line_of_the_chat_is_marked_until_it_is_read(page, open_table, table_of, person):
    table = table_of("alice", "bob")
    page.set_viewport_size({"width": 360, "height": 740})
    open_table("alice", table)
    post_line(table_id=table.pk, user=person("bob"), kind="free", text="Hello")
    page.locator("body.has-chat-news").wait_for()
    page.get_by_role("button", name="Log, chat").click()
    page.locator("body:not(.has-chat-news)").wait_for()


def test_its_number_is_in_the_shuffle(page, live_url, house_bot):
    house_bot("Ada", level="club")
    page.goto(f"{live_url}/games/")
    page.get_by_role("button", name="Play Casino against a bot", exact=True).click()
    expect(page.locator(".hand .card")).to_have_count(4)
    assert contribution_of(Table.objects.get().seats.get(number=0)) == "browser"
