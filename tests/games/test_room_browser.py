"""Room on the screen: what one plays with is in sight on a phone, upright and on its side, and lies below nothing."""

import re
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import Error, expect

from games import bots, engines, services
from games.models import Table
from tests.at_table import wait_for_seq
from tests.viewports import TWO_FRAMES, resize
from tutorials.content import library
from tutorials.navigation import step_url

UPRIGHT = {"width": 390, "height": 844}
NARROW = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 844, "height": 390}
SIZES = [ON_ITS_SIDE, UPRIGHT, NARROW]
DESKTOPS = [{"width": 1024, "height": 768}, {"width": 1280, "height": 800}, {"width": 1920, "height": 1080}]
HIGH = {"width": 1440, "height": 1200}  # room for many cards on the table
MOST_IN_A_ROW = 13
REST_MS = 5_000
PLAYERS = ("alice", "bob", "cleo", "dora", "emil", "fay")

# What can be chosen, and the piles in the middle, if the index or the lower edge is not in sight.
HIDDEN = """() => {
  const corners = (part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const isFanned = part.closest(".hand, .zone-column, .zone-meld, .zone-row");
    return [[left + 5, top + 5], ...(isFanned ? [] : [[(left + right) / 2, bottom - 9]])];
  };
  const isInSight = (part, [x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (part.contains(hit) || hit.contains(part));
  };
  const parts = document.querySelectorAll("#board .pick, #board .middle :is(.zone-stock, .zone-pile) .spot");
  return [...parts].filter((part) => !corners(part).every((corner) => isInSight(part, corner)))
    .map((part) => part.dataset.pick ?? part.closest("[data-zone]").dataset.zone);
}"""

# The cards in each row of the hand.
ROWS = """() => Object.values(Object.groupBy(
  document.querySelectorAll("#board .hand .cards > *"), (card) => Math.round(card.getBoundingClientRect().bottom)
)).map((row) => row.length)"""

LINK_IS_CLEAR_OF_MENUS = """() => {
  const boxOf = selector => document.querySelector(selector).getBoundingClientRect();
  const link = boxOf(".own-game"), menu = boxOf(".account > .menu");
  return link.right <= menu.left || link.top >= menu.bottom;
}"""
LINK_ENDS_BEFORE_ACCOUNT = """() => {
  const [link, account] = [".own-game", ".account summary"].map((part) => document.querySelector(part));
  return link.getBoundingClientRect().right <= account.getBoundingClientRect().left;
}"""

# Its short words, the size of its long ones, and whether all is in its box: in one call, as the page may replace it.
SHOWN_OF_LINK = """() => {
  const link = document.querySelector(".own-game");
  const short = getComputedStyle(link, "::before").content.split(" / ")[0];
  return [short, getComputedStyle(link).fontSize, link.scrollWidth <= link.clientWidth];
}"""

NAME_IS_WHOLE = """() => {
  const name = document.querySelector(".account > a:last-child");
  return name.scrollWidth <= name.clientWidth;
}"""
WIDTH = "document.documentElement.scrollWidth <= innerWidth"


def left(page, script):
    """What a script still finds once the page has come to rest."""
    with suppress(Error):
        page.wait_for_function(f"() => ({script})().length === 0", timeout=REST_MS)
    return page.evaluate(script)


def check(page, size):
    resize(page, **size)
    assert left(page, HIDDEN) == [], size
    assert page.evaluate(WIDTH), size


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_everything_to_play_with_is_in_sight_on_a_phone(game, table_of, new_context, log_in, live_url):
    table = table_of(*PLAYERS[: max(game.seats)], game=game.slug)
    context = new_context(reduced_motion="reduce")
    log_in(context, "alice")
    page = context.new_page()
    page.goto(live_url + table.get_absolute_url())
    for size in SIZES:
        check(page, size)
        rows = page.evaluate(ROWS)
        assert len(rows) <= 1 or sum(rows) > MOST_IN_A_ROW, size


# The edges of what should stay: the hand, the player's plate, and the board of pegs if there is one.
EDGES = """() => [[".hand", "bottom"], [".own > .plate", "bottom"], [".pegs", "top"]].map(([part, edge]) =>
  Math.round(document.querySelector(`#board ${part}`)?.getBoundingClientRect()[edge] ?? 0))"""


ANNOUNCED_BESIDE = """() => [".hand", ".own > .plate", ".seats"].map((part) =>
  Math.round(document.querySelector(`#board ${part}`).getBoundingClientRect().bottom))"""


@pytest.mark.parametrize("game", ["partnership-cribbage", "four-hand-cuarenta"])
def test_nothing_moves_while_four_players_play_their_cards(game, table_of, state_of, new_context, log_in, live_url):
    table, rng = table_of(*PLAYERS[:4], game=game), Random(1)
    page = new_context(reduced_motion="reduce", viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    seen = []
    for _ in range(12):
        seat = (state := state_of(table)).to_act[0]
        text = str(bots.bot(game, "club").choose(state.view(seat), rng))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        wait_for_seq(page, table.version)
        page.evaluate(TWO_FRAMES)
        seen.append(page.evaluate(EDGES))
    for places in zip(*seen, strict=True):
        assert max(places) - min(places) <= 8, places


# With nothing chosen and then with each card of the hand: how many moves are offered, and where the table's cards are.
CHOSEN = """() => {
  const measured = () => [
    document.querySelectorAll("#board .choice.is-offered").length,
    Math.round(document.querySelector("[data-zone=table]").getBoundingClientRect().top),
  ];
  const chosen = [...document.querySelectorAll("#board .hand .pick")].map((card) => {
    card.click();
    const found = measured();
    card.click();
    return found;
  });
  return [measured(), ...chosen];
}"""


@pytest.mark.parametrize("size", [HIGH, UPRIGHT], ids=lambda size: size["width"])
def test_the_table_stays_where_it_is_when_a_card_has_many_moves(
    size, table_of, state_of, new_context, log_in, live_url
):
    table, most = table_of("alice", "bob"), 0
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    while most < 9:
        seat = (state := state_of(table)).to_act[0]
        if seat == 0:
            wait_for_seq(page, table.version)
            page.evaluate(TWO_FRAMES)
            chosen = page.evaluate(CHOSEN)
            most = max(offers for offers, _ in chosen)
            assert len({top for _, top in chosen}) == 1, chosen
        text = state.view(seat).hand[0]
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)


def test_a_phone_tells_of_a_crowded_table_that_a_bot_plays_on(table_of, person, new_context, log_in, live_url):
    table = table_of(*PLAYERS[:4])
    services.resign(table_id=table.pk, user=person("cleo"))
    page = new_context().new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    plate = page.locator(".seat[data-seat='2'] .plate-note")
    for size in SIZES:
        resize(page, **size)
        expect(plate).to_have_text(re.compile("^bot plays on"), use_inner_text=True)
        assert page.evaluate(WIDTH), size
    resize(page, **DESKTOPS[-1])
    expect(plate).to_have_text(re.compile("^left: a club bot plays on"), use_inner_text=True)


def table_steps(slug):
    """The first step with a move to play of each third chapter of a course."""
    for chapter in library.load_course(slug).chapters[::3]:
        step = next((step for step in chapter.steps if step.turns), None)
        if step:
            yield step_url(slug, chapter, step)


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_a_lesson_is_played_on_a_phone_on_its_side(slug, live_url, new_context):
    page = new_context(reduced_motion="reduce", viewport=ON_ITS_SIDE).new_page()
    for path in table_steps(slug):
        page.goto(live_url + path)
        page.locator("#board").wait_for()
        check(page, ON_ITS_SIDE)


def test_the_way_to_another_game_lies_below_nothing_on_a_phone(table_of, new_context, log_in, live_url):
    table = table_of("alice", "bob")
    table_of("alice", "bob", game="piquet", secret=bytes(31) + b"1")  # the newest is the one that the link leads to
    page = new_context(viewport=ON_ITS_SIDE).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    page.locator(".own-game").wait_for()  # the page asks for it again when it has come
    assert page.evaluate(LINK_ENDS_BEFORE_ACCOUNT)


@pytest.mark.parametrize("size", SIZES, ids=["844", "390", "360"])
def test_the_way_to_another_game_is_read_whole_on_a_phone(size, table_of, new_context, log_in, live_url):
    table = table_of("alice", "bob")
    table_of("alice", "bob", game="rubicon-piquet", secret=bytes(31) + b"1")
    page = new_context(viewport=size).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    page.get_by_role("link", name="Back to your game of Rubicon Piquet").wait_for()
    assert page.evaluate(SHOWN_OF_LINK) == ['"Your game"', "0px", True]
    assert page.evaluate(LINK_ENDS_BEFORE_ACCOUNT)
    assert page.evaluate(WIDTH)


@pytest.mark.parametrize(
    ("width", "is_at_table"),
    [(800, True), (1024, True), (1200, True), (1024, False), (1200, False)],
    ids=["table-800", "table-1024", "table-1200", "elsewhere-1024", "elsewhere-1200"],
)
def test_beside_the_way_to_another_game_the_own_name_is_whole(
    width, is_at_table, table_of, person, new_context, log_in, live_url
):
    player = person("Guest 8569712")  # as long as names of guests are
    table = table_of(player.username, "bob")
    table_of(player.username, "bob", game="tabletop-cribbage", secret=bytes(31) + b"1")
    page = new_context(viewport={"width": width, "height": 768}).new_page()
    page.context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])  # asking takes this room
    log_in(page.context, player.username)
    page.goto(live_url + (table.get_absolute_url() if is_at_table else "/learn/"))
    page.locator(".own-game").wait_for()
    assert page.evaluate(f"({NAME_IS_WHOLE})()")
    assert page.evaluate(LINK_IS_CLEAR_OF_MENUS) and page.evaluate(WIDTH)


def test_the_way_to_a_game_covers_no_menu_of_the_head(table_of, new_context, log_in, live_url):
    table_of("alice", "bob", game="rubicon-piquet")
    page = new_context(viewport=ON_ITS_SIDE).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + "/tournaments/")
    page.locator(".own-game").wait_for()
    assert page.evaluate(LINK_IS_CLEAR_OF_MENUS) and page.evaluate(WIDTH)


@pytest.fixture
def page_against_a_bot(house_bot, person, new_context, log_in, live_url, transactional_db):
    def open_page(game, size):
        house_bot("Robo", game)
        table = services.open_table(game=game, seats=2, options=None, created_by=person("alice"))
        services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
        table = services.seat_bot(table_id=table.pk, level="first-steps")
        page = new_context(viewport=size).new_page()
        log_in(page.context, "alice")
        page.goto(live_url + table.get_absolute_url())
        page.locator(".helps .button").first.wait_for()
        return page

    return open_page


@pytest.mark.parametrize(
    ("game", "size"),
    [("casino", UPRIGHT), ("sixty-six", UPRIGHT), ("sixty-six", ON_ITS_SIDE)],
    ids=["casino-390", "sixty-six-390", "sixty-six-844"],
)
def test_the_first_cards_that_are_won_move_no_hand_and_take_no_room_from_the_moves(
    page_against_a_bot, game, size, state_of
):
    page, rng = page_against_a_bot(game, size), Random(1)
    table = Table.objects.get()
    pile = page.locator("#board .own .zone-pile")
    before, room = page.evaluate(EDGES), page.locator("#board .turn").bounding_box()
    while pile.get_attribute("data-count") == "0":
        seat = (state := state_of(table)).to_act[0]
        text = str(bots.bot(game, "club").choose(state.view(seat), rng))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        wait_for_seq(page, table.version)
        page.evaluate(TWO_FRAMES)
    assert page.evaluate(EDGES) == before
    assert page.locator("#board .turn").bounding_box() == room


def test_what_a_player_announces_moves_nothing_on_a_phone(table_of, new_context, log_in, live_url):
    table = table_of("alice", "bob", game="sixty-six", secret=bytes(31) + b"\2")  # alice leads, and has a marriage
    pages = []
    for name in ("alice", "bob"):
        page = new_context(reduced_motion="reduce", viewport=UPRIGHT).new_page()
        log_in(page.context, name)
        page.goto(live_url + table.get_absolute_url())
        page.locator("#board .hand").wait_for()
        pages.append((page, page.evaluate(ANNOUNCED_BESIDE)))
    services.play_move(table_id=table.pk, seat=0, text="MH", version=table.version)
    for page, before in pages:
        page.locator("#board .says").wait_for()
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(ANNOUNCED_BESIDE) == before


@pytest.mark.parametrize(
    ("game", "size"),
    [("gin-rummy", UPRIGHT), ("gin-rummy", NARROW), ("russian-bank", ON_ITS_SIDE)],
    ids=["gin-390", "gin-360", "russian-bank-844"],
)
def test_all_help_against_a_bot_is_in_one_line_on_a_phone(page_against_a_bot, game, size):
    page = page_against_a_bot(game, size)
    parts = page.locator("#board .own > .plate, #board .helps .button:visible, #board .side-open")
    assert parts.count() >= 5
    lowest = parts.evaluate_all("all => all.map((part) => Math.round(part.getBoundingClientRect().bottom))")
    assert max(lowest) - min(lowest) < 8, lowest


def test_on_a_phone_on_its_side_the_button_of_the_log_has_no_line_of_its_own(page_against_a_bot):
    """Above it are the moves, whose buttons were not in sight."""
    page = page_against_a_bot("cuarenta", ON_ITS_SIDE)
    log, helps = page.locator("#board .side-open").bounding_box(), page.locator("#board .helps").bounding_box()
    assert log["y"] + log["height"] <= helps["y"]


PLACES = """all => all.map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""


@pytest.mark.parametrize("size", [UPRIGHT, NARROW, *DESKTOPS], ids=lambda size: size["width"])
def test_the_square_and_its_players_stay_where_they_are_when_the_turn_passes(
    size, table_of, state_of, new_context, log_in, live_url
):
    table = table_of("alice", "bob", game="tabletop-cribbage")
    page = new_context(viewport=size).new_page()
    log_in(page.context, "alice")
    seen = {}
    for _ in range(2):
        page.goto(live_url + table.get_absolute_url())
        parts = page.locator("#board :is(.plate, .own-places, .side-open, .zone-cell)")
        state = state_of(table)
        seen[state.to_act[0]] = parts.evaluate_all(PLACES)
        text = str(state.view(state.to_act[0]).moves[0])
        table = services.play_move(table_id=table.pk, seat=state.to_act[0], text=text, version=table.version)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("size", [UPRIGHT, {"width": 1440, "height": 900}], ids=lambda size: size["width"])
def test_no_pile_moves_when_a_card_is_turned_up_or_the_first_one_goes_on_the_waste(
    size, table_of, state_of, new_context, log_in, live_url
):
    table, rng, seen = table_of("alice", "bob", game="russian-bank"), Random(1), []
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    piles = page.locator("#board :is(.block-pile, .own-places) [data-zone] > :is(.cards, .pick)")
    while not (state := state_of(table)).waste[0]:
        text = str(bots.bot("russian-bank", "club").choose(state.view(state.to_act[0]), rng))
        table = services.play_move(table_id=table.pk, seat=state.to_act[0], text=text, version=table.version)
        wait_for_seq(page, table.version)
        page.evaluate(TWO_FRAMES)
        seen.append(piles.evaluate_all("all => all.map((pile) => Math.round(pile.getBoundingClientRect().top))"))
    for tops in zip(*seen, strict=True):
        assert max(tops) - min(tops) <= 1, tops


# Buttons and plates of which a part is below something else. Many moves are a list that scrolls.
COVERED = """() => [...document.querySelectorAll("#board :is(button:not(.pick), .plate)")].filter((part) => {
  part.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = part.getBoundingClientRect();
  const hits = [0.1, 0.5, 0.9].map((share) => document.elementFromPoint(left + share * width, top + height / 2));
  return part.checkVisibility() && width && !hits.every((hit) => part.contains(hit) || hit?.contains(part));
}).map((part) => part.textContent.trim())"""
NARROW_PLATES = "() => [...document.querySelectorAll('#board .plate')].filter((plate) => plate.offsetWidth < 48).length"


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_no_button_of_a_game_with_bots_is_covered(game, person, house_bot, state_of, new_context, log_in, live_url):
    seats = min(game.seats)
    table = services.open_table(game=game.slug, seats=seats, options=None, created_by=person("alice"), secret=bytes(32))
    services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
    for seat, name in zip(range(1, seats), ("Ada", "Bea", "Cy"), strict=False):
        house_bot(name, game.slug)
        table = services.seat_bot(table_id=table.pk, level="first-steps", seat=seat)
    while 0 not in (state := state_of(table)).to_act:
        seat = state.to_act[0]
        text = str(bots.bot(game.slug, "first-steps").choose(state.view(seat), Random(1)))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    context = new_context(reduced_motion="reduce")
    log_in(context, "alice")
    page = context.new_page()
    page.goto(live_url + table.get_absolute_url())
    for size in [*SIZES, *DESKTOPS]:
        resize(page, **size)
        assert {*left(page, HIDDEN)} <= {"stock"}, size  # of which the lower edge may be below the hand
        assert left(page, COVERED) == [], size
        assert page.evaluate(NARROW_PLATES) == 0, size


@pytest.mark.parametrize("game", ["advantage", "russian-bank"])
def test_the_foot_is_as_high_in_every_turn(new_context, log_in, live_url, table_of, play_on, game):
    table = table_of("alice", "bob", game=game)
    page = new_context(viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    heights = []
    for _ in range(24):
        wait_for_seq(page, table.version)
        heights.append(page.locator(".foot").bounding_box()["height"])
        table = play_on(table, 1)
    assert len(set(heights)) == 1, heights


def test_the_name_of_an_empty_seat_stands_beside_its_button(new_context, log_in, live_url, person):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    page = new_context(viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    seat = page.locator(".seat-list > li", has_text="An empty seat")
    boxes = [part.bounding_box() for part in (seat.locator(".plate-name"), seat.get_by_role("button"))]
    name, button = (box["y"] + box["height"] / 2 for box in boxes)
    assert abs(name - button) < 4
