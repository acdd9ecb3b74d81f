"""Every game played a few turns in a real browser: by clicking at its fewest and its most seats, and by dragging."""

import re
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from games import bots, engines, services
from games.core.contract import View
from games.engines import GAMES
from games.models import Table
from games.presentation.board import build_board
from games.record import replay
from tests.fingers import drag, drag_marked, drag_offer, offer_of, play_marked, play_offer, touch_drag

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 860}
WIDE = {"width": 1440, "height": 900}
FINGER = {"width": 390, "height": 844}
TOUCH = {"has_touch": True, "is_mobile": True}
OWN_TURNS = 4
LONGEST_HAND = 40  # own turns; a game of Russian Bank is one hand
SEEN = "n => +document.querySelector('#board').dataset.seq >= n"
SIZES = [
    pytest.param(game, seats, screen, id=f"{game.slug}-{seats}-{name}")
    for game in GAMES
    for seats, screen, name in ((min(game.seats), PHONE, "phone"), (max(game.seats), DESKTOP, "desktop"))
]


@pytest.fixture
def seat_of_ada(live_url, new_context, table_of):
    """Ada's page at a running table of a game; the other seats are moved by `others_move`."""

    def sit(game, seats, screen, forced="ask"):
        table = table_of(*[f"player{seat}" for seat in range(seats)], game=game.slug)
        browser = Client()
        browser.force_login(User.objects.get(username="player0"))
        page = new_context(**TOUCH if screen == FINGER else {}, viewport=screen).new_page()
        cookies = {settings.SESSION_COOKIE_NAME: browser.cookies[settings.SESSION_COOKIE_NAME].value, "forced": forced}
        page.context.add_cookies([{"name": name, "value": value, "url": live_url} for name, value in cookies.items()])
        page.goto(f"{live_url}{table.get_absolute_url()}")
        return table, page

    return sit


def has_a_button(table: Table, view: View) -> bool:
    """False where only melds can be played on a workbench, which has tests of its own."""
    return not table.rules.workbench or bool(build_board(view, names=table.names).plain_offers)


def others_move(table: Table, rng: Random) -> Table:
    """Plays for the other seats, and where seat 0 has to arrange melds, until it can click or the game is over."""
    table.refresh_from_db()
    while table.status == Table.Status.RUNNING:
        state = replay.state_of(table)
        if 0 in state.to_act and has_a_button(table, state.view(0)):
            break
        seat = state.to_act[0]
        move = bots.bot(table.game, "first-steps").choose(state.view(seat), rng)
        table = services.play_move(table_id=table.pk, seat=seat, text=str(move), version=table.version)
    return table


def leave_the_end_of_a_hand(page):
    """Goes on to the next hand where the table still shows how one ended."""
    if page.locator("[data-next]").count():
        page.locator("[data-next]").click()
        expect(page.locator("[data-next]")).to_have_count(0)


def click_a_move(page):
    """The first move that the table offers; of a workbench a button below it."""
    if page.locator("[data-workbench]").count():
        page.locator(".bench-bar form:not(.script) button").first.click()
    elif page.locator(".choice").count():
        play_offer(page, page.locator(".choice").first)
    else:
        selection = page.locator(".selection")
        cards = selection.locator("[type=checkbox]").evaluate_all("all => all.map(box => box.value)")
        play_marked(page, cards[: int(selection.get_attribute("data-low"))])


@pytest.mark.parametrize(("game", "seats", "screen"), SIZES)
def test_a_few_turns_can_be_played_with_a_finger(game, seats, screen, seat_of_ada):
    table, page = seat_of_ada(game, seats, screen)
    rng, turns = Random(3), 0
    while turns < OWN_TURNS and (table := others_move(table, rng)).status == Table.Status.RUNNING:
        page.wait_for_function(SEEN, arg=table.version)
        leave_the_end_of_a_hand(page)
        click_a_move(page)
        page.wait_for_function(SEEN, arg=table.version + 1)
        turns += 1
    assert turns
    expect(page.locator("#board .refusal")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    expect(page.locator("#announce")).to_have_text(re.compile(r"\w"))


def drag_a_move(page):
    """A move that can be made by dragging; what is only said, such as a pass, by its button."""
    selection, goes_somewhere = page.locator(".selection[data-to]"), ".choice[data-to], .choice[data-touches*=' ']"
    if page.locator(goes_somewhere).count():
        drag_offer(page, page.locator(goes_somewhere).first)
    elif selection.count():
        cards = selection.locator("[type=checkbox]").evaluate_all("all => all.map(box => box.value)")
        drag_marked(page, cards[: int(selection.get_attribute("data-low"))], selection.get_attribute("data-to"))
    else:
        click_a_move(page)


@pytest.mark.parametrize("game", [game for game in GAMES if not game.workbench], ids=lambda game: game.slug)
def test_a_few_turns_can_be_played_by_dragging(game, seat_of_ada):
    table, page = seat_of_ada(game, min(game.seats), DESKTOP)
    rng, turns = Random(3), 0
    while turns < OWN_TURNS and (table := others_move(table, rng)).status == Table.Status.RUNNING:
        page.wait_for_function(SEEN, arg=table.version)
        leave_the_end_of_a_hand(page)
        drag_a_move(page)
        page.wait_for_function(SEEN, arg=table.version + 1)
        turns += 1
    assert turns
    expect(page.locator("#board .refusal")).to_have_count(0)
    expect(page.locator(".drag-ghost")).to_have_count(0)


def drag_this(page, view, text, drag):
    """Makes a move by dragging its cards, or by its button if it has no place to drop them on."""
    choice = offer_of(page, text)
    if not choice.count():
        cards = [card for card in view.selection.cards if card in re.findall(r"\w+", text)]
        drag_marked(page, cards, view.selection.to, drag) if view.selection.to else play_marked(page, cards)
    elif choice.get_attribute("data-to") or " " in choice.get_attribute("data-touches"):
        drag_offer(page, choice, drag)
    else:
        play_offer(page, choice)


@pytest.mark.parametrize("hand", ["mouse", "finger"])
@pytest.mark.parametrize(
    "slug", ["casino", "gin-rummy", "partnership-cribbage", "sixty-six", "krambambuli", "russian-bank"]
)
def test_a_whole_hand_is_played_by_dragging(slug, hand, seat_of_ada):
    game = engines.get(slug)
    screen, drag_hand = {"mouse": (WIDE, drag), "finger": (FINGER, touch_drag)}[hand]
    table, page = seat_of_ada(game, min(game.seats), screen)
    player, rng, turns = bots.bot(slug, "first-steps"), Random(3), 0
    while (table := others_move(table, rng)).status == Table.Status.RUNNING and turns < LONGEST_HAND:
        state = replay.state_of(table)
        if state.results:
            break
        page.wait_for_function(SEEN, arg=table.version)
        view = state.view(0)
        drag_this(page, view, str(player.choose(view, rng)), drag_hand)
        page.wait_for_function(SEEN, arg=table.version + 1)
        turns += 1
    expect(page.locator("#board .refusal")).to_have_count(0)
    expect(page.locator(".drag-ghost")).to_have_count(0)


@pytest.mark.parametrize(("forced", "goes_on"), [("self", True), ("ask", False)])
def test_an_only_move_plays_itself_unless_one_prefers_to_make_it(forced, goes_on, seat_of_ada):
    table, page = seat_of_ada(engines.get("partnership-cribbage"), 2, DESKTOP, forced)
    rng = Random(3)
    while (view := replay.state_of(table).view(0)).forced is None:
        seat = 0 if view.moves else 1
        moves = replay.state_of(table).legal_moves(seat)
        table = services.play_move(table_id=table.pk, seat=seat, text=str(rng.choice(moves)), version=table.version)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.clock.install()
    page.reload()
    page.wait_for_function(SEEN, arg=table.version)
    page.clock.run_for(10_000)
    if goes_on:
        page.wait_for_function(SEEN, arg=table.version + 1)
    assert any(url.endswith("/moves/") for url in sent) == goes_on
