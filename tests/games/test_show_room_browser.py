"""Room at the end of a hand: what a step counts is in sight, and what one presses stays where it is."""

from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, services
from tests.viewports import resize

PLAYERS = ("alice", "Bartholomew", "cleo", "dora", "emil", "fay")
SIZES = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}, {"width": 844, "height": 390}]
SEATS = {
    "casino": 4,
    "royal-casino": 2,
    "advantage": 2,
    "gin-rummy": 2,
    "partnership-cribbage": 4,
    "push": 4,
    "vatican": 5,
    "krambambuli": 6,
}

IS_STILL = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"

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

NAMES_IN_TWO = """() => [...document.querySelectorAll("#board .seats .plate-name")].filter((name) => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return range.getClientRects().length > 1;
}).map((name) => name.textContent)"""

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


@pytest.fixture(params=SEATS)
def ended(request, table_of, state_of):
    """A table with all its seats taken at which bots have played the first hand."""
    table = table_of(*PLAYERS[: SEATS[request.param]], game=request.param)
    player, rng = bots.bot(request.param, "first-steps"), Random(1)
    while not (state := state_of(table)).results:
        seat = state.to_act[0]
        text = str(player.choose(state.view(seat), rng))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    return table


def test_all_that_is_counted_is_in_sight_at_every_step(ended, new_context, log_in, live_url):
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
            page.wait_for_function(IS_STILL)
            assert page.evaluate(HIDDEN) == [], size
            assert page.evaluate(LAID_WRONGLY) == [], size
            box = page.locator("[data-next]").bounding_box()
            buttons.add((round(box["x"]), round(box["y"])))
            page.locator("#board").focus()
        assert len(buttons) == 1, size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate(NAMES_IN_TWO) == [], size
    expect(show).to_be_visible()
