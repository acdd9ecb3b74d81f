"""Nothing on the table moves when an opponent loses the connection or comes back."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

MOUSE, UPRIGHT, ON_ITS_SIDE = (
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
)
PLAYERS = ("alice", "bob", "cleo", "dora")

# Where everything is that can be read or pressed.
PLACES = """() => [...document.querySelectorAll("#board :is(.plate, .card, .zone-label, .prompt, .pegs, .button)")]
  .filter((part) => part.checkVisibility() && !part.closest(".away"))
  .map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.getAttribute("class"), x, y, width, height].join(" ");
  })"""

# Cards whose upper corner, where one reads what they are, is below the line about who is not connected.
UNREAD = """() => {
  const lines = [...document.querySelectorAll("#board .away > *")].map((line) => line.getBoundingClientRect());
  return [...document.querySelectorAll("#board [data-card]")].filter((card) => {
    const { left, top } = card.getBoundingClientRect();
    return lines.some((line) => line.left < left + 16 && line.right > left && line.top < top + 22 && line.bottom > top);
  }).map((card) => card.dataset.card);
}"""


@pytest.mark.parametrize("size", [MOUSE, UPRIGHT, ON_ITS_SIDE], ids=["1440", "390", "844"])
@pytest.mark.parametrize(
    ("game", "seats"),
    [("push", 4), ("russian-bank", 2), ("tabletop-cribbage", 2), ("vatican", 2)],
)
def test_nothing_moves_when_others_are_away(game, seats, size, table_of, new_context, log_in, live_url):
    table = table_of(*PLAYERS[:seats], game=game, secret=bytes([7]) * 32)
    page = new_context(reduced_motion="reduce", viewport=size).new_page()
    page.context.add_cookies([{"name": "sound", "value": "off", "url": live_url}])
    log_in(page.context, "alice")

    def places(**absence):
        table.seats.exclude(number=0).update(**absence)
        page.goto(live_url + table.get_absolute_url())
        page.locator("#board [data-drag]").first.wait_for()
        return page.evaluate(PLACES)

    before = places(away_since=None)
    assert places(away_since=timezone.now()) == before
    expect(page.locator(".away-line").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".plate-tag")).to_have_text(["not connected"] * (seats - 1))
    assert page.evaluate(UNREAD) == []
