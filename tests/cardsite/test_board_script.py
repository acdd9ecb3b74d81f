"""What the scripts of a board do, on the two example tables of the style guide."""

import re

import pytest
from playwright.sync_api import expect

from tests.at_table import seq
from tests.fingers import pick_of
from tests.viewports import resize

NARROWEST = {"width": 320, "height": 600}  # a window of 1280 px at 400%
PHONE = {"width": 360, "height": 740}


def offered(page) -> list[str]:
    texts = page.locator(".choice.is-offered").all_inner_texts()
    return [re.sub(r"[\s\ufe0e]+", " ", text.replace("\ufe0e", "")).strip() for text in texts]


def focused(page) -> str:
    return page.evaluate("document.activeElement.dataset.pick")


def table_text(page) -> str:
    return page.input_value("[data-play] input[name=text]")


def test_selection_narrows_the_moves(casino) -> None:
    assert offered(casino) == []
    casino.click(pick_of("8S"))
    assert len(offered(casino)) == 4
    casino.click(pick_of("3C"))
    casino.click(pick_of("5D"))
    assert offered(casino) == ["Take 3♣ 5♦ with 8♠", "Take 3♣ 5♦ and the build of 8 with 8♠"]
    casino.keyboard.press("Escape")
    assert offered(casino) == []


def test_only_cards_that_still_fit_glow(casino) -> None:
    casino.click(pick_of("8S"))
    glowing = casino.eval_on_selector_all(".pick.is-legal", "all => all.map(one => one.dataset.pick)")
    assert sorted(glowing) == ["3C", "5D", "build:8"]


def test_card_that_joins_nothing_starts_a_new_selection(casino) -> None:
    casino.click(pick_of("8S"))
    casino.click(pick_of("KC"))
    assert offered(casino) == ["Take K♥ with K♣"]
    assert casino.get_attribute(pick_of("8S"), "aria-pressed") == "false"


def test_keys_alone_play_a_move_and_keep_the_focus(casino) -> None:
    casino.focus(pick_of("8S"))
    casino.keyboard.press("ArrowRight")
    assert focused(casino) == "KC"
    casino.keyboard.press("Enter")
    casino.keyboard.press("Enter")
    casino.wait_for_selector('#board[data-seq="8"]')
    assert focused(casino) == "KC"
    casino.locator("#announce", has_text="Anna lays the jack of hearts").wait_for(state="attached")


def test_enter_does_not_lay_a_card_that_could_also_take(casino) -> None:
    casino.evaluate("window.sent = 0; document.addEventListener('htmx:beforeRequest', () => window.sent++)")
    casino.focus(pick_of("8S"))
    casino.keyboard.press("Enter")
    casino.keyboard.press("Enter")
    assert casino.evaluate("window.sent") == 0
    casino.click(".choice.is-offered >> text=Lay")
    casino.wait_for_function("() => window.sent === 1")


def test_double_tap_plays_the_only_move(casino) -> None:
    casino.dblclick(pick_of("KC"))
    casino.wait_for_selector('#board[data-seq="8"]')


def test_refused_move_explains_itself_and_keeps_the_selection(casino) -> None:
    casino.click(pick_of("8S"))
    casino.click(".choice.is-offered >> text=Lay")
    expect(casino.locator(".refusal")).to_contain_text("Take it, raise it")
    expect(casino.locator(pick_of("8S"))).to_have_attribute("aria-pressed", "true")


def test_older_board_is_not_put_back(casino) -> None:
    casino.evaluate("""() => {
        document.getElementById("board").dataset.seq = "9";
        document.addEventListener("htmx:afterRequest", () => { window.isAnswered = true; });
    }""")
    casino.dblclick(pick_of("KC"))
    casino.wait_for_function("() => window.isAnswered")
    assert seq(casino) == 9
    assert casino.locator(pick_of("8S")).count() == 1


def test_nothing_moves_under_the_finger(casino) -> None:
    resize(casino, **PHONE)
    before = casino.locator(pick_of("TD")).bounding_box()
    casino.click(pick_of("8S"))
    assert casino.locator(pick_of("TD")).bounding_box() == before


def test_hand_stays_within_a_phone(vatican) -> None:
    resize(vatican, **PHONE)
    right_edges = vatican.eval_on_selector_all(
        ".hand .card", "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert len(right_edges) == 10
    assert max(right_edges) <= PHONE["width"]


def test_moves_are_a_list_without_script(new_context, live_url) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_url}/style/casino/")
    expect(page.locator(".choice .button:visible")).to_have_count(5)
    page.click("text=Take the build of 8")
    expect(page.locator("#board")).to_have_attribute("data-seq", "8")


def test_workbench_arranges_by_tapping_and_undoes(vatican) -> None:
    start = table_text(vatican)
    vatican.click('[data-card="8H1"]')
    with vatican.expect_response("**/check/**"):
        vatican.click('.meld[data-meld="1"] .put')
    assert table_text(vatican).startswith("4H1 5H1 6H2 7H1 8H1 / ")
    vatican.wait_for_selector(".meld.is-right")
    expect(vatican.locator("[data-verdict]")).to_have_text("Every meld holds.")
    vatican.click("[data-undo]")
    assert table_text(vatican) == start


def test_workbench_marks_a_wrong_meld_and_does_not_send_it(vatican) -> None:
    vatican.click('[data-card="9C1"]')
    with vatican.expect_response("**/check/**"):
        vatican.click('[data-put="new"].button')
    vatican.wait_for_selector(".meld.is-wrong")
    assert table_text(vatican).endswith(" / 9C1")
    expect(vatican.locator("[data-play] [type=submit]")).to_have_attribute("aria-disabled", "true")


def test_card_of_the_table_cannot_be_taken_to_the_hand(vatican) -> None:
    start = table_text(vatican)
    vatican.drag_and_drop('[data-card="9C1"]', '[data-card="3H2"]')
    assert table_text(vatican) == start


def test_workbench_arranges_by_dragging(vatican) -> None:
    vatican.drag_and_drop('[data-card="9H2"]', '.meld[data-meld="2"]')
    assert "9C1 9D1 9S2 9H2" in table_text(vatican)


@pytest.mark.parametrize(
    "path", ["/", "/style/", "/style/casino/", "/style/vatican/", "/tournaments/", "/no-such-page/"]
)
def test_page_is_accessible_and_fits_a_phone(page, live_url, axe, path: str) -> None:
    page.goto(live_url + path)
    for size in (PHONE, NARROWEST, {"width": 1440, "height": 900}):
        resize(page, **size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            axe(page)


def test_a_key_that_is_held_down_chooses_a_card_and_plays_nothing(casino) -> None:
    casino.evaluate("window.sent = 0; document.addEventListener('htmx:beforeRequest', () => window.sent++)")
    casino.focus(pick_of("KC"))
    for _ in range(4):
        casino.keyboard.down("Enter")
    casino.keyboard.up("Enter")
    expect(casino.locator(pick_of("KC"))).to_have_attribute("aria-pressed", "true")
    assert casino.evaluate("window.sent") == 0
    casino.keyboard.press("Enter")
    casino.wait_for_selector('#board[data-seq="8"]')
