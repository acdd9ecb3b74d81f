"""The end of a hand in a real browser: told step by step, by keys, all at once, and then the next hand."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, services


@pytest.fixture
def over(transactional_db, table_of, play_on, state_of):
    """A game of Cribbage between alice and bob in which the first hand has just ended."""
    table = table_of("alice", "bob", game="partnership-cribbage")
    while not state_of(table).results:
        table = play_on(table, 1)
    return table


@pytest.fixture
def page_of_alice(new_context, log_in, live_url, over):
    """`page_of_alice(...)`: the page of the table, with these options of a browser and these preferences."""

    def open_page(cookies=(), **options):
        context = new_context(**options)
        log_in(context, "alice")
        context.add_cookies([{"name": name, "value": value, "url": live_url} for name, value in dict(cookies).items()])
        page = context.new_page()
        page.goto(live_url + over.get_absolute_url())
        return page

    return open_page


RELAXED = {"pace": "relaxed", "wait": "15"}


def told(page):
    return page.locator(".show-stage.is-told")


def test_the_count_is_told_step_by_step_and_by_keys(page_of_alice, state_of, over):
    page = page_of_alice(RELAXED)
    stages = page.locator(".show-stage").count()
    expect(told(page)).not_to_have_count(0)  # by itself
    page.keyboard.press("Escape")
    expect(told(page)).to_have_count(stages)
    page.keyboard.press("ArrowLeft")
    expect(told(page)).to_have_count(stages - 1)
    page.locator("#board").focus()  # on the button, Space would press it
    page.keyboard.press("Space")
    expect(told(page)).to_have_count(stages)
    scores = state_of(over).view(None).scores
    assert [page.locator(f'[data-score="{seat}"]').inner_text() for seat in (0, 1)] == [*map(str, scores)]


def test_scores_and_pegs_begin_where_they_were(page_of_alice):
    page = page_of_alice({**RELAXED, "count": "steps"})
    start = page.locator("[data-show]").get_attribute("data-totals").split()
    page.keyboard.press("Escape")
    for _ in range(page.locator(".show-stage").count()):
        page.keyboard.press("ArrowLeft")
    assert [page.locator(f'[data-score="{seat}"]').inner_text() for seat in (0, 1)] == start
    first = page.locator("[data-show]").get_attribute("data-pegs").split()[0].split(",")
    peg = page.locator(".lane-0 .peg:not(.peg-rear)")
    assert [peg.get_attribute("cx"), peg.get_attribute("cy")] == first[:2]


def test_a_page_that_is_loaded_again_goes_on_where_it_was(page_of_alice):
    page = page_of_alice(RELAXED)
    page.keyboard.press("Escape")
    stages = page.locator(".show-stage").count()
    expect(told(page)).to_have_count(stages)
    page.reload()
    expect(told(page)).to_have_count(stages)


def test_next_hand_brings_the_table_while_the_other_player_still_looks(page_of_alice, over, person, state_of):
    page = page_of_alice(RELAXED)
    expect(page.locator(".show-waits")).to_contain_text("bob is still looking at this deal.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Next deal")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-show]")).to_have_count(0)
    expect(page.locator(".hand [data-card]")).to_have_count(len(state_of(over).view(0).hand))


def test_a_player_who_goes_on_does_not_disturb_the_one_who_looks(page_of_alice, over, person):
    page = page_of_alice(RELAXED)
    page.keyboard.press("Escape")
    services.see_hand(table_id=over.pk, user=person("bob"), hand=1)
    expect(page.locator(".show-waits")).to_have_count(0)
    expect(told(page)).to_have_count(page.locator(".show-stage").count())


def test_where_others_wait_the_page_goes_on_by_itself(page_of_alice):
    page = page_of_alice({"pace": "quick", "wait": "4"})
    page.keyboard.press("Escape")
    expect(page.locator("[data-show]")).to_have_count(0, timeout=30_000)


def test_with_less_motion_the_whole_count_is_there_and_a_line_lifts_its_cards(page_of_alice, axe):
    page = page_of_alice(RELAXED, reduced_motion="reduce")
    for stage in page.locator(".show-stage").all():
        expect(stage).to_be_visible()
    line = page.locator(".show-stage[data-cards]").first
    expect(line).to_have_attribute("tabindex", "0")  # the script has started
    line.focus()
    cards = line.get_attribute("data-cards").split()
    expect(page.locator(".is-in-count")).to_have_count(len(cards))
    assert {card.get_attribute("data-card") for card in page.locator(".is-in-count").all()} == set(cards)
    axe(page)


def test_without_script_the_count_and_the_button_stand_there(page_of_alice):
    page = page_of_alice(java_script_enabled=False)
    assert page.locator(".show-stage").count() > 2
    page.get_by_role("button", name="Next deal").click()
    expect(page.locator(".show-stage")).to_have_count(0)


def test_the_steps_are_read_out(page_of_alice):
    page = page_of_alice(RELAXED)
    last = page.locator(".show-stage").last.get_attribute("data-say").split()
    page.keyboard.press("Escape")
    expect(page.locator("#announce")).to_contain_text(re.compile(" ".join(map(re.escape, last)), re.IGNORECASE))
    totals = page.locator(".show-stage").last.get_attribute("data-totals").split()
    assert re.search(rf" (have|has) ({'|'.join(totals)}) now\.$", " ".join(last))


def is_last_move(state):
    """Whether the next move of the hand, any legal one, is its last."""
    seat = state.to_act[0]
    state.play(seat, state.legal_moves(seat)[-1])
    return bool(state.results)


def test_after_the_last_card_of_a_hand_the_count_has_the_focus(
    live_url, new_context, log_in, table_of, play_on, state_of
):
    ending = table_of("alice", "bob", game="partnership-cribbage")
    while not is_last_move(state_of(ending)):
        ending = play_on(ending, 1)
    context = new_context(reduced_motion="reduce")
    log_in(context, ending.names[state_of(ending).to_act[0]])
    page = context.new_page()
    page.goto(live_url + ending.get_absolute_url())
    page.locator(".hand .pick").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#show-title")).to_be_focused()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_on_a_phone_the_count_leaves_room_for_a_long_table(
    width, height, new_context, log_in, live_url, table_of, state_of
):
    table = table_of("alice", "bob", "carol", "dora", game="push", secret=bytes(31) + b" ")
    player, rng = bots.bot("push", "first-steps"), Random(1)
    while not (state := state_of(table)).results:
        seat = state.to_act[0]
        text = str(player.choose(state.view(seat), rng))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    context = new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    log_in(context, "alice")
    page = context.new_page()
    page.goto(live_url + table.get_absolute_url())
    expect(page.locator("[data-next]")).to_be_in_viewport(ratio=1)
    if width < height:
        box = page.locator(".foot > .turn").bounding_box()
        assert box["y"] >= height / 2 and box["y"] + box["height"] == pytest.approx(height, abs=1)
