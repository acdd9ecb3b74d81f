"""Room on the screen: what one plays with is in sight on a phone, upright and on its side, and lies below nothing."""

import pytest

from games import engines, services
from tests.viewports import resize
from tutorials.content import library
from tutorials.navigation import step_url

UPRIGHT = {"width": 390, "height": 844}
NARROW = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 844, "height": 390}
SIZES = [ON_ITS_SIDE, UPRIGHT, NARROW]
MOST_IN_A_ROW = 13
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

LINK_ENDS_BEFORE_ACCOUNT = """() => {
  const [link, account] = [".own-game", ".account summary"].map((part) => document.querySelector(part));
  return link.getBoundingClientRect().right <= account.getBoundingClientRect().left;
}"""

WIDTH = "document.documentElement.scrollWidth <= innerWidth"


def check(page, size):
    resize(page, **size)
    assert page.evaluate(HIDDEN) == [], size
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


@pytest.mark.parametrize("size", [UPRIGHT, NARROW], ids=["390", "360"])
def test_all_help_against_a_bot_is_in_one_line_on_a_phone(
    size, house_bot, person, new_context, log_in, live_url, transactional_db
):
    house_bot("Robo", "gin-rummy")
    table = services.open_table(game="gin-rummy", seats=2, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
    table = services.seat_bot(table_id=table.pk, level="first-steps")
    page = new_context(viewport=size).new_page()
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    page.locator(".helps [data-sort]").wait_for()
    parts = page.locator("#board .own > .plate, #board .helps .button:visible, #board .side-open")
    assert parts.count() >= 5
    lowest = parts.evaluate_all("all => all.map((part) => Math.round(part.getBoundingClientRect().bottom))")
    assert max(lowest) - min(lowest) < 8, lowest
