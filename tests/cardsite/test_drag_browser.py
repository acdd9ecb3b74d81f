"""Drag and drop, on the example tables of the style guide and at real tables, with mouse and finger."""

from playwright.sync_api import expect

from tests.at_table import seq
from tests.fingers import drag, middle, pick_of, start_drag

PHONE = {"width": 390, "height": 844}


def test_places_to_drop_a_card_glow_while_it_is_held(casino) -> None:
    start_drag(casino, pick_of("8S"), pick_of("TD"))
    glowing = casino.eval_on_selector_all(".is-drop", "all => all.map(one => one.dataset.pick)")
    assert sorted(glowing) == ["3C", "5D", "build:8"]
    expect(casino.locator(".drag-ghost")).to_be_visible()
    casino.keyboard.press("Escape")
    expect(casino.locator(".drag-ghost")).to_have_count(0)
    casino.mouse.up()
    expect(casino.locator(".is-drop")).to_have_count(0)
    assert seq(casino) == 7


def test_a_drop_that_means_one_move_plays_it(casino) -> None:
    drag(casino, pick_of("KC"), pick_of("KH"))
    expect(casino.locator("#board")).to_have_attribute("data-seq", "8")


def test_a_drop_that_means_several_moves_lets_the_player_choose(casino) -> None:
    drag(casino, pick_of("8S"), pick_of("3C"))
    expect(casino.locator(".choice.is-offered .button")).to_have_count(2)
    assert casino.evaluate("document.activeElement.closest('.choice') !== null")
    assert seq(casino) == 7


def test_a_card_of_the_hand_is_laid_elsewhere_in_it(casino) -> None:
    cards = ".hand [data-card]"
    before = casino.eval_on_selector_all(cards, "all => all.map(one => one.dataset.card)")
    drag(casino, pick_of(before[0]), pick_of(before[-1]))
    after = casino.eval_on_selector_all(cards, "all => all.map(one => one.dataset.card)")
    assert after != before
    assert sorted(after) == sorted(before)
    assert seq(casino) == 7


def test_a_finger_drags_a_card(new_context, live_url) -> None:
    page = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{live_url}/style/casino/")
    page.wait_for_selector(".pick[data-drag]")
    start, end = middle(page, pick_of("KC")), middle(page, pick_of("KH"))
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", tuple(start[axis] + (end[axis] - start[axis]) * step / 8 for axis in (0, 1)))
    touch("touchEnd")
    expect(page.locator("#board")).to_have_attribute("data-seq", "8")


# The workbench


def cards_in(page, place: str) -> list[str]:
    return page.locator(f"{place} [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")


def test_selected_cards_are_dragged_into_a_new_meld_and_back(vatican) -> None:
    first, second = cards_in(vatican, ".hand")[:2]
    vatican.locator(pick_of(first)).click(position={"x": 8, "y": 8})
    vatican.locator(pick_of(second)).click(position={"x": 8, "y": 8})
    start_drag(vatican, pick_of(second), ".meld-new")
    expect(vatican.locator(".drag-ghost .card")).to_have_count(2)
    vatican.mouse.up()
    new = '.meld[data-meld=""]:not(.meld-new)'
    assert sorted(cards_in(vatican, new)) == sorted([first, second])
    expect(vatican.locator(".drag-ghost, .is-lifted, .is-drop")).to_have_count(0)
    drag(vatican, f"{new} {pick_of(first)}", ".hand")
    assert cards_in(vatican, new) == [second]
    assert first in cards_in(vatican, ".hand")


def test_cards_of_the_table_cannot_be_dragged_into_the_hand(vatican) -> None:
    mine, meld = cards_in(vatican, ".hand"), cards_in(vatican, ".meld")
    start_drag(vatican, f".meld {pick_of(meld[0])}", ".hand")
    expect(vatican.locator(".hand.is-drop")).to_have_count(0)
    vatican.mouse.up()
    assert sorted(cards_in(vatican, ".hand")) == sorted(mine)


def test_a_card_of_the_hand_is_laid_elsewhere_in_it_beside_a_workbench(vatican) -> None:
    before = cards_in(vatican, ".hand")
    drag(vatican, pick_of(before[0]), pick_of(before[-1]))
    assert cards_in(vatican, ".hand") != before
    assert sorted(cards_in(vatican, ".hand")) == sorted(before)
