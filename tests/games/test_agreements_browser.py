"""Agreements in real browsers."""

import pytest
from playwright.sync_api import expect

from games import services
from games.models import Table

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def enter(live_url, new_context, log_in):
    """`enter("alice", "/play/")`: a page of that account in a browser of its own."""

    def open_page(name, path, **context):
        browser = new_context(**context)
        log_in(browser, name)
        page = browser.new_page()
        page.goto(live_url + path)
        return page

    return open_page


# The last card that can only be discarded: others may belong to a meld with which one can knock.
ONLY_DISCARDED = """() => [...document.querySelectorAll(".hand .pick")].map((pick) => pick.dataset.pick).findLast(
    (card) => document.querySelectorAll(`.choice[data-touches~="${card}"]`).length === 1
)"""
CARDS_OF_HAND = "() => [...document.querySelectorAll('.hand .pick')].map((pick) => pick.dataset.card).sort().join()"


def test_a_move_is_taken_back_by_keyboard_once_the_other_agrees_on_the_phone(table_of, play_on, enter):
    table = table_of("alice", "bob")
    alice, bob = enter("alice", table.get_absolute_url()), enter("bob", table.get_absolute_url(), viewport=PHONE)
    before = alice.evaluate(CARDS_OF_HAND)
    play_on(table, 1)
    alice.locator(".prompt", has_text="bob to move.").wait_for()
    alice.get_by_text("At the table", exact=True).press("Enter")
    alice.get_by_role("button", name="Ask to take back the last move").press("Enter")
    alice.locator(".asked", has_text="You ask to take back the last move. Waiting for bob.").wait_for()
    bob.get_by_role("button", name="Agree").wait_for()
    expect(bob.locator("#announce")).to_contain_text("Alice asks to take back the last move.")
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert bob.locator(".hand").bounding_box()["y"] < PHONE["height"] - 60
    bob.get_by_role("button", name="Agree").press("Enter")
    bob.locator(".asked", has_text="alice takes back the last move.").wait_for()
    expect(bob.locator("#board .prompt")).to_be_focused()
    alice.locator(".asked", has_text="You take back the last move.").wait_for()
    expect(alice.locator("#announce")).to_contain_text("You take back the last move.")
    assert alice.evaluate(CARDS_OF_HAND) == before


def test_the_button_to_take_a_move_back_is_there_only_when_it_can_be(table_of, state_of, play_on, enter):
    table = table_of("alice", "bob", game="gin-rummy")
    while not {"D", "U"} <= {str(move) for move in state_of(table).legal_moves(state_of(table).to_act[0])}:
        table = play_on(table, 1)
    seat = state_of(table).to_act[0]
    mover = enter(table.names[seat], table.get_absolute_url())
    mover.get_by_text("At the table", exact=True).click()
    undo = mover.get_by_role("button", name="Ask to take back the last move")
    expect(mover.get_by_role("button", name="Ask to end the game in a draw")).to_be_visible()
    expect(undo).to_have_count(0)
    table = services.play_move(table_id=table.pk, seat=seat, text="D", version=table.version)
    expect(mover.locator("#own-actions")).to_contain_text("Something hidden has shown by the last move")
    expect(undo).to_have_count(0)
    play_on(table, 1)
    expect(undo).to_be_visible()


def test_a_question_leaves_what_the_other_is_arranging_as_it_is(table_of, person, enter):
    table = table_of("alice", "bob", game="vatican")
    alice = enter("alice", table.get_absolute_url())
    card = alice.locator(".hand [data-card]").first
    name = card.get_attribute("data-card")
    card.click(position={"x": 10, "y": 20})
    alice.locator('.bench-put [data-put="new"]').click()
    alice.wait_for_selector(".meld.is-wrong")
    services.ask_question(table_id=table.pk, user=person("bob"), kind="share")
    alice.get_by_role("button", name="Refuse").wait_for()
    expect(alice.locator(f'.bench-melds [data-card="{name}"]')).to_have_count(1)


@pytest.fixture
def against_ada(person, house_bot):
    """`against_ada("gin-rummy")`: a running game of alice, in seat 0, with a bot that deals first."""

    def open_game(game):
        house_bot("Ada", game)
        table = services.open_table(game=game, seats=2, options=None, created_by=person("alice"), secret=bytes(32))
        Table.objects.update(first_dealer=1)
        services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
        return services.seat_bot(table_id=table.pk, level="first-steps", seat=1)

    return open_game


@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}, {"width": 1440, "height": 900}], ids=str)
def test_against_bots_one_button_beside_the_hint_takes_a_move_back_at_once(against_ada, enter, axe, size):
    table = against_ada("gin-rummy")
    for seat, text in ((0, "P"), (1, "P"), (0, "D")):
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    alice = enter("alice", table.get_absolute_url(), viewport=size, reduced_motion="reduce", bypass_csp=True)  # for axe
    alice.context.add_cookies([{"name": "order", "value": "rank", "url": alice.url}])
    alice.reload()
    alice.wait_for_load_state()
    undo = alice.locator(".helps").get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    before = alice.evaluate(CARDS_OF_HAND)
    card = alice.locator(f'.hand .pick[data-pick="{alice.evaluate(ONLY_DISCARDED)}"]')
    card.press("Enter")
    card.press("Enter")  # two clicks may be too far apart for a double click on a busy machine
    expect(alice.locator(".hand .pick")).to_have_count(0)
    services.play_move(table_id=table.pk, seat=1, text="D", version=table.version + 1)
    expect(alice.locator(".seats .plate-note")).to_contain_text("11 cards")
    expect(undo).to_be_enabled()
    assert alice.evaluate("document.documentElement.scrollWidth") <= size["width"]
    axe(alice)
    with alice.expect_response(lambda answer: answer.request.method == "POST"):
        undo.press("Enter")
    alice.locator(".asked", has_text="You take back the last move: ").wait_for()
    alice.wait_for_function("() => htmx.findAll('.htmx-request').length === 0")  # the stream may bring the board first
    assert alice.evaluate(CARDS_OF_HAND) == before
    expect(undo).to_be_disabled()
    expect(undo).to_have_attribute("aria-disabled", "true")  # its reason has come
    undo.press("Enter")
    expect(alice.locator("#advice")).to_contain_text("Something hidden has shown since your last move")


def test_a_move_is_sent_while_the_page_still_asks_whether_the_last_one_can_be_undone(against_ada, enter):
    table = against_ada("gin-rummy")
    for seat, text in ((0, "P"), (1, "P"), (0, "D")):
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    alice = enter("alice", table.get_absolute_url())
    held = []
    alice.route("**/undo/", lambda route: held.append(route))
    alice.reload()
    alice.wait_for_function("() => document.querySelector('.helps .htmx-request')")
    card = alice.locator(f'.hand .pick[data-pick="{alice.evaluate(ONLY_DISCARDED)}"]')
    card.press("Enter")
    card.press("Enter")
    expect(alice.locator(".hand .pick")).to_have_count(0)
    assert held
    for route in held:
        route.abort()
