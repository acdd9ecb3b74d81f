"""Dragging at a real table: a drop that is no move, and boards that come while a card is held."""

from random import Random

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import bots, services
from tests.fingers import CORNER, IS_STILL, drag, middle, pick_of, start_drag

HEARS_BOARDS = """
window.EventSource = class extends EventSource {
    constructor(...options) {
        super(...options);
        this.addEventListener("board", () => { window.heardBoard = true; });
    }
};
"""


@pytest.fixture
def table(table_of):
    """Ada is to move at a table of Casino."""
    return table_of("ada", "bob")


@pytest.fixture
def ada(live_url, new_context, table, log_in):
    page = new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.add_init_script(HEARS_BOARDS)
    log_in(page.context, "ada")
    page.goto(f"{live_url}{table.get_absolute_url()}")
    page.wait_for_selector(".pick[data-drag]")
    return page


def cards_of_hand(page):
    return page.locator(".hand [data-card]").evaluate_all("all => all.map(card => card.dataset.card)")


def cards_that_do_not_fit(view):
    """A card of the hand and one of the table that no move uses together."""
    used = [{*view.choice(move).touches} for move in view.moves]
    return next(
        (mine, other) for mine in view.hand for other in view.loose if not any({mine, other} <= u for u in used)
    )


def test_a_drop_that_is_no_move_says_which_rule_it_breaks(ada, table, state_of):
    mine, other = cards_that_do_not_fit(state_of(table).view(0))
    drag(ada, pick_of(mine), pick_of(other))
    expect(ada.locator("#advice a[href*='/rules/casino/']")).to_have_count(1)
    expect(ada.locator("#board")).to_have_attribute("data-seq", str(table.version))
    expect(ada.locator(".drag-ghost")).to_have_count(0)


def test_a_drop_on_a_place_where_no_card_goes_says_why_and_leaves_the_selection_alone(ada, table, state_of, play_on):
    mine, other = state_of(table).view(0).hand[:2]
    drag(ada, pick_of(mine), '[data-zone="hand:1"]')
    expect(ada.locator("#advice")).to_contain_text("new cards are dealt when all hands are empty")
    expect(ada.locator(".hand [aria-pressed=true]")).to_have_attribute("data-pick", mine)
    ada.locator(pick_of(other)).press("Enter")
    expect(ada.locator(".hand [aria-pressed=true]")).to_have_attribute("data-pick", other)
    table = play_on(table, 1)
    ada.locator(f'#board[data-seq="{table.version}"][data-turn="other"]').wait_for()
    waiting = cards_of_hand(ada)
    drag(ada, f'.hand [data-card="{waiting[-1]}"]', ".hand")
    assert cards_of_hand(ada) != waiting and sorted(cards_of_hand(ada)) == sorted(waiting)
    drag(ada, ".hand .spot", '[data-zone="table"]')
    expect(ada.locator("#advice [role=alert]")).to_have_text("It's not your turn.")


def test_a_board_waits_until_the_card_is_let_go(ada, table, state_of):
    mine = state_of(table).view(0).hand[0]
    start_drag(ada, pick_of(mine), ".prompt")
    services.ask_question(table_id=table.pk, user=User.objects.get(username="bob"), kind="count")
    ada.wait_for_function("() => window.heardBoard")
    expect(ada.locator(".drag-ghost")).to_be_visible()
    expect(ada.locator("#board")).to_have_attribute("data-seq", str(table.version))
    ada.mouse.up()
    expect(ada.locator("#board")).to_have_attribute("data-seq", str(table.version + 1))
    expect(ada.locator(".drag-ghost")).to_have_count(0)


def test_a_card_that_is_dropped_a_little_beside_one_takes_it(ada, table, state_of, play_on):
    view = state_of(table).view(0)
    while not (pairs := captures_of_one(view)):
        table = play_on(table, 2)
        view = state_of(table).view(0)
    ada.locator(f'#board[data-seq="{table.version}"]').wait_for()
    mine, other = pairs[0]
    box = ada.locator(pick_of(other)).bounding_box()
    start_drag(ada, pick_of(mine), pick_of(other))
    x, y = middle(ada, pick_of(other))
    ada.mouse.move(x - box["width"] / 4, y - box["height"] / 2 + 8, steps=2)
    expect(ada.locator(".is-over")).to_have_attribute("data-pick", other)
    ada.mouse.up()


def captures_of_one(view):
    """Pairs of a card of the hand and the card of the table that it can take alone."""
    touches = [view.choice(move).touches for move in view.moves]
    return [pair for pair in touches if len(pair) == 2 and pair[1] in view.loose]


def test_a_card_that_was_pressed_before_a_board_came_is_dragged(ada, table, state_of, play_on):
    state = state_of(table)
    played = str(state.legal_moves(0)[-1])
    kept = next(card for card in state.view(0).hand if card not in played)
    ada.wait_for_function(IS_STILL)
    ada.locator(pick_of(kept)).hover(position=CORNER)
    ada.mouse.down()
    play_on(table, 1)  # on another device
    expect(ada.locator("#board")).to_have_attribute("data-seq", str(table.version + 1))
    box = ada.locator(f'.hand [data-card="{kept}"]').bounding_box()
    ada.mouse.move(box["x"] + 30, box["y"] - 30, steps=4)
    expect(ada.locator(".drag-ghost")).to_be_visible()


def test_a_card_whose_release_the_page_did_not_hear_of_does_not_stick_to_the_mouse(ada):
    """A menu of the system that opens on the press takes the release to itself."""
    ada.wait_for_function(IS_STILL)
    card = ada.locator(".hand .pick").first
    card.dispatch_event("pointerdown", {"pointerId": 1, "pointerType": "mouse", "isPrimary": True, "button": 0})
    box = card.bounding_box()
    ada.mouse.move(box["x"] + 30, box["y"] - 30, steps=4)
    expect(ada.locator(".drag-ghost")).to_have_count(0)


# Where everything is that a held card can move.
PLACES = """() => [...document.querySelectorAll("#board :is(.plate, .zone-label, .zone-meld, .helps, .hand)")]
  .filter((part) => part.checkVisibility())
  .map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.getAttribute("class"), x, y, width, height].join(" ");
  })"""


def card_for_own_meld(state):
    """A card of seat 0 that fits two or more melds of its own, or "" if it is not to move or has none."""
    if state.to_act != (0,):
        return ""
    view = state.view(0)
    own = {zone.id for zone in view.zones if zone.kind == "meld" and zone.owner == 0}
    choices = [view.choice(move) for move in view.moves]
    found = (
        c.touches[0] for c in choices if len(own) > 1 and own & {c.to, *c.touches[1:]} and c.touches[0] in view.hand
    )
    return next(found, "")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)], ids=["upright", "on-its-side", "wide"])
def test_melds_stay_in_their_places_while_a_card_is_held_that_fits_one(
    size, table_of, state_of, log_in, live_url, new_context
):
    table = table_of("ada", "bob", "cleo", "dan", game="krambambuli", secret=bytes([8]) * 32)
    rng, bot = Random(5), bots.bot("krambambuli", "club")
    while not (fits := card_for_own_meld(state_of(table))):
        state = state_of(table)
        move = str(bot.choose(state.view(state.to_act[0]), rng))
        table = services.play_move(table_id=table.pk, seat=state.to_act[0], text=move, version=table.version)
    page = new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce").new_page()
    log_in(page.context, "ada")
    page.goto(f"{live_url}{table.get_absolute_url()}")
    page.wait_for_selector(".pick[data-drag]")
    before = page.evaluate(PLACES)
    start_drag(page, pick_of(fits), ".own-places .is-drop")
    assert page.evaluate(PLACES) == before
    page.keyboard.press("Escape")
