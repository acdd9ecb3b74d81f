"""Requests that get lost on their way: the page goes on, the player is told and can try again."""

import pytest
from playwright.sync_api import expect

from chat import services as chat
from games import services
from games.models import Move, Table
from tests.at_table import seq, wait_for_seq
from tests.conftest import PATIENCE_MS

NO_ANSWER, FAILED = "The site did not answer. Try again.", "The site could not do that. Try again."
LOOK_MS = 10
WAKES_UP = "dispatchEvent(new Event('online'))"  # a page that was cut off fetches its board


@pytest.fixture
def at_table(live_url, new_context, log_in, table_of):
    """The page of alice, who moves first at a new table: at_table(game="casino", **preferences)."""

    def sit(game="casino", **preferences):
        page = new_context().new_page()
        table = table_of("alice", "bob", game=game)
        log_in(page.context, "alice")
        page.context.add_cookies([{"name": name, "value": preferences[name], "url": live_url} for name in preferences])
        with page.expect_response(lambda answer: "/chat/?" in answer.url):  # the stream is open
            page.goto(live_url + table.get_absolute_url())
        return page

    return sit


class Held:
    """The requests of a page to an address from now on: each waits for what the test does with it."""

    def __init__(self, page, address):
        self.page = page
        self.routes = []
        page.route(address, lambda route: self.routes.append(route))

    def __getitem__(self, number):
        """The route of a request, by its number; waits until it has been sent."""
        for _ in range(PATIENCE_MS // LOOK_MS):
            if len(self.routes) > number:
                break
            self.page.wait_for_timeout(LOOK_MS)
        return self.routes[number]

    def lose(self, number):
        with self.page.expect_event("requestfailed", lambda request: request == self[number].request):
            self[number].abort()


def send_move(page):
    """Plays the first move of the first card."""
    page.locator(".hand .pick").first.click()
    page.locator(".choice.is-offered button").first.click()


def says(page, text):
    expect(page.locator("#unanswered")).to_have_text(text)


def test_a_lost_move_is_said_and_the_same_button_plays_it(at_table, axe):
    page = at_table()
    before = seq(page)
    moves = Held(page, "**/moves/")
    send_move(page)
    moves.lose(0)
    says(page, NO_ANSWER)
    axe(page)
    page.locator(".choice.is-offered button").first.click()
    says(page, "")
    moves[1].continue_()
    wait_for_seq(page, before + 1)
    assert Move.objects.count() == 1


def test_a_move_that_the_site_lets_wait_for_too_long_is_given_up(at_table):
    page = at_table()
    before = seq(page)
    moves = Held(page, "**/moves/")
    page.evaluate("htmx.config.timeout /= 100")
    send_move(page)
    assert moves[0]
    says(page, NO_ANSWER)
    page.evaluate("htmx.config.timeout *= 100")
    page.locator(".choice.is-offered button").first.click()
    moves[1].continue_()
    wait_for_seq(page, before + 1)


def test_a_move_that_the_site_cannot_take_is_said(at_table):
    page = at_table()
    before = seq(page)
    moves = Held(page, "**/moves/")
    send_move(page)
    moves[0].fulfill(status=502, body="Bad gateway")
    says(page, FAILED)
    page.locator(".choice.is-offered button").first.click()
    moves[1].continue_()
    wait_for_seq(page, before + 1)
    says(page, "")


def test_a_move_that_arrived_is_shown_though_its_answer_got_lost(at_table):
    page = at_table()
    before = seq(page)
    moves = Held(page, "**/moves/")
    send_move(page)
    moves[0].fetch()
    moves.lose(0)
    wait_for_seq(page, before + 1)
    says(page, "")


def test_a_lost_move_is_no_longer_spoken_of_once_the_game_is_over(at_table, person):
    page = at_table()
    moves = Held(page, "**/moves/")
    send_move(page)
    moves.lose(0)
    says(page, NO_ANSWER)
    services.resign(table_id=Table.objects.get().pk, user=person("bob"))
    page.locator(".has-result").wait_for()
    says(page, "")


def test_chat_that_got_lost_is_said_and_stays_in_its_field(at_table):
    page = at_table()
    sent = Held(page, "**/chat/")
    field = page.get_by_label("To the table")
    field.fill("Good luck")
    field.press("Enter")
    sent.lose(0)
    says(page, NO_ANSWER)
    expect(field).to_have_value("Good luck")
    field.press("Enter")
    sent[1].continue_()
    expect(page.locator("#chat-lines")).to_contain_text("Good luck")


def test_a_fetch_that_was_given_up_for_a_move_is_made_once_the_move_got_lost(at_table):
    page = at_table()
    before = seq(page)
    boards, moves = Held(page, "**/board/"), Held(page, "**/moves/")
    Table.objects.update(version=before + 1)  # of which no stream tells
    page.evaluate(WAKES_UP)
    assert boards[0]
    with page.expect_event("requestfailed", lambda request: request == boards[0].request):
        send_move(page)
    moves.lose(0)
    boards[1].continue_()
    wait_for_seq(page, before + 1)
    page.locator(".choice.is-offered button").first.click()
    moves[1].continue_()
    wait_for_seq(page, before + 2)


def test_a_board_that_comes_under_a_finger_is_shown(at_table, play_on):
    page = at_table()
    before = seq(page)
    page.locator(".hand .pick").first.hover()
    page.mouse.down()
    play_on(Table.objects.get(), 1)  # she has played on another device
    wait_for_seq(page, before + 1)


def test_a_refusal_is_said_although_newer_boards_came_while_it_was_on_its_way(at_table, play_on):
    page = at_table()
    table, before = Table.objects.get(), seq(page)
    boards, moves = Held(page, "**/board/"), Held(page, "**/moves/")
    page.evaluate(WAKES_UP)
    assert boards[0]
    send_move(page)
    assert moves[0]
    play_on(table, 2)
    moves[0].continue_()
    wait_for_seq(page, before + 2)
    expect(page.locator("#advice")).to_contain_text("changed just before your move")


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


# Other requests and streams of these pages


def test_a_message_waits_for_its_turn_whatever_is_said_meanwhile(at_table, person):
    page = at_table()
    table = Table.objects.get()
    sent = Held(page, "**/chat/**")
    page.evaluate("heard = 0; addEventListener('htmx:sseMessage', () => heard++)")

    def say_as_bob(text, number):
        chat.post_line(table_id=table.pk, user=person("bob"), kind="free", text=text)
        page.wait_for_function("number => heard >= number", arg=number)

    say_as_bob("Hello", 1)
    assert sent[0]
    field = page.get_by_label("To the table")
    field.fill("Good luck")
    field.press("Enter")
    say_as_bob("Are you there?", 2)
    sent[0].continue_()
    sent[1].continue_()
    lines = ["bob Hello \u22ef", "bob Are you there? \u22ef", "alice Good luck"]
    expect(page.locator("#chat-lines p")).to_have_text(lines, use_inner_text=True)


def test_an_only_move_that_got_lost_plays_itself_once_there_is_a_board_again(at_table):
    page = at_table("shanghai", forced="self")
    before = seq(page)
    moves = Held(page, "**/moves/")
    moves.lose(0)
    says(page, NO_ANSWER)
    Table.objects.update(version=before + 1)  # nothing of the position
    page.evaluate(WAKES_UP)
    wait_for_seq(page, before + 1)
    moves[1].continue_()
    wait_for_seq(page, before + 2)


def test_an_arrangement_that_was_not_checked_is_checked_by_the_next_press(at_table):
    page = at_table("vatican")
    checks = Held(page, "**/check/**")
    verdict = page.locator("[data-verdict]")
    page.locator(".hand .pick").first.click(position={"x": 10, "y": 20})
    page.locator('.bench-put [data-put="new"]').click()
    checks.lose(0)
    expect(verdict).to_have_text("The site couldn't check this. Press Play to try again.")
    page.locator("form[data-play] button").press("Enter")
    checks[1].continue_()
    page.wait_for_selector(".meld.is-wrong")
    expect(verdict).not_to_contain_text("did not check")


def test_a_hand_is_sorted_by_its_melds_once_the_site_can_be_asked_again(
    live_url, new_context, log_in, table_of, state_of, play_on
):
    table = table_of("alice", "bob", game="gin-rummy", secret=bytes([4]) * 32)
    melds = [card for meld in table.rules.hand_melds(state_of(table).view(1)) for card in meld]
    page = new_context().new_page()
    log_in(page.context, "bob")
    page.context.add_cookies([{"name": "order", "value": "melds", "url": live_url}])
    asked = Held(page, "**/melds/")
    page.goto(live_url + table.get_absolute_url())
    asked.lose(0)
    play_on(table, 1)
    asked[1].continue_()
    expect(page.locator(".hand [data-card]").first).to_have_attribute("data-card", melds[0])


def test_a_replay_whose_next_move_got_lost_stops(live_url, new_context, table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 3)
    services.resign(table_id=table.pk, user=person("bob"))
    page = new_context().new_page()
    page.goto(f"{live_url}{table.get_absolute_url()}replay/?at=0")
    steps = Held(page, "**/replay/?at=1*")
    page.get_by_role("button", name="Play the moves").click()
    steps.lose(0)
    says(page, NO_ANSWER)
    page.get_by_role("button", name="Play the moves").click()
    steps[1].continue_()
    page.locator(".replay-at", has_text="move 1 of").wait_for()


def test_an_answer_of_a_proxy_in_place_of_the_site_is_no_connection(at_table):
    page = at_table()
    bar = page.locator("#connection")
    signs = Held(page, "**/here/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    signs[0].fulfill(status=502)
    expect(bar).to_have_text("Connection lost. Trying again.")
    signs[1].continue_()
    expect(bar).to_have_text("You're connected again.")


def test_once_connected_again_the_page_no_longer_says_that_the_site_did_not_answer(at_table):
    page = at_table()
    page.route("**/here/**", lambda route: route.abort())
    page.route("**/moves/", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#connection")).to_have_text("Connection lost. Trying again.")
    send_move(page)
    says(page, NO_ANSWER)
    page.unroute("**/here/**")
    expect(page.locator("#connection")).to_have_text("You're connected again.")
    expect(page.locator("#unanswered")).to_be_empty()


def test_a_game_that_ends_while_the_connection_is_lost_leaves_no_word_of_it(at_table, person):
    page = at_table()
    bar = page.locator("#connection")
    page.route("**/here/**", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(bar).to_have_text("Connection lost. Trying again.")
    services.resign(table_id=Table.objects.get().pk, user=person("alice"))
    page.locator("#board .ended").wait_for()
    expect(bar).to_be_empty()
