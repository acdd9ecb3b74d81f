"""Room for many melds: they, the piles, the names and the hand are in sight when a player decides."""

from itertools import islice
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games import bots, services
from games.presentation.board import Board
from games.record import replay
from games.templatetags.cards import card_words
from tests.fingers import CORNER

MOUSE, ON_ITS_SIDE, UPRIGHT = (
    {"width": 1440, "height": 757},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
)
PLAYERS = ("alice", "bob", "cleo", "dora", "emil", "fay")

# Cards, piles, names and buttons of which a corner or, if no card lies on them, the lower edge is below something.
HIDDEN = """() => {
  const corners = (part) => {
    const { left, top, bottom } = part.getBoundingClientRect();
    return [[left + 4, top + 4], ...(part.closest(".hand") ? [] : [[left + 4, bottom - 9]])];
  };
  const isInSight = (part, [x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (part.contains(hit) || hit.contains(part));
  };
  const piles = "[data-card], .zone-stock .spot, .zone-pile .spot";
  const parts = [...document.querySelectorAll(`#board :is(${piles}, .plate-name, .button)`)];
  return parts.filter((part) => part.checkVisibility() && !corners(part).every((corner) => isInSight(part, corner)))
    .map((part) => part.dataset.card ?? part.textContent);
}"""

# Words above piles and melds of which the begin or the end is outside of the window or below something.
CUT_LABELS = """() => [...document.querySelectorAll("#board :is(.middle, .seats) .zone-label")].filter((label) => {
  const words = document.createRange();
  words.selectNodeContents(label);
  return ![...words.getClientRects()].every(({ left, right, top, bottom }) => [left + 1, right - 1].every((x) => {
    const hit = document.elementFromPoint(x, (top + bottom) / 2);
    return hit !== null && (label.contains(hit) || hit.contains(label));
  }));
}).map((label) => label.textContent)"""


def positions(table, level="club"):
    """A table and its position after each move of bots, at first before any."""
    state, rng, bot = replay.state_of(table), Random(5), bots.bot(table.game, level)
    while True:
        yield table, state
        seat = state.to_act[0]
        move = bot.choose(state.view(seat), rng)
        state.play(seat, move)
        table = services.play_move(table_id=table.pk, seat=seat, text=str(move), version=table.version)


@pytest.fixture
def late_table(table_of):
    """`late_table("push", 4, 104, 89)`: a table after so many moves of club bots, at which it is alice's turn."""

    def make(game, seats, seed, moves, level="club"):
        table = table_of(*PLAYERS[:seats], game=game, secret=bytes([seed]) * 32)
        table, state = next(islice(positions(table, level), moves, None))
        assert 0 in state.to_act
        return table, state.view(0)

    return make


@pytest.mark.parametrize(
    ("position", "melds", "sizes"),
    [
        (("push", 4, 104, 89), 15, [MOUSE, ON_ITS_SIDE, UPRIGHT]),
        (("push", 4, 104, 91), 16, [ON_ITS_SIDE]),
        (("krambambuli", 6, 7, 250, "first-steps"), 11, [MOUSE, ON_ITS_SIDE, UPRIGHT]),
        (("carousel", 4, 7, 121), 23, [MOUSE]),
        (("shanghai", 5, 7, 54), 13, [MOUSE]),
        (("vatican", 5, 7, 40), 17, [MOUSE]),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_all_that_one_decides_on_is_in_sight(position, melds, sizes, late_table, new_context, log_in, live_url):
    table, view = late_table(*position)
    assert sum(zone.kind == "meld" for zone in view.zones) == melds
    context = new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    log_in(context, "alice")
    page = context.new_page()
    for size in sizes:
        page.set_viewport_size(size)
        page.goto(live_url + table.get_absolute_url())
        page.locator("#board").wait_for()
        assert page.evaluate(HIDDEN) == [], size
        assert page.evaluate(CUT_LABELS) == [], size


def melds(state):
    return [zone for zone in state.view(0).zones if zone.kind == "meld"]


def test_with_few_opponents_their_melds_take_the_room_of_a_computer(table_of, new_context, log_in, live_url):
    page = new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900}).new_page()
    log_in(page.context, "alice")
    widths = []
    for seats in (2, 3, 4):
        played = positions(table_of(*PLAYERS[:seats], game="krambambuli", secret=bytes([seats]) * 32))
        table = next(table for table, state in played if any(meld.owner for meld in melds(state)))
        page.goto(live_url + table.get_absolute_url())
        widths.append(round(page.locator(".seats .zone-meld .card").first.bounding_box()["width"]))
    assert widths == [68, 60, 49]


def test_a_workbench_counts_the_place_for_a_new_meld(table_of, new_context, log_in, live_url):
    played = positions(table_of(*PLAYERS[:5], game="vatican", secret=bytes([7]) * 32))
    table, state = next(pair for pair in played if 0 in pair[1].to_act and len(melds(pair[1])) + 1 in Board.MELD_STEPS)
    page = new_context(reduced_motion="reduce", viewport=MOUSE).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    expect(page.locator(".meld-new")).to_have_count(1)
    said = " ".join(str(step) for step in Board.MELD_STEPS if step <= len(melds(state)) + 1)
    expect(page.locator("#board .felt")).to_have_attribute("data-melds", said)


def test_on_its_side_those_who_are_away_are_named_above_the_prompt(late_table, new_context, log_in, live_url):
    table, _ = late_table("push", 4, 104, 89)
    table.seats.exclude(number=0).update(away_since=timezone.now())
    page = new_context(reduced_motion="reduce", viewport=ON_ITS_SIDE).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    away, prompt = page.locator(".away").bounding_box(), page.locator(".prompt").bounding_box()
    expect(page.locator(".away-line")).to_contain_text("bob, cleo and dora: club bots play on after")
    assert away["y"] + away["height"] <= prompt["y"]


def test_a_workbench_with_many_melds_is_read_out_card_by_card_and_lifts_without_a_list(late_table, page_on_phone):
    table, view = late_table("vatican", 5, 7, 40)
    page = page_on_phone(table, UPRIGHT)
    page.locator("[data-ready]").wait_for()
    page.locator(".hand .pick").first.focus()
    page.keyboard.press("t")
    melds = [zone for zone in view.zones if zone.kind == "meld"]
    for zone in melds:
        expect(page.locator("#announce")).to_contain_text(f"{zone.label}: {card_words(', '.join(zone.cards))}.")
    page.keyboard.press("Space")
    said = f" lifted, {len(melds) + 1} places. The arrow keys lead through them."
    expect(page.locator("#announce")).to_contain_text(said)


PLACES = """(parts) => parts.map((part) => {
  const { left, top, width, height } = document.querySelector(`#board ${part}`).getBoundingClientRect();
  return part === ".hand" ? [left, top] : [left, top, width, height];
})"""
STOCK, NEIGHBOUR, LAST_SEAT, OWN = ".zone-stock .card", ".seat > .plate", ".seat:last-child > .plate", ".own > .plate"


@pytest.mark.parametrize(
    ("game", "seats", "still"),
    [
        ("push", 4, [STOCK, ".hand", OWN]),
        ("krambambuli", 2, [STOCK, ".hand", NEIGHBOUR]),
        ("krambambuli", 3, [STOCK, ".hand", NEIGHBOUR]),
        ("krambambuli", 6, [STOCK, ".hand", LAST_SEAT]),
        ("carousel", 4, [STOCK]),  # a hand that grows has two rows on a phone
    ],
)
def test_the_first_meld_moves_neither_stock_nor_hand(game, seats, still, table_of, new_context, log_in, live_url):
    played = positions(table_of(*PLAYERS[:seats], game=game, secret=bytes([7]) * 32))
    context = new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    log_in(context, "alice")
    page = context.new_page()

    def places(table):
        for size in (MOUSE, ON_ITS_SIDE, UPRIGHT):
            page.set_viewport_size(size)
            page.goto(live_url + table.get_absolute_url())
            page.locator("#board").wait_for()
            yield page.evaluate(PLACES, still)

    table, _ = next(played)
    before = [*places(table)]
    assert page.locator(".zone-meld").count() == 0
    assert min(width for [_, _, width, _], *_ in before) >= 40
    table = next(
        table
        for table, state in played
        if 0 in state.to_act and any(zone.kind == "meld" and zone.owner in (0, None) for zone in state.view(0).zones)
    )
    assert [*places(table)] == before
    assert page.locator(".zone-meld").count() > 0


MELDED = """() => [...document.querySelectorAll("#board .zone-meld .card")].map((card) => {
  const { left, top, width } = card.getBoundingClientRect();
  return [left, top, width];
})"""


@pytest.mark.parametrize("size", [MOUSE, ON_ITS_SIDE, UPRIGHT], ids=["1440", "844", "390"])
def test_melds_stay_where_they_are_when_the_turn_comes(size, table_of, new_context, log_in, live_url):
    played = positions(table_of(*PLAYERS[:4], game="krambambuli", secret=bytes([7]) * 32))
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    log_in(page.context, "alice")

    def measured(table):
        page.goto(live_url + table.get_absolute_url())
        page.locator("#board").wait_for()
        return page.evaluate(MELDED), page.locator(".zone-meld .pick").count()

    before = None
    for table, state in played:
        laid = [meld.cards for meld in melds(state)]
        if before and state.to_act == (0,) and laid == before[0]:
            break
        before = (laid, *measured(table)) if state.to_act == (3,) and len(laid) > 2 else None
    places, choosable = measured(table)
    assert before[2] == 0 < choosable
    assert places == before[1]


# Scrolls the page, or the melds where they have room of their own. False at the end.
SCROLL = """() => {
  const room = [document.querySelector("#board .middle"), document.scrollingElement]
    .find((part) => part && part.scrollTop + part.clientHeight < part.scrollHeight - 1);
  room?.scrollBy(0, 60);
  return Boolean(room);
}"""


@pytest.fixture
def page_on_phone(new_context, log_in, live_url):
    """A table as alice has it on a phone of this size, where she has chosen to have no sounds."""

    def open_page(table, size):
        context = new_context(reduced_motion="reduce", viewport=size, has_touch=True, is_mobile=True)
        context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
        log_in(context, "alice")
        page = context.new_page()
        page.goto(live_url + table.get_absolute_url())
        return page

    return open_page


@pytest.mark.parametrize("size", [ON_ITS_SIDE, UPRIGHT], ids=["844", "390"])
@pytest.mark.parametrize(
    "position", [("carousel", 4, 7, 121), ("shanghai", 5, 7, 54), ("vatican", 5, 7, 40)], ids=lambda at: at[0]
)
def test_on_a_phone_hand_piles_and_names_stay_while_the_melds_scroll(position, size, late_table, page_on_phone):
    table, view = late_table(*position)
    page = page_on_phone(table, size)
    page.locator("#board").wait_for()
    melded = {card for zone in view.zones if zone.kind == "meld" for card in zone.cards}
    never_seen = set(page.evaluate(HIDDEN))
    while page.evaluate(SCROLL):
        hidden = set(page.evaluate(HIDDEN))
        assert hidden <= melded
        never_seen &= hidden
    assert never_seen == set()


SHOW_HINT = """(advice, text) => {
  advice.innerHTML = `<div class="notice hint"><span>${text}</span> <a href="/rules/vatican/">The rule</a></div>`;
}"""


@pytest.mark.parametrize("size", [ON_ITS_SIDE, UPRIGHT], ids=["844", "390"])
def test_a_hint_that_names_many_melds_leaves_hand_and_buttons_in_sight(size, late_table, page_on_phone):
    table, view = late_table("vatican", 5, 7, 40)
    page = page_on_phone(table, size)
    page.locator("[data-ready]").wait_for()
    names = page.locator(".bench-melds .meld-say").all_inner_texts()
    assert names == [*(zone.label for zone in view.zones if zone.kind == "meld"), "New meld"]
    page.locator("#advice").evaluate(SHOW_HINT, f"Then the table has {', '.join(names)}. " * 3)
    melded = {card for zone in view.zones if zone.kind == "meld" for card in zone.cards}
    assert set(page.evaluate(HIDDEN)) <= melded


@pytest.mark.parametrize("size", [MOUSE, ON_ITS_SIDE, UPRIGHT], ids=["1440", "844", "390"])
def test_of_many_moves_the_melds_are_chosen_on_the_table(size, late_table, new_context, log_in, live_url):
    table, view = late_table("push", 4, 104, 90)
    choices = [view.choice(move) for move in view.offered]
    card = max(view.hand, key=lambda card: sum(card in choice.touches for choice in choices))
    assert sum(card in choice.touches for choice in choices) > 40
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    page.context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    pick = page.locator(f'.hand [data-pick="{card}"]')
    where = pick.bounding_box()
    pick.click(position=CORNER)
    offered = page.locator(".choice.is-offered")
    assert page.locator("[data-more]").is_visible()
    assert 1 <= offered.count() <= 4
    assert page.evaluate(HIDDEN) == []
    assert pick.bounding_box() == where
    joker = page.locator(".zone-meld .is-legal").first.get_attribute("data-pick")
    page.focus(f'[data-pick="{joker}"]')
    page.keyboard.press("Space")
    assert page.get_attribute(f'[data-pick="{joker}"]', "aria-pressed") == "true"
    touched = offered.evaluate_all("all => all.map(({ dataset }) => dataset.touches)")
    assert all(joker in touches.split() for touches in touched)
    pick.click(position=CORNER)
    expect(page.locator(".pick[aria-pressed=true]")).to_have_count(1)  # it lets the card go
    pick.click(position=CORNER)  # which may be the second of a double click, and plays nothing
    assert page.locator("#board").get_attribute("data-seq") == str(table.version)


def test_on_a_phone_a_draw_does_not_move_the_hand(table_of, new_context, log_in, live_url):
    """How many cards one has drawn is written on one's plate, beside the buttons."""
    table = table_of(*PLAYERS[:2], game="shanghai", secret=bytes([7]) * 32, options={"auto_draw": False})
    played = positions(table)
    page = new_context(reduced_motion="reduce", viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")

    def hand_when(has_drawn):
        at, _ = next(at for at in played if at[1].to_act == (0,) and bool(at[1].drawn) == has_drawn)
        page.goto(live_url + at.get_absolute_url())
        page.locator("[data-workbench]").wait_for()
        return page.evaluate(PLACES, [".hand"])

    before = hand_when(has_drawn=False)
    assert hand_when(has_drawn=True) == before


@pytest.mark.parametrize(("game", "may_discard"), [("carousel", False), ("krambambuli", True), ("push", True)])
def test_of_cards_that_may_be_melded_those_glow_that_make_a_move(game, may_discard, table_of, page_on_phone):
    """Any cards may be marked for a meld; where each may be discarded, that shows once one is chosen."""
    played = positions(table_of(*PLAYERS[:4], game=game, secret=bytes([7]) * 32), "first-steps")
    at = ((table, state.view(0)) for table, state in played if state.to_act == (0,))
    table, view = next((table, view) for table, view in at if view.selection and view.selection.likely)
    listed = [set(view.choice(move).touches) for move in view.moves]
    melded, hand = view.selection.likely, set(view.hand)
    assert melded < hand
    page = page_on_phone(table, UPRIGHT)
    page.locator("[data-drag]").first.wait_for()

    def glowing():
        return set(page.eval_on_selector_all(".hand .is-legal", "all => all.map(({ dataset }) => dataset.pick)"))

    assert glowing() == hand.intersection(*[set().union(*listed)])
    assert (glowing() == hand) is may_discard
    card = next(card for card in view.hand if card in melded)
    page.evaluate('(card) => document.querySelector(`.hand [data-pick="${card}"]`).click()', card)
    going_along = set().union(melded, *(touches for touches in listed if card in touches)) - {card}
    assert glowing() == hand & going_along
