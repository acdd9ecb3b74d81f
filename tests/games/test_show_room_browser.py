"""Room at the end of a hand: what a step counts is in sight, and what one presses stays where it is."""

from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, services
from tests.viewports import resize

PLAYERS = ("alice", "Bartholomew", "cleo", "dora", "emil", "fay")
UPRIGHT = {"width": 390, "height": 844}
SIZES = [{"width": 1440, "height": 900}, UPRIGHT, {"width": 844, "height": 390}]
CLUB = {"level": "club", "seed": 5}
TABLES = [
    ("casino", 4, {}),
    ("royal-casino", 2, {}),
    ("royal-casino", 4, CLUB | {"secret": bytes([4]) * 32}),
    ("advantage", 2, {}),
    ("gin-rummy", 2, {}),
    ("partnership-cribbage", 4, {}),
    ("push", 4, {}),
    ("vatican", 5, {}),
    ("krambambuli", 6, CLUB | {"secret": bytes([6]) * 32}),
]

# Cards on their way are where they go at once: each frame of a glide is drawn, and there are hundreds of steps.
TO_REST = """() => document.getAnimations().filter(({ playState }) => playState === "running")
  .forEach((animation) => animation.finish())"""

# Of the step that was told last: what of it is out of sight or below something else.
# On a phone a table of many melds is scrolled to the first card that counts.
HIDDEN = """() => {
  const isInSight = (part) => {
    const { left, top } = part.getBoundingClientRect();
    const hit = document.elementFromPoint(left + 5, top + 5);
    return hit !== null && (part.contains(hit) || hit.contains(part));
  };
  const cards = [...document.querySelectorAll("#board .is-in-count")];
  const others = document.querySelectorAll("#board :is(.show-stage.is-current, [data-next])");
  const isHigh = document.documentElement.scrollHeight > innerHeight + 1;
  return [...(isHigh ? cards.slice(0, 1) : cards), ...others].filter((part) => !isInSight(part))
    .map((part) => part.dataset.card ?? part.textContent.trim());
}"""

# Tells the next step and answers how far the players' places are scrolled while its cards are on their way.
SCROLLED_BY_NEXT = """() => {
  document.querySelector("#board").dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
  return document.querySelector("#board .seats").scrollTop;
}"""

NAMES_IN_TWO = """() => [...document.querySelectorAll("#board .seats .plate-name")].filter((name) => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return range.getClientRects().length > 1;
}).map((name) => name.textContent)"""

# Where the page is not scrolled, melds of which a card is below something.
COVERED = """() => {
  const isInSight = (card) => {
    const { left, top } = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(left + 4, top + 4));
  };
  const cards = [...document.querySelectorAll("#board :is(.seat, .own) .zone-meld [data-card]")];
  return cards.filter((card) => !isInSight(card)).map((card) => card.dataset.card);
}"""

# Places of a player whose cards lie over those of another, and rows of two players that take two lines.
LAID_WRONGLY = """() => {
  const zones = [...document.querySelectorAll("#board :is(.seat, .own-places) > .zone:has([data-card])")];
  const cards = (zone) => [...zone.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
  const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  const isOver = (a, b) => shared(a, b, "left", "right") > 1 && shared(a, b, "top", "bottom") > 8;
  const areNear = (zone, other) => other !== zone && other.parentElement === zone.parentElement;
  const isCovered = (zone) => zones.filter((other) => areNear(zone, other))
    .some((other) => cards(zone).some((a) => cards(other).some((b) => isOver(a, b))));
  const isInTwoLines = (zone) => {
    const tops = cards(zone).map(({ top }) => top);
    return zone.matches(":is(.seats.of-1, .own) .zone-row") && Math.max(...tops) - Math.min(...tops) > 12;
  };
  return zones.filter((zone) => isCovered(zone) || isInTwoLines(zone)).map((zone) => zone.dataset.zone);
}"""


@pytest.fixture
def first_hand(table_of, state_of):
    """`first_hand("casino", 4)`: a table with so many seats, all taken, at which bots have played the first hand."""

    def play(game, seats, level="first-steps", seed=1, **given):
        table = table_of(*PLAYERS[:seats], game=game, **given)
        player, rng = bots.bot(game, level), Random(seed)
        while not (state := state_of(table)).results:
            seat = state.to_act[0]
            text = str(player.choose(state.view(seat), rng))
            table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        return table

    return play


@pytest.mark.parametrize(("game", "seats", "dealt"), TABLES, ids=[f"{game}-{seats}" for game, seats, _ in TABLES])
def test_all_that_is_counted_is_in_sight_at_every_step(game, seats, dealt, first_hand, new_context, log_in, live_url):
    ended = first_hand(game, seats, **dealt)
    context = new_context()
    log_in(context, "alice")
    cookies = {"wait": "15", "sound": "off"}  # the offer of sounds would lie over the first cards
    context.add_cookies([{"name": name, "value": value, "url": live_url} for name, value in cookies.items()])
    page = context.new_page()
    page.goto(live_url + ended.get_absolute_url())
    show = page.locator("[data-show]")
    for size in SIZES:
        resize(page, **size)
        page.locator("#board").focus()
        while page.locator(".show-stage.is-told").count():
            page.keyboard.press("ArrowLeft")
        buttons = set()
        while "is-over" not in show.get_attribute("class"):
            page.keyboard.press("Space")
            page.evaluate(TO_REST)
            assert page.evaluate(HIDDEN) == [], size
            assert page.evaluate(LAID_WRONGLY) == [], size
            assert size == UPRIGHT or page.evaluate(COVERED) == [], size
            box = page.locator("[data-next]").bounding_box()
            buttons.add((round(box["x"]), round(box["y"])))
            page.locator("#board").focus()
        assert len(buttons) == 1, size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate(NAMES_IN_TWO) == [], size
    expect(show).to_be_visible()


def test_players_stay_in_sight_while_one_takes_the_last_cards(first_hand, new_context, log_in, live_url):
    ended = first_hand("royal-casino", 4, **CLUB, secret=bytes([4]) * 32)
    context = new_context(viewport={"width": 844, "height": 390})
    log_in(context, "alice")
    context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    page = context.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1)  # no step is told by itself
    page.goto(live_url + ended.get_absolute_url())
    taken = page.locator(".show-stage.is-current[data-to]")
    while not taken.count():
        page.evaluate(TO_REST)
        assert page.evaluate(SCROLLED_BY_NEXT) == 0
    assert taken.get_attribute("data-to") != "won:0"


# The lines of the count that are read whole, and whether the player's own plate lies above it.
READ_AGAIN = """() => {
  const list = document.querySelector("#board .show-stages").getBoundingClientRect();
  const lines = [...document.querySelectorAll("#board .show-stage")].map((line) => line.getBoundingClientRect());
  const own = document.querySelector("#board .own > .plate").getBoundingClientRect();
  const isWhole = ({ top, bottom }) => top >= list.top - 1 && bottom <= list.bottom + 1;
  return [lines.filter(isWhole).length, own.bottom <= list.top];
}"""


def test_a_phone_shows_more_of_a_count_that_is_over_and_not_over_the_own_cards(
    first_hand, new_context, log_in, live_url
):
    ended = first_hand("casino", 4, **CLUB)
    page = new_context(viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")
    page.context.add_cookies([{"name": "wait", "value": "15", "url": live_url}])
    page.goto(live_url + ended.get_absolute_url())
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.locator("#board").focus()
    page.keyboard.press("Escape")
    page.locator(".show.is-over").wait_for()
    lines, is_own_in_sight = page.evaluate(READ_AGAIN)
    assert lines >= 5
    assert is_own_in_sight


# How far the melds of the others lie outside of their places if each is as long as a run from ace to king.
STRETCHED = """() => [...document.querySelectorAll("#board .seat .zone-meld > .cards")].map((cards) => {
  while (cards.children.length < 13) cards.prepend(cards.firstElementChild.cloneNode(true));
  return cards.lastElementChild.getBoundingClientRect().right - cards.closest(".seat").getBoundingClientRect().right;
})"""


def test_on_a_phone_the_longest_run_is_not_cut_off(first_hand, new_context, log_in, live_url):
    page = new_context(viewport=UPRIGHT, reduced_motion="reduce").new_page()
    log_in(page.context, "alice")
    page.goto(live_url + first_hand("push", 4).get_absolute_url())
    page.locator("[data-show]").wait_for()
    beyond = page.evaluate(STRETCHED)
    assert beyond and max(beyond) <= 1


# What ends below the count while nothing is scrolled.
BELOW_COUNT = """() => {
  const { top } = document.querySelector("#board .turn").getBoundingClientRect();
  return [...document.querySelectorAll("#board .card")].filter((card) => card.getBoundingClientRect().bottom > top)
    .map((card) => card.closest("[data-zone]").dataset.zone);
}"""


def test_on_a_phone_the_hands_of_six_players_are_in_sight_at_once(first_hand, new_context, log_in, live_url):
    page = new_context(viewport=UPRIGHT).new_page()
    log_in(page.context, "alice")
    page.context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    page.clock.install(time=0)
    page.clock.pause_at(1)  # no step is told by itself
    page.goto(live_url + first_hand("krambambuli", 6, **CLUB, secret=bytes([6]) * 32).get_absolute_url())
    page.locator(".show.is-stepwise").wait_for()
    below = page.evaluate(BELOW_COUNT)
    assert {*below} <= {zone for zone in below if zone.startswith("meld")}  # at most melds, which count nothing
    assert page.evaluate("scrollY") == 0
