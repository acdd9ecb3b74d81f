"""Every game played a few turns in a real browser: by clicking at its fewest and its most seats, and by dragging."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, engines, services
from games.engines import GAMES
from games.models import Table
from games.record import replay
from tests.at_table import drag_this, others_move, wait_for_seq
from tests.fingers import drag, drag_marked, drag_offer, play_marked, play_offer, touch_drag

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 860}
WIDE = {"width": 1440, "height": 900}
FINGER = {"width": 390, "height": 844}
OWN_TURNS = 4
LONGEST_HAND = 40  # own turns; a game of Russian Bank is one hand
SIZES = [
    pytest.param(game, seats, screen, id=f"{game.slug}-{seats}-{name}")
    for game in GAMES
    for seats, screen, name in ((min(game.seats), PHONE, "phone"), (max(game.seats), DESKTOP, "desktop"))
]


def leave_the_end_of_a_hand(page, table):
    """Goes on to the next hand where the table still shows how one ended, which makes another version of it."""
    if page.locator("[data-next]").count():
        page.locator("[data-next]").click()
        expect(page.locator("[data-next]")).to_have_count(0)
        table.refresh_from_db()


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
        wait_for_seq(page, table.version)
        leave_the_end_of_a_hand(page, table)
        click_a_move(page)
        wait_for_seq(page, table.version + 1)
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
        wait_for_seq(page, table.version)
        leave_the_end_of_a_hand(page, table)
        drag_a_move(page)
        wait_for_seq(page, table.version + 1)
        turns += 1
    assert turns
    expect(page.locator("#board .refusal")).to_have_count(0)
    expect(page.locator(".drag-ghost")).to_have_count(0)


@pytest.mark.parametrize("hand", ["mouse", "finger"])
@pytest.mark.parametrize(
    "slug", ["casino", "gin-rummy", "partnership-cribbage", "sixty-six", "krambambuli", "russian-bank"]
)
def test_a_whole_hand_is_played_by_dragging(slug, hand, seat_of_ada):
    game = engines.get(slug)
    screen, drag_hand = {"mouse": (WIDE, drag), "finger": (FINGER, touch_drag)}[hand]
    # Each frame of a glide is drawn, in which nothing is dragged; the few turns above are played with all motion.
    table, page = seat_of_ada(game, min(game.seats), screen, by=hand, reduced_motion="reduce")
    player, rng, turns = bots.bot(slug, "first-steps"), Random(3), 0
    while (table := others_move(table, rng)).status == Table.Status.RUNNING and turns < LONGEST_HAND:
        state = replay.state_of(table)
        if state.results:
            break
        wait_for_seq(page, table.version)
        view = state.view(0)
        drag_this(page, view, str(player.choose(view, rng)), drag_hand)
        wait_for_seq(page, table.version + 1)
        turns += 1
    expect(page.locator("#board .refusal")).to_have_count(0)
    expect(page.locator(".drag-ghost")).to_have_count(0)


@pytest.mark.parametrize(("forced", "goes_on"), [("self", True), ("ask", False), ("", False)])
def test_an_only_move_plays_itself_only_for_those_who_have_chosen_that(forced, goes_on, seat_of_ada):
    table, page = seat_of_ada(engines.get("partnership-cribbage"), 2, DESKTOP, forced)
    rng = Random(3)
    while (view := replay.state_of(table).view(0)).forced is None:
        seat = 0 if view.moves else 1
        moves = replay.state_of(table).legal_moves(seat)
        table = services.play_move(table_id=table.pk, seat=seat, text=str(rng.choice(moves)), version=table.version)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.reload()
    wait_for_seq(page, table.version)
    expect(page.locator("#board .plays-note")).to_have_count(int(goes_on))
    page.clock.run_for(10_000)
    if goes_on:
        wait_for_seq(page, table.version + 1)
    assert any(url.endswith("/moves/") for url in sent) == goes_on
