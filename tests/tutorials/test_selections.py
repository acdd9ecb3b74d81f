"""What a selection on the board of a lesson means, and what is answered if it means nothing."""

import pytest
from playwright.sync_api import expect

from games import engines
from games.engines.casino.game import CASINO
from tests.fingers import CORNER, drag, pick_of
from tests.tutorials.samples import MOVE, course_text
from tests.viewports import resize
from tutorials.content import library, runner, stage
from tutorials.content.lessons import parse_course

NINES = "/learn/casino/taking/same-rank/"


def a_step(data: dict, **chapter_keys):
    return parse_course(course_text(data, **chapter_keys), path="lessons.yaml").steps[0]


def step_of(slug: str, id: str):
    return next(step for step in library.load_course(slug).steps if step.id == id)


def board_of(slug: str, step):
    game = engines.get(slug)
    return stage.lesson_board(game, step, runner.opening_position(game, step), step.turns[0], said="", seq=0)


@pytest.mark.parametrize("picks", [("9S", "9D", "9H"), ("9H", "9D", "9S")])
def test_cards_in_any_order_mean_the_move_that_uses_just_these(picks):
    assert stage.try_selection(CASINO, a_step(MOVE), (), picks).line == ("9Sx9D+9H",)


@pytest.mark.parametrize(
    ("picks", "words"),
    [
        ((), runner.NOTHING_SELECTED),
        (("9D", "9H"), runner.ONLY_A_PART),
        (("9S", "KC"), "no number value"),
        (("9S", "4C"), "can't see"),
    ],
)
def test_what_is_no_move_gets_a_reason(picks, words):
    tried = stage.try_selection(CASINO, a_step(MOVE), (), picks)
    assert (tried.verdict, tried.line) == ("refused", ())
    assert words in tried.refusal.text


def test_the_author_answers_the_selection_that_they_foresaw():
    step = a_step(MOVE | {"refused": {"9SxKC": {"rule": "capture-face", "say": "You hold {hand 0}."}}})
    assert stage.try_selection(CASINO, step, (), ("KC", "9S")).refusal.text == "You hold 4."


def test_a_card_whose_place_is_still_to_be_chosen_is_only_a_part():
    step, game = step_of("tabletop-cribbage", "where"), engines.get("tabletop-cribbage")
    assert stage.try_selection(game, step, (), ("9H",)).refusal.text == runner.ONLY_A_PART
    assert stage.try_selection(game, step, (), ("9H", "cell:e1")).refusal.rule == "tabletop-cribbage:touching"


def test_places_are_named_as_in_a_sentence():
    step, game = step_of("sixty-six", "winner-draws"), engines.get("sixty-six")
    line = ("AD",)
    assert stage.try_selection(game, step, line, ("stock", "won:0")).refusal.text.startswith("The pile won by you has ")
    step, game = step_of("krambambuli", "not-yet"), engines.get("krambambuli")
    line = ("M 2C+2D+2S", "X KD", "D", "X TS")
    text = stage.try_selection(game, step, line, ("stock", "7C", "meld:1", "meld:2")).refusal.text
    assert text.startswith("7C, Pip's meld 1 and your meld 2 have no part ")


@pytest.mark.parametrize(
    ("picks", "ending"),
    [
        (("6H",), "6H has no part in a move now."),
        (("6H", "pile:0"), "6H has no part in a move with the rest of your selection."),
    ],
)
def test_a_rest_of_the_selection_is_named_only_where_there_is_one(picks, ending):
    step, game = step_of("cuarenta", "which-one"), engines.get("cuarenta")
    assert stage.try_selection(game, step, (), picks).refusal.text == ending


def test_a_move_that_is_taught_later_is_not_offered():
    step = a_step(MOVE, not_yet=["QD"])
    assert "QD" not in [offer.text for offer in board_of("casino", step).offers]
    assert stage.try_selection(CASINO, step, (), ("QD",)).refusal.text == runner.TAUGHT_LATER
    assert stage.try_selection(CASINO, step, (), ("2C",)).verdict == "unwanted"


@pytest.mark.parametrize(
    ("slug", "step_id", "picks"),
    [
        ("royal-casino", "jack-and-two", ("4H", "2D")),
        ("casino", "bait", ("6H", "2D")),
        ("sixty-six", "ten-beats-king", ("JH",)),
        ("sixty-six", "no-duty", ("KC", "QC")),
        ("sixty-six", "no-duty", ("KC", "JH")),
    ],
)
def test_an_illegal_move_of_a_kind_that_is_taught_later_names_no_rule(slug, step_id, picks):
    refusal = stage.try_selection(engines.get(slug), step_of(slug, step_id), (), picks).refusal
    assert (refusal.text, refusal.rule) == (runner.NOT_TOGETHER, "")


def test_two_cards_are_not_offered_to_choose_from_where_neither_fits():
    step, game = step_of("partnership-cribbage", "go"), engines.get("partnership-cribbage")
    refusal = stage.try_selection(game, step, (), ("9C", "TH")).refusal
    assert refusal.text == "You play one card at a time. Choose one."


def test_the_place_of_a_card_alone_is_only_a_part():
    step, game = step_of("russian-bank", "your-piles"), engines.get("russian-bank")
    assert stage.try_selection(game, step, (), ("9C1",)).refusal.text == runner.ONLY_A_PART
    step, line = step_of("russian-bank", "one-card"), ("1>4 JC1", "1>2 QH1")
    assert stage.try_selection(game, step, line, ("tableau:0:1",)).refusal.text == runner.ONLY_A_PART


def test_two_cards_of_a_rank_are_no_set():
    step, game = step_of("rubicon-piquet", "set"), engines.get("rubicon-piquet")
    refusal = stage.try_selection(game, step, (), ("QC", "QD")).refusal
    assert (refusal.text, refusal.rule) == ("A set is three or four cards of one rank.", "rubicon-piquet:set-def")


def test_a_card_that_fits_a_meld_of_the_table_is_a_part_and_no_failed_meld():
    step, game = step_of("carousel", "too-late"), engines.get("carousel")
    assert stage.try_selection(game, step, (), ("TS",)).refusal.text == runner.ONLY_A_PART
    assert "at least three cards" in stage.try_selection(game, step, (), ("AS",)).refusal.text


def test_a_discard_and_a_knock_are_meant_by_the_card_alone():
    step = step_of("gin-rummy", "first-knock")
    tried = stage.try_selection(engines.get("gin-rummy"), step, (), ("9S",))
    assert [text.split()[0] for text in tried.readings] == ["X", "K"]


def test_one_card_of_an_open_hand_means_its_discard_alone():
    step = step_of("push", "three-queens")
    tried = stage.try_selection(engines.get("push"), step, (), ("4C1",))
    assert (tried.verdict, tried.readings) == ("unwanted", ())


def test_declarations_have_buttons_and_cards_have_none():
    board = board_of("cuarenta", step_of("cuarenta", "which-one"))
    assert len(board.offers) > 2
    assert board.spoken_offers == board.offers
    board = board_of("casino", a_step(MOVE))
    assert not board.spoken_offers


def test_nothing_looks_as_if_no_move_used_it():
    panels = board_of("casino", a_step(MOVE)).panels
    spots = [spot for panel in panels for spot in panel.spots if spot.pick]
    assert {"KC", "QD", "9S"} <= {spot.pick for spot in spots}
    assert not any(spot.is_idle for spot in spots)


def selected(page) -> list[str]:
    return sorted(pick.get_attribute("data-pick") for pick in page.locator(".pick[aria-pressed=true]").all())


def test_a_second_card_takes_the_place_of_the_first_where_a_turn_takes_one(page, live_url):
    page.goto(f"{live_url}/learn/sixty-six/tricks/ten-beats-king/")
    for card in ("KD", "JD"):
        page.locator(pick_of(card)).click(position=CORNER)
    assert selected(page) == ["JD"]
    expect(page.locator(".choices")).to_contain_text("Try this card")


def test_a_wrong_selection_is_answered_and_stays_to_be_changed(page, live_url):
    page.goto(live_url + NINES)
    drag(page, pick_of("9S"), pick_of("KC"))
    page.get_by_role("alert").get_by_text("has no number value").wait_for()
    assert selected(page) == ["9S", "KC"]
    page.locator(pick_of("KC")).click(position=CORNER)
    for card in ("9D", "9H"):
        page.locator(pick_of(card)).click(position=CORNER)
    page.get_by_role("button", name="Try these 3 cards").click()
    page.get_by_role("link", name="Next:").wait_for()


def test_a_place_that_a_tap_alone_uses_glows_and_says_what_it_does(page, live_url):
    page.goto(f"{live_url}/learn/push/turns/take/")
    stock = page.locator(pick_of("stock"))
    ring = stock.locator(".card").evaluate("card => getComputedStyle(card).boxShadow")
    other = page.locator(".hand .card").first.evaluate("card => getComputedStyle(card).boxShadow")
    assert "0px 0px 14px" in ring and "0px 0px 14px" not in other
    stock.click(position=CORNER)
    expect(page.locator(".choice.is-offered button")).to_have_count(1)
    expect(page.locator(".choice.is-offered button")).to_contain_text("Push")


def select(page, *cards):
    for card in cards:
        page.locator(pick_of(card)).click(position=CORNER)


BUTTONS = ".choices button:visible"


@pytest.mark.parametrize(
    ("path", "cards"),
    [
        ("push/wild/say-what", ["XB1", "2C1", "7S1"]),
        ("cuarenta/overlooked/last-claim", ["5H", "6S"]),
        ("piquet/younger-speaks/after-lead", ["7H"]),
        ("piquet/exchange/blanche", ["9H"]),
    ],
)
def test_the_hand_stays_where_it_is_when_buttons_appear(path, cards, page, live_url):
    for width, height in [(1440, 900), (390, 844)]:
        page.goto(f"{live_url}/learn/{path}/")
        resize(page, width=width, height=height)
        top = "document.querySelector('.hand').getBoundingClientRect().top + scrollY"
        before, buttons = page.evaluate(top), page.locator(BUTTONS).count()
        select(page, *cards)
        assert page.locator(BUTTONS).count() > buttons
        assert page.evaluate(top) == before, width


def test_marked_cards_and_the_one_meld_that_they_make_have_one_button(page, live_url):
    page.goto(f"{live_url}/learn/push/wild/fill-a-gap/")
    select(page, "9D1", "2H1", "JD1")
    assert page.locator(BUTTONS).all_inner_texts() == ["Lay the run from 9♦︎ to J♦︎: 9♦︎ 2♥︎ J♦︎"]
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Next:").wait_for()


def test_a_lifted_card_that_enter_plays_is_not_said_to_be_back(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/")
    page.focus(pick_of("JH"))
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Next:").wait_for()
    # On a quick machine what was said of the lifted card is still there.
    expect(page.locator("#announce")).to_contain_text("You play jack of hearts and win the trick.")
    expect(page.locator("#announce")).not_to_contain_text("back")


def test_the_keys_of_the_table_work_in_a_lesson_and_are_listed(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/")
    page.focus(pick_of("JH"))
    page.keyboard.press("h")
    expect(page.locator("#announce")).to_have_text("Your hand: ace of hearts, jack of hearts, nine of hearts.")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys at the table")).to_be_visible()


def test_answers_to_a_question_keep_the_focus_and_say_why(page, live_url):
    page.goto(f"{live_url}/learn/cuarenta/pot/no-eights/")
    page.get_by_role("button", name="the 8").focus()
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Not that one.").wait_for()
    expect(page.locator(":focus")).to_have_accessible_name("the 8")
    expect(page.locator(":focus")).to_have_accessible_description("There is none in this pack.")
    page.get_by_role("button", name="the jack").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="A 2 3 4 5 6 7 J Q K")).to_be_visible()
    expect(page.get_by_role("link", name="Next:")).to_be_focused()


def test_a_wrong_answer_is_an_alert_with_its_reason(page, live_url):
    page.goto(f"{live_url}/learn/cuarenta/pot/no-eights/")
    page.get_by_role("button", name="the 8").click()
    expect(page.get_by_role("alert").filter(has_text="Not that one.")).to_contain_text("There is none in this pack.")


def test_next_leads_past_the_list_of_steps_to_the_title(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/#lesson")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_m_goes_to_the_first_move_where_the_moves_are_declarations(page, live_url):
    page.goto(f"{live_url}/learn/piquet/runs-and-sets/four-tens/")
    page.locator(".hand .pick").first.focus()
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement === document.querySelector('.choices button')")


def test_a_card_selected_by_key_says_what_can_be_done_with_it(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/")
    page.focus(pick_of("JH"))
    page.keyboard.press("Enter")
    expect(page.locator("#announce")).to_have_text("Try this card: press Enter again, or M.")


def test_the_list_of_keys_has_a_button_without_a_mouse_and_takes_the_focus(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/")
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    page.focus(pick_of("JH"))
    expect(page.get_by_text("for the keys")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys at the table")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(pick_of("JH"))).to_be_focused()


def test_places_light_up_for_as_many_cards_as_some_move_takes_there(page, live_url):
    page.goto(f"{live_url}/learn/push/wild/say-what/")
    select(page, "7S1")
    assert page.locator(BUTTONS).all_inner_texts() == ["Try this card"]
    expect(page.locator(".is-legal")).to_have_attribute("data-pick", "discards")
    select(page, "KD1", "2C1")
    assert page.locator(BUTTONS).all_inner_texts() == ["Try these 3 cards"]
    expect(page.locator(".is-legal")).to_have_count(0)  # three cards have no place in the discards


SLOW = """() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...body) { window.answer = () => send.apply(this, body); };
}"""


def test_a_slow_answer_is_said_to_be_under_way(page, live_url):
    page.goto(f"{live_url}/learn/piquet/tricks/highest/")
    page.evaluate(SLOW)
    select(page, "JH")
    page.locator(".is-enter button").click()
    expect(page.locator("#unanswered")).to_have_text("Checking…")
    page.locator(".is-enter button").click()  # dropped, and it stays said
    page.evaluate("answer()")
    page.get_by_role("link", name="Next:").wait_for()
    expect(page.locator("#unanswered")).to_be_empty()
