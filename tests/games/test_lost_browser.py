"""Requests of a page that get lost on their way: what was heard meanwhile is shown, the player is told, and can try again."""

import pytest
from playwright.sync_api import expect

from games import services
from games.models import Move, Table

WAKES_UP = "dispatchEvent(new Event('online'))"  # a page that was cut off fetches its board


@pytest.fixture
def at_table(live_url, new_context, log_in, table_of):
    """A page at a new table, at which alice moves first: at_table(game="casino", **browser)."""

    def sit(game="casino", **browser):
        page = new_context(**browser).new_page()
        table = table_of("alice", "bob", game=game)
        log_in(page.context, "alice")
        with page.expect_response(lambda answer: "/talk/?" in answer.url):  # the stream is open
            page.goto(live_url + table.get_absolute_url())
        return page

    return sit


class Held:
    """The requests of a page to an address, from now on: each waits until the test lets it through, answers or aborts it."""

    def __init__(self, page, address):
        self.page = page
        self.routes = []
        page.route(address, lambda route: self.routes.append(route))

    def __getitem__(self, number):
        """The route of a request, by its number; waits until it has been sent."""
        while len(self.routes) <= number:
            self.page.wait_for_timeout(10)
        return self.routes[number]

    def lose(self, number):
        with self.page.expect_event("requestfailed", lambda request: request == self[number].request):
            self[number].abort()


def seq(page):
    return int(page.locator("#board").get_attribute("data-seq"))


def wait_for_seq(page, number):
    page.wait_for_function("n => +document.querySelector('#board').dataset.seq >= n", arg=number)


def send_move(page):
    """Plays the first move of the first card."""
    page.locator(".hand .pick").first.click()
    page.locator(".choice.is-offered button").first.click()


def test_a_page_whose_move_got_lost_after_a_fetched_board_replaced_its_form_goes_on(at_table, play_on):
    page = at_table()
    table, before = Table.objects.get(), seq(page)
    boards, moves = Held(page, "**/board/"), Held(page, "**/moves/")
    page.evaluate(WAKES_UP)
    assert boards[0]
    send_move(page)
    assert moves[0]
    table = play_on(table, 1)  # she has played on another device
    boards[0].continue_()
    wait_for_seq(page, before + 1)
    moves.lose(0)
    play_on(table, 1)
    wait_for_seq(page, before + 2)


def test_a_refusal_whose_board_has_been_replaced_on_its_way_is_said(at_table, play_on):
    page = at_table()
    table, before = Table.objects.get(), seq(page)
    boards, moves = Held(page, "**/board/"), Held(page, "**/moves/")
    page.evaluate(WAKES_UP)
    assert boards[0]
    send_move(page)
    assert moves[0]
    play_on(table, 2)
    boards[0].continue_()
    wait_for_seq(page, before + 2)
    moves[0].continue_()
    expect(page.locator("#advice")).to_contain_text("nothing was played")


def test_an_answer_that_a_newer_board_has_overtaken_leaves_the_log_alone(at_table, play_on):
    page = at_table()
    table = play_on(Table.objects.get(), 1)
    wait_for_seq(page, table.version)
    log = page.locator("#side .log > li")
    boards = Held(page, "**/board/")
    page.evaluate(WAKES_UP)
    late = boards[0].fetch()
    table = play_on(table, 1)  # a move of the other, whose board comes by itself
    wait_for_seq(page, table.version)
    lines = log.all_inner_texts()
    boards[0].fulfill(response=late)
    page.evaluate(WAKES_UP)  # sent once the late answer has been dealt with
    with page.expect_response("**/board/"):
        boards[1].continue_()
    assert (log.all_inner_texts(), seq(page)) == (lines, table.version)
