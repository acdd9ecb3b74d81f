"""What makes a table comfortable: keys, one's own order of the hand, sounds, moves that play themselves."""

import re
import time

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from games import services
from games.models import Table
from tests.at_table import cards_of, wait_for_seq
from tests.fingers import CORNER, play_marked
from tests.viewports import resize

FOCUS_IN_BOARD = "() => !!document.activeElement.closest('#board')"
FOCUS_COVERED = """() => {
  const { left, top, bottom } = document.activeElement.getBoundingClientRect();
  const hits = [top + 5, bottom - 5].map((y) => document.elementFromPoint(left + 5, y));
  return hits.some((hit) => !document.activeElement.contains(hit));
}"""
OWN_TURNS = 4
DOUBLE_TAP_MS = 350


@pytest.fixture
def page_of(live_url, new_context, log_in):
    """`page_of("alice", table, sound="on")`: her page at the table, with these preferences.

    is_still: its clock only goes on by `page.clock.run_for`.
    """

    def open_page(name, table, is_still=False, **preferences):
        page = new_context(reduced_motion="reduce", has_touch=True).new_page()
        if is_still:
            page.clock.install(time=0)
            page.clock.pause_at(1)
        log_in(page.context, name)
        cookies = {"forced": "ask"} | preferences
        page.context.add_cookies([{"name": key, "value": value, "url": live_url} for key, value in cookies.items()])
        page.goto(live_url + table.get_absolute_url())
        return page

    return open_page


@pytest.mark.parametrize(("game", "seats"), [("casino", 4), ("krambambuli", 6)])
def test_on_a_phone_a_long_name_makes_no_plate_higher(page_of, table_of, game, seats):
    table = table_of("alice", "bob", *[f"Maximilian-von-Auersper{n}" for n in range(seats - 2)], game=game)
    page = page_of("alice", table)
    resize(page, 360, 740)
    heights = page.locator(".seats .plate").evaluate_all("all => all.map(plate => plate.offsetHeight)")
    assert len(heights) == seats - 1 and len(set(heights)) == 1


def test_casino_is_played_without_a_mouse_and_the_focus_stays_on_the_table(page_of, table_of, play_on):
    table = table_of("alice", "bob")
    page = page_of("alice", table)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    for _ in range(OWN_TURNS):
        wait_for_seq(page, table.version)
        for key in ("c", "Space", "m", "Enter"):
            page.keyboard.press(key)
        wait_for_seq(page, table.version + 1)
        page.wait_for_function(FOCUS_IN_BOARD)
        table = play_on(Table.objects.get(), 1)
    assert table.move_count == 2 * OWN_TURNS


def test_m_goes_to_the_moves_of_the_selected_card_and_escape_back_to_it(page_of, table_of):
    page = page_of("alice", table_of("alice", "bob"))
    card = page.locator(".hand .pick").first
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    page.locator("#board").focus()
    page.keyboard.press("m")  # no card is selected, so no move is shown
    expect(card).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("m")
    expect(page.locator(".choice.is-offered button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_focused()
    expect(page.locator("#announce")).to_have_text("Nothing is selected.")


def test_m_names_moves_that_need_no_card_of_the_hand_and_have_no_button(page_of, table_of):
    page = page_of("alice", table_of("alice", "bob", game="sixty-six"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Claim 66")).to_be_focused()
    expect(page.locator("#announce")).to_have_text("On the table: Close the stock.")


def test_m_goes_to_the_stock_where_a_draw_is_one_of_many_moves(page_of, table_of, play_on):
    table = play_on(table_of("alice", "bob", game="carousel"), 21)
    page = page_of("alice", table)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    page.keyboard.press("m")
    expect(page.locator("#announce")).to_have_text("On the table: Draw a card.")
    for _ in range(2):
        page.keyboard.press("Enter")
    wait_for_seq(page, table.version + 1)


def test_what_has_the_focus_is_never_below_the_foot(page_of, table_of, play_on):
    page = page_of("alice", table_of("alice", "bob", "cleo", "dora", "emil", game="carousel"))
    resize(page, 320, 480)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-zone="stock"] .pick')).to_be_focused()
    assert page.evaluate(FOCUS_COVERED) is False


def test_how_many_cards_are_missing_is_said_until_a_move_fits(page_of, table_of):
    page = page_of("alice", table_of("alice", "bob", game="partnership-cribbage"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the cards
    page.keyboard.press("Enter")
    said = page.locator("#announce")
    expect(said).to_contain_text("Select 1 more card.")
    page.keyboard.press("h")
    expect(said).to_contain_text("Your hand")
    page.keyboard.press("Enter")  # plays nothing
    expect(said).to_have_text("Select 1 more card.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(said).to_have_text("Discard these 2 cards: press Enter again, or M.")


def test_a_list_of_the_keys_opens_by_a_key_and_closes_again(page_of, table_of):
    page = page_of("alice", table_of("alice", "bob"))
    page.locator(".hand .pick").first.press("?")
    page.get_by_role("dialog", name="Keys at the table").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="Keys at the table").wait_for(state="hidden")
    page.wait_for_function(FOCUS_IN_BOARD)


def test_one_lays_the_cards_of_the_hand_oneself_and_a_new_one_comes_last(page_of, table_of):
    table = table_of("alice", "bob", game="gin-rummy")
    page = page_of("alice", table, order="rank")
    first, second, *others = cards_of(page)
    page.locator(f'.hand [data-card="{first}"]').press("Alt+ArrowRight")
    assert cards_of(page) == [second, first, *others]
    assert page.evaluate("document.activeElement.dataset.card") == first
    table = services.play_move(table_id=table.pk, seat=0, text="U", version=table.version)
    wait_for_seq(page, table.version)
    assert cards_of(page)[:-1] == [second, first, *others]
    page.reload()
    page.get_by_role("button", name="Sort the hand: now my order").wait_for()
    assert cards_of(page)[:-1] == [second, first, *others]
    page.get_by_role("button", name="Sort the hand").click()
    assert cards_of(page)[:3] == ["2S", first, second]
    page.get_by_role("button", name="Sort the hand").click()
    suits = [card[1] for card in cards_of(page)]
    assert suits == sorted(suits)


@pytest.mark.parametrize("game", ["gin-rummy", "sixty-six", "shanghai"])
def test_cards_are_moved_within_the_hand_by_keys_while_one_waits(page_of, table_of, state_of, game):
    table = table_of("alice", "bob", "cleo", game=game) if game == "shanghai" else table_of("alice", "bob", game=game)
    waits = next(seat for seat in range(2) if seat not in state_of(table).to_act)
    page = page_of(("alice", "bob")[waits], table, order="rank")
    first, second, third, *others = cards_of(page)
    page.locator(f'.hand [data-card="{first}"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Alt+ArrowRight")
    assert cards_of(page) == [first, third, second, *others]
    assert page.evaluate("document.activeElement.dataset.card") == second
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.card") == second


def test_a_card_that_has_the_focus_keeps_it_when_it_is_ones_turn(page_of, table_of, play_on):
    table = table_of("alice", "bob")
    page = page_of("bob", table)
    card = cards_of(page)[1]
    page.locator(f'.hand [data-card="{card}"]').focus()
    table = play_on(table, 1)
    wait_for_seq(page, table.version)
    assert page.evaluate("document.activeElement.dataset.pick") == card


def test_a_hand_of_gin_is_sorted_for_gin_as_last_time_and_that_of_casino_is_not(page_of, table_of):
    page = page_of("alice", table_of("alice", "bob", game="gin-rummy"))
    page.get_by_role("button", name="Sort the hand: now with its melds first").click()
    page.get_by_role("button", name="Sort the hand: now by rank").click()
    page.get_by_role("button", name="Sort the hand: now by suit").wait_for()
    addresses = {"by suit": ("gin-rummy", 1), "by rank": ("casino", 2)}
    for now, (game, secret) in addresses.items():
        path = table_of("alice", "bob", game=game, secret=bytes([secret]) * 32).get_absolute_url()
        page.goto(re.sub(r"/tables/.*", path, page.url))
        page.get_by_role("button", name=f"Sort the hand: now {now}").wait_for()


def test_sounds_are_offered_once(page_of, table_of):
    table = table_of("alice", "bob")
    page = page_of("alice", table)
    offer = page.get_by_role("form", name="Sounds")
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="On").click()
    expect(offer).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-sounded", "take")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-sound", "on")
    expect(offer).to_have_count(0)


COVERED_BY_OFFER = """() => {
  const offer = document.querySelector("[data-sound-offer]").getBoundingClientRect();
  const parts = document.querySelectorAll("#board :is(.card, .plate, .button, .prompt), .site-head :is(a, summary)");
  return [...parts].filter((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const isBeside = right <= offer.left || left >= offer.right || bottom <= offer.top || top >= offer.bottom;
    return part.checkVisibility({ visibilityProperty: true }) && !isBeside;
  }).map((part) => part.textContent.trim() || part.className.baseVal);
}"""


@pytest.mark.parametrize(("game", "seats"), [("casino", 4), ("gin-rummy", 2), ("russian-bank", 2), ("push", 4)])
def test_the_offer_of_sounds_lies_over_nothing_on_a_phone(page_of, table_of, game, seats):
    page = page_of("alice", table_of(*("alice", "bob", "cleo", "dora")[:seats], game=game))
    offer = page.get_by_role("form", name="Sounds")
    for size in ((844, 390), (390, 844)):
        resize(page, *size)
        expect(offer).to_be_visible()
        assert page.evaluate(COVERED_BY_OFFER) == [], size
    offer.get_by_role("button", name="Off").click()
    expect(page.locator(".account")).to_be_visible()


def test_the_offer_of_sounds_covers_no_way_to_another_page(page_of, table_of):
    table = table_of("alice", "bob")
    table_of("alice", "cleo", game="gin-rummy", secret=bytes([1]) * 32)
    page = page_of("alice", table)
    for size in ((1024, 768), (1440, 900)):
        resize(page, *size)
        assert page.evaluate(COVERED_BY_OFFER) == [], size
    expect(page.locator(".own-game")).to_be_visible()


def test_who_does_not_answer_whether_they_want_sounds_is_not_asked_again(page_of, table_of, play_on):
    table = table_of("alice", "bob")
    page = page_of("bob", table)
    page.wait_for_load_state()
    expect(page.get_by_role("form", name="Sounds")).to_be_visible()
    play_on(table, 1)
    expect(page.get_by_role("form", name="Sounds")).to_have_count(0)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-sound", "off")
    expect(page.get_by_role("form", name="Sounds")).to_have_count(0)


@pytest.mark.parametrize("order", ["melds", "game"])
def test_melds_come_first_in_the_hand_where_one_prefers_it_and_by_default(page_of, table_of, state_of, order):
    table = table_of("alice", "bob", game="gin-rummy", secret=bytes([4]) * 32)
    bob = page_of("bob", table, order=order)
    melds = [card for meld in table.rules.hand_melds(state_of(table).view(1)) for card in meld]
    hand = state_of(table).view(1).hand
    expected = [*melds, *(card for card in hand if card not in melds)]
    assert 3 <= len(melds) < len(hand)
    assert expected != [*hand]
    expect(bob.locator(".hand [data-card]").first).to_have_attribute("data-card", expected[0])
    assert cards_of(bob) == expected
    sort = bob.get_by_role("button", name="Sort the hand: now with its melds first")
    sort.press("Enter")
    expect(bob.get_by_role("button", name="Sort the hand: now by rank")).to_be_focused()
    assert cards_of(bob) == [*hand]


def test_who_does_not_play_hears_of_no_melds(table_of, as_user, person):
    address = reverse("games:melds", args=[table_of("alice", "bob", game="vatican").code])
    assert [as_user(person(name)).get(address).status_code for name in ("alice", "carol")] == [200, 404]
    assert Client().get(address).status_code == 404


def test_one_hears_what_happens_only_after_switching_sounds_on(page_of, table_of, play_on):
    table = table_of("alice", "bob")
    silent, loud = page_of("alice", table), page_of("bob", table, sound="quiet")
    for page in (silent, loud):
        page.locator("#board .prompt").click()
    table = play_on(table, 1)
    for page in (silent, loud):
        wait_for_seq(page, table.version)
    expect(loud.locator("html")).to_have_attribute("data-sounded", "turn")
    expect(silent.locator("html")).not_to_have_attribute("data-sounded", re.compile(""))
    table = play_on(table, 1)
    wait_for_seq(loud, table.version)
    expect(loud.locator("html")).to_have_attribute("data-sounded", re.compile("^(lay|take)$"))


INTERRUPTED = """
window.AudioContext = class extends AudioContext {
    constructor() {
        super();
        window.suspended = this.suspend();
        window.audio = this;
    }
};
"""


def test_sounds_go_on_after_an_interruption(page_of, table_of, play_on):
    table = table_of("alice", "bob")
    page = page_of("bob", table, sound="on")
    page.add_init_script(INTERRUPTED)
    page.reload()
    page.locator("#board .prompt").click()
    table = play_on(table, 1)
    page.wait_for_function("() => window.suspended?.then(() => true)")
    play_on(table, 1)
    page.wait_for_function("() => audio.state === 'running'")


HANDS_ON = {
    "mouse": lambda card: card.click(position=CORNER),
    "touch": lambda card: card.tap(position=CORNER),
    "keyboard": lambda card: card.press("Enter"),
}


@pytest.fixture
def about_to_discard(page_of, table_of):
    """`about_to_discard(tap="ask")`: alice's page in a game of Gin; each card of her hand has one move, its discard."""

    def open_page(**preferences):
        table = table_of("alice", "bob", game="gin-rummy")
        for seat, text in ((0, "P"), (1, "P"), (0, "D")):
            table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        page = page_of("alice", table, order="rank", **preferences)
        page.wait_for_load_state()
        return page

    return open_page


@pytest.mark.parametrize("hand", HANDS_ON)
@pytest.mark.parametrize("tap", ["ask", "play"])
def test_one_tap_selects_and_offers_and_plays_only_for_those_who_chose_that(about_to_discard, hand, tap):
    page, touch = about_to_discard(tap=tap), HANDS_ON[hand]
    cards = page.locator(".hand .pick")
    if tap == "play" and hand != "keyboard":
        touch(cards.last)
    else:
        touch(cards.last)
        expect(cards.last).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".choice.is-offered button")).to_have_text(re.compile("Discard"))
        page.wait_for_timeout(DOUBLE_TAP_MS + 200)
        assert Table.objects.get().move_count == 3
        page.locator(".choice.is-offered button").press("Enter")
    expect(cards).to_have_count(0)
    assert Table.objects.get().move_count == 4


@pytest.mark.parametrize("hand", HANDS_ON)
@pytest.mark.parametrize("tap", ["ask", "play"])
def test_two_taps_play_one_card(about_to_discard, hand, tap):
    page, touch = about_to_discard(tap=tap), HANDS_ON[hand]
    card = page.locator(".hand .pick").last
    if hand == "mouse":
        card.dblclick(position=CORNER)
    elif hand == "keyboard":
        touch(card)
        touch(card)
    else:
        tap_twice(page, card)
    expect(page.locator(".hand .pick")).to_have_count(0)
    assert Table.objects.get().move_count == 4


def tap_twice(page, card):
    """The second tap comes a tenth of a second after the first by the times that are sent, however slow the machine."""
    box, devtools, first = card.bounding_box(), page.context.new_cdp_session(page), time.time()
    finger = {"x": box["x"] + CORNER["x"], "y": box["y"] + CORNER["y"]}
    for at in (first, first + 0.1):
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger], "timestamp": at})
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": [], "timestamp": at + 0.02})


WATCH_GHOSTS = """() => {
    window.ghosts = []; // how long each image of a card takes on its way
    const isGhost = (node) => node.matches?.("body > .card");
    const note = (node) => isGhost(node) && ghosts.push(node.getAnimations()[0].effect.getTiming().duration);
    const watch = new MutationObserver((changes) => changes.forEach(({addedNodes}) => addedNodes.forEach(note)));
    watch.observe(document.body, {childList: true});
}"""


@pytest.mark.parametrize(("pace", "duration"), [("relaxed", 512), ("quick", 176)])
def test_what_the_other_player_draws_is_seen_to_go_to_their_hand(
    pace, duration, live_url, new_context, log_in, table_of
):
    table = table_of("alice", "bob", game="gin-rummy")
    page = new_context().new_page()
    log_in(page.context, "bob")
    page.context.add_cookies([{"name": "pace", "value": pace, "url": live_url}])
    page.goto(live_url + table.get_absolute_url())
    page.wait_for_load_state()
    page.evaluate(WATCH_GHOSTS)
    for seat, text in ((0, "P"), (1, "P"), (0, "D")):
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        wait_for_seq(page, table.version)
    assert page.evaluate("ghosts.map(Math.round)") == [duration]
    expect(page.locator('[data-zone="stock"] .is-last')).to_have_count(1)


WATCH_SIZES = """() => {
    window.sizes = []; // how large each card is when its way begins, as a share of what it becomes
    const {animate} = Element.prototype;
    Element.prototype.animate = function (keyframes, timing) {
        const scale = /scale\\((.+)\\)/.exec(keyframes[0].transform);
        if (scale) sizes.push(Number(scale[1]));
        return animate.call(this, keyframes, timing);
    };
}"""


def test_a_card_from_a_hand_that_is_not_shown_is_no_larger_than_it_becomes(
    live_url, new_context, log_in, table_of, play_on
):
    """On a phone a plate says how many cards a player holds."""
    table = table_of("bob", "alice", "cleo", "dora", game="krambambuli")
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    page.wait_for_load_state()
    page.evaluate(WATCH_SIZES)
    while not (sizes := page.evaluate("sizes")):
        table = play_on(table, 1)
        wait_for_seq(page, table.version)
    assert max(sizes) <= 1


def test_the_card_with_which_the_other_player_takes_is_seen(live_url, new_context, log_in, table_of, play_on, state_of):
    table = table_of("alice", "bob")
    while not (captures := captures_of_bob(state_of(table))):
        table = play_on(table, 1)
    page = new_context().new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    page.wait_for_load_state()
    page.evaluate(WATCH_GHOSTS)
    table = services.play_move(table_id=table.pk, seat=1, text=str(captures[0]), version=table.version)
    wait_for_seq(page, table.version)
    assert page.evaluate("ghosts[0]") == 800  # it comes to the card that it takes, then both leave


def captures_of_bob(state):
    """His moves that take one card of the table, if he is to move."""
    return [move for move in state.legal_moves(1) if re.fullmatch(r"\w+x\w+", str(move))] if 1 in state.to_act else []


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)], ids=str)
def test_the_drawn_card_is_marked_until_one_is_played(about_to_discard, size):
    page = about_to_discard()
    resize(page, size[0], size[1])
    new = page.locator(".hand .is-fresh")
    expect(new).to_have_count(1)
    assert new.evaluate("e => getComputedStyle(e, '::before').content") == '"new" / ""'
    assert "new" in new.text_content()
    expect(page.locator(".last-move")).to_have_text(re.compile("^You draw (10|.)[♣♦♥♠]"))
    page.locator(".hand .pick").last.press("Enter")
    page.locator(".choice.is-offered button").press("Enter")
    wait_for_seq(page, Table.objects.get().version)
    expect(new).to_have_count(0)


def test_a_discard_counts_although_the_other_player_was_faster(live_url, new_context, log_in, table_of, state_of):
    table = table_of("alice", "bob", game="partnership-cribbage")
    page = new_context(reduced_motion="reduce").new_page()
    page.route("**/events/*", lambda route: route.abort())  # it hears of the other discard too late
    log_in(page.context, "bob")
    page.goto(live_url + table.get_absolute_url())
    services.play_move(table_id=table.pk, seat=0, text=str(state_of(table).legal_moves(0)[0]), version=table.version)
    play_marked(page, cards_of(page)[:2])
    wait_for_seq(page, table.version + 2)
    expect(page.locator(".hand [data-card]")).to_have_count(4)
    expect(page.locator(".refusal")).to_have_count(0)


def test_an_only_move_says_that_it_plays_itself_and_is_stopped_by_escape(page_of, table_of, state_of):
    table = table_of("alice", "bob", game="shanghai")
    page = page_of("alice", table, is_still=True)  # the table of Shanghai draws for everyone
    assert state_of(table).view(0).forced is not None
    page.clock.run_for(200)
    expect(page.locator("#announce")).to_contain_text("it plays itself")
    page.keyboard.press("Escape")
    page.clock.run_for(5000)
    expect(page.locator("#announce")).to_have_text("Stopped. Play it when you're ready.")
    expect(page.locator(".plays-itself, .plays-note")).to_have_count(0)
    page.wait_for_timeout(300)
    assert Table.objects.get().move_count == 0
