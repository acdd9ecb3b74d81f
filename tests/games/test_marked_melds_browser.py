"""Marked cards of Push: what they make is said before it is played; where they make several things, the player chooses.

The tables are dealt so that alice can open after her first draw: in one of them in two ways, with a joker and two
deuces, in the other in one.
"""

import re

import pytest
from playwright.sync_api import expect

from games import engines, services
from tests.fingers import CORNER, pick_of
from tests.pages import page_words

TWO_WAYS = (6, "3H2 3D2 2C2 9D1 2D2 XB2")
ONE_WAY = (55, "JS2 JH1 JD1 KS2 KH2 2D1")
SCREENS = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}, {"width": 844, "height": 390}]


@pytest.fixture
def drawn_table(table_of):
    """`drawn_table(6)`: alice has pushed the first upcard and drawn."""

    def make(number):
        table = table_of("alice", "bob", "cleo", "dora", game="push", secret=bytes([number]) * 32)
        return services.play_move(table_id=table.pk, seat=0, text="PUSH", version=table.version)

    return make


@pytest.fixture
def page_of(new_context, log_in, live_url):
    """`page_of(table, viewport=...)`: the table in alice's browser."""

    def enter(table, **options):
        page = new_context(reduced_motion="reduce", **options).new_page()
        log_in(page.context, "alice")
        page.goto(live_url + table.get_absolute_url())
        return page

    return enter


def sent(table, cards):
    return {"version": str(table.version), "is_selection": "1", "text": cards.split()}


def test_without_script_the_button_is_a_sentence_and_says_that_no_card_is_marked(drawn_table, page_of):
    page = page_of(drawn_table(ONE_WAY[0]), java_script_enabled=False)
    page.get_by_role("button", name="Open with the marked cards").click()
    expect(page.get_by_role("alert").filter(has_text="No card is marked. Mark the cards first")).to_be_visible()


def test_without_script_marked_cards_that_are_refused_stay_marked(drawn_table, as_user, person):
    number, cards = ONE_WAY
    table, marked = drawn_table(number), cards.split()[:5]
    answer = as_user(person("alice")).post(f"{table.get_absolute_url()}moves/", sent(table, " ".join(marked)))
    assert answer.status_code == 422
    assert set(re.findall(r'name="text" value="(\w+)" checked>', answer.content.decode())) == set(marked)


def test_cards_that_can_be_laid_in_two_ways_are_not_played_but_asked_about(drawn_table, as_user, person, state_of):
    number, cards = TWO_WAYS
    table, browser = drawn_table(number), as_user(person("alice"))
    answer = browser.post(f"{table.get_absolute_url()}moves/", sent(table, cards))
    assert answer.status_code == 422
    assert "These cards can be laid in more than one way. Choose one." in page_words(answer)
    offered = re.findall(r'name="text" value="(OPEN [^"]+)"', answer.content.decode())
    assert len(offered) == 2
    assert not state_of(table).table
    browser.post(f"{table.get_absolute_url()}moves/", {"version": str(table.version), "text": offered[1]})
    assert f"OPEN {' '.join(map(str, state_of(table).table.values()))}" == offered[1]


def test_marked_cards_are_put_into_words_before_they_are_played(drawn_table, as_user, person, state_of):
    for (number, cards), status in ((ONE_WAY, 200), (TWO_WAYS, 204)):
        table, browser = drawn_table(number), as_user(person("alice"))
        address = f"{table.get_absolute_url()}selection/"
        answer = browser.get(address, {"text": cards.split()})
        assert answer.status_code == status
        if status == 200:
            assert page_words(answer).startswith("Open with the set")
        hidden = state_of(table).hands[1]
        for wrong in (cards.split()[:3], hidden, ["4C9"], []):
            assert browser.get(address, {"text": wrong}).status_code == 204
        assert as_user(person("bob")).get(address, {"text": cards.split()}).status_code == 422
        assert not state_of(table).table


@pytest.mark.parametrize("screen", SCREENS, ids=["1440", "390", "844"])
def test_the_player_chooses_how_marked_cards_are_laid(screen, drawn_table, page_of, state_of):
    number, cards = TWO_WAYS
    table = drawn_table(number)
    page = page_of(table, viewport=screen)
    for card in cards.split():
        page.locator(pick_of(card)).click(position=CORNER)
    button = page.locator(".selection.is-offered button")
    expect(button).to_have_text("Open with these 6 cards")
    button.click()
    ways = page.locator("#advice").get_by_role("button")
    expect(ways).to_have_count(2)
    assert all(way.inner_text().startswith("Open with the set") for way in ways.all())
    for way in ways.all():
        expect(way).to_be_in_viewport(ratio=1)
    page.locator(pick_of("9D1")).click(position=CORNER)  # the choice goes with the selection that it was about
    expect(ways).to_have_count(0)
    page.locator(pick_of("3H2")).click(position=CORNER)
    page.locator(pick_of("9D1")).click(position=CORNER)
    page.locator(pick_of("3H2")).click(position=CORNER)
    button.click()
    ways.last.click()
    expect(page.locator(".zone-meld")).to_have_count(2)
    assert len(state_of(table).table) == 2


def test_the_button_says_what_marked_cards_make(drawn_table, page_of, state_of):
    number, cards = ONE_WAY
    table = drawn_table(number)
    page = page_of(table)
    *most, last = cards.split()
    for card in most:
        page.locator(pick_of(card)).click(position=CORNER)
    button = page.locator(".selection.is-offered button")
    expect(button).to_have_count(0)
    page.locator(pick_of(last)).click(position=CORNER)
    expect(button).to_contain_text(re.compile("Open with the set.+ and the set"))
    page.locator(pick_of(most[0])).click(position=CORNER)
    expect(button).to_have_count(0)
    [other] = {*state_of(table).hands[0]} - {*cards.split()}
    page.locator(pick_of(other)).click(position=CORNER)
    expect(button).to_have_text("Open with these 6 cards")
    for card in (most[0], other):
        page.locator(pick_of(card)).click(position=CORNER)
    expect(button).to_contain_text("Open with the set")
    button.click()
    expect(page.locator(".zone-meld")).to_have_count(2)
    assert len(state_of(table).table) == 2


def test_words_that_come_after_the_turn_are_dropped(drawn_table, page_of, state_of):
    number, cards = ONE_WAY
    table = drawn_table(number)
    page = page_of(table)
    held = []
    page.route("**/selection/*", lambda route: held.append(route))
    with page.expect_request("**/selection/*"):
        for card in cards.split():
            page.locator(pick_of(card)).click(position=CORNER)
    opening = engines.get("push").select(state_of(table).view(0), cards.split())
    table = services.play_move(table_id=table.pk, seat=0, text=str(opening), version=table.version)
    [discard] = state_of(table).legal_moves(0)
    services.play_move(table_id=table.pk, seat=0, text=str(discard), version=table.version)
    expect(page.locator(".prompt")).to_have_text("bob to move.")
    expect(page.locator(".selection")).to_have_count(0)
    for route in held:
        with page.expect_event("requestfinished"):
            route.fulfill(body="Open")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")  # a script that failed fails the test


def test_the_cards_on_the_button_for_marked_cards_have_the_color_of_its_words(drawn_table, page_of):
    number, cards = ONE_WAY
    page = page_of(drawn_table(number))
    for card in cards.split():
        pick_of_hand = page.locator(f'.hand [data-pick="{card}"]')
        pick_of_hand.click(position=CORNER)
    glyphs = page.locator(".selection.is-enter .button .glyph")
    glyphs.first.wait_for()
    colors = glyphs.evaluate_all("all => all.map((glyph) => getComputedStyle(glyph).color)")
    assert {*colors} == {page.locator(".selection .button").evaluate("button => getComputedStyle(button).color")}
