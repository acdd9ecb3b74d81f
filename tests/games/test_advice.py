"""The pages that advise a player: why a selection is no move, and hints."""

import re
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from playwright.sync_api import expect

from accounts import throttle
from games import engines, services
from games.models import Table
from games.presentation import advice
from games.views import advice as advice_views
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

PHONE = {"width": 360, "height": 740}
CORNER = {"x": 10, "y": 20}


@pytest.fixture
def with_bot(person, house_bot):
    """`with_bot("alice")`: an unrated table of her and a bot, on which she is to move."""

    def make(name, game="casino", secret=bytes(32)):
        seats = engines.get(game).seats[0]
        for bot in ("Ada", "Ben", "Cleo")[: seats - 1]:
            house_bot(bot, game=game)
        opened = services.open_and_sit(
            user=person(name), game=game, seats=seats, options=None, secret=secret, bot_level="first-steps"
        )
        return Table.objects.get(pk=opened.pk)

    return make


def ask(browser, table, *picks, **headers):
    query = urlencode([("pick", pick) for pick in picks])
    return browser.get(f"/tables/{table.code}/why/?{query}", **headers)


def to_act(table, state_of):
    return table.seats.get(number=state_of(table).to_act[0]).user


def test_a_selection_that_is_no_move_is_answered_with_its_rule(table_of, state_of, as_user):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    hand = state_of(table).view(table.seats.get(user=mover).number).hand
    html = page_html(ask(as_user(mover), table, *hand[:2], headers={"HX-Request": "true"}))
    assert "exactly one card" in html
    assert 'href="/rules/casino/#one-card"' in html
    assert "<html" not in html


def test_asking_plays_nothing(table_of, state_of, as_user):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    hand = state_of(table).view(table.seats.get(user=mover).number).hand
    html = page_html(ask(as_user(mover), table, hand[0]))
    assert "You can trail" in html
    table.refresh_from_db()
    assert table.move_count == 0


def test_what_has_no_part_in_a_move_is_named(table_of, state_of):
    table = table_of("alice", "bob")
    state = state_of(table)
    [seat] = state.to_act
    card = state.view(seat).hand[0]
    game = engines.get("gin-rummy")
    drawing = game.load({"hands": ["3H 4H", "5C"], "phase": "discard", "to_move": 0, "upcard": "9C"})
    said = advice.why_not(game, drawing, 0, ["3H", "stock"], ["Ada", "Bob"])
    assert said.text == "You can discard 3H; the stock has no part in that."
    assert advice.why_not(table.rules, state, seat, [card], table.names).text == f"You can trail {card}."


def test_the_cards_of_a_declaration_all_have_a_part_in_it():
    game = engines.get("piquet")
    state = game.load(
        {"elder": "AS KS JS 9S 8S AH 8H AD JD TC 9C 8C", "younger": "KH QH JH TH QS TS KD QD 9D AC KC JC"}
    )
    said = advice.why_not(game, state, 0, ["AS", "KS"], ["Ada", "Bob"])
    assert said.text == "You can declare five spades (48)."


def test_what_one_cannot_see_is_not_answered(table_of, state_of, as_user):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    state = state_of(table)
    other = next(seat for seat in (0, 1) if seat not in state.to_act)
    html = page_html(ask(as_user(mover), table, state.hands[other][0]))
    assert "see one of these cards" in html


@pytest.mark.parametrize("name", ("bob", "carol"))
def test_only_who_is_to_move_may_ask(table_of, state_of, as_user, person, name):
    table = table_of("alice", "bob", "dave")
    assert to_act(table, state_of).username == "alice"
    answer = ask(as_user(person(name)), table, "stock")
    assert answer.status_code == 422
    assert "your turn" in page_html(answer) or "no move to make" in page_html(answer)


def test_without_script_the_cards_are_chosen_on_a_page(table_of, state_of, as_user):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    html = page_html(ask(as_user(mover), table))
    hand = state_of(table).view(table.seats.get(user=mover).number).hand
    assert set(hand) <= set(re.findall(r'name="pick" value="([^"]+)"', html))


def test_without_script_no_heading_stands_above_nothing_to_choose(table_of, state_of, as_user):
    table = table_of("alice", "bob", game="sixty-six")
    zones = page_html(ask(as_user(to_act(table, state_of)), table)).partition("<h1>")[2].split("<fieldset")[1:]
    assert zones
    assert all('name="pick"' in zone for zone in zones), "the trick is empty"


def test_a_hint_names_a_legal_move_and_what_speaks_for_it(with_bot, state_of, as_user, person, play_on):
    table = with_bot("alice")
    while to_act(table, state_of) != person("alice"):
        table = play_on(table, 1)
    browser = as_user(person("alice"))
    assert "Hint</button>" in page_html(browser.get(table.get_absolute_url()))
    html = page_html(browser.post(f"/tables/{table.code}/hint/", headers={"HX-Request": "true"}))
    view = state_of(table).view(table.seats.get(user=person("alice")).number)
    [touches] = re.findall(r'data-hint="([^"]*)"', html)
    assert tuple(touches.split()) in {view.choice(move).touches for move in view.moves}
    assert 'href="/rules/casino/#' in html
    assert html in page_html(browser.post(f"/tables/{table.code}/hint/"))  # without script on the whole page


@pytest.mark.parametrize("game", ("vatican", "tabletop-cribbage"))
def test_a_hint_in_games_of_another_kind(with_bot, state_of, as_user, person, play_on, game):
    table = with_bot("alice", game=game)
    while person("alice") not in [table.seats.get(number=seat).user for seat in state_of(table).to_act]:
        table = play_on(table, 1)
    answer = as_user(person("alice")).post(f"/tables/{table.code}/hint/", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "data-hint" in page_html(answer)


def test_without_script_a_hint_is_in_the_field_as_it_is_written(with_bot, state_of, as_user, person, play_on):
    table = with_bot("alice", game="vatican")
    while to_act(table, state_of) != person("alice"):
        table = play_on(table, 1)
    html = page_html(as_user(person("alice")).post(f"/tables/{table.code}/hint/"))
    [move] = re.findall(r'data-hint="[^"]*" data-move="([^"]+)"', html)
    assert f'id="move-text" name="text" value="{move}"' in html


def test_no_hint_against_people_or_for_rating(table_of, with_bot, state_of, as_user, person):
    among_people = table_of("alice", "bob")
    rated = with_bot("alice", secret=bytes([1] * 32))
    Table.objects.filter(pk=rated.pk).update(is_rated=True)
    for table in (among_people, rated):
        browser = as_user(person("alice"))
        assert "Hint</button>" not in page_html(browser.get(table.get_absolute_url()))
        answer = browser.post(f"/tables/{table.code}/hint/", headers={"HX-Request": "true"})
        assert answer.status_code == 422
        assert "data-hint" not in page_html(answer)


def test_hints_are_limited(with_bot, state_of, as_user, person, play_on, valkey):
    table = with_bot("alice")
    while to_act(table, state_of) != person("alice"):
        table = play_on(table, 1)
    throttle.count_one("hints", str(person("alice").pk), count=1, seconds=60)
    cache.incr(f"posts:hints:{person('alice').pk}", advice_views.MOST_HINTS)
    answer = as_user(person("alice")).post(f"/tables/{table.code}/hint/", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "Please wait" in page_html(answer)


def test_a_board_marks_the_cards_that_no_move_touches(table_of, state_of, as_user):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    other = next(seat.user for seat in table.seats.all() if seat.user != mover)
    own = page_html(as_user(mover).get(table.get_absolute_url()))
    assert 'data-pick="stock"' in own and "is-idle" in own
    assert "is-idle" not in page_html(as_user(other).get(table.get_absolute_url()))


@pytest.fixture
def open_table(live_url, page):
    """`open_table(table, alice)`: the page of the table on her phone."""

    def open_it(table, person):
        browser = Client()
        browser.force_login(person)
        cookie = browser.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_url}])
        page.set_viewport_size(PHONE)
        page.goto(live_url + table.get_absolute_url())

    return open_it


def test_a_hint_takes_up_its_cards_for_enter_to_play(page, open_table, with_bot, state_of, person, play_on):
    table = with_bot("alice")
    while to_act(table, state_of) != person("alice"):
        table = play_on(table, 1)
    open_table(table, person("alice"))
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint").wait_for()
    hinted = page.locator(".hint b").inner_text().rstrip(".")
    expect(page.locator(".choice.is-enter")).to_have_text(hinted)
    first, second = page.locator(".hand .pick").nth(0), page.locator(".hand .pick").nth(1)
    page.keyboard.press("Escape")
    first.click(position=CORNER)
    second.click(position=CORNER)
    expect(page.locator('.hand [aria-pressed="true"]')).to_have_count(1)  # one card is played at a time
    first.click(position=CORNER, modifiers=["Shift"])
    page.get_by_role("button", name="Why can't I?").click()
    page.get_by_text("exactly one card").wait_for()


def test_one_asks_about_cards_and_reads_the_rule(page, open_table, table_of, state_of, axe):
    table = table_of("alice", "bob")
    mover = to_act(table, state_of)
    open_table(table, mover)
    page.locator('.pick[data-pick="stock"]').click()
    page.locator(".hand .pick").first.click(position=CORNER)
    page.keyboard.press("Enter")
    page.get_by_text("new cards are dealt when all hands are empty").wait_for()
    expect(page.locator(".refusal a")).to_have_attribute("href", "/rules/casino/#deal-next")
    expect(page.locator('[aria-pressed="true"]')).to_have_count(2)
    axe(page)
    with transaction.atomic():
        services.common.store(services.common.lock_table(table.pk))  # something that leaves the cards alone
    page.locator(f'#board[data-seq="{table.version + 1}"]').wait_for()
    expect(page.locator(".refusal a")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#advice > *")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_where_a_failed_play_costs_cards_one_may_still_ask_about_it():
    game = engines.get("vatican")
    options = {"failed_play_penalty": 3, "opening_run": False}
    state = game.load({"options": options, "hands": ["KS1 QS1 2D1", "3C1"], "stock_count": 9, "to_move": 0})
    answer = advice.why_not(game, state, 0, ["KS1", "QS1", "2D1"], ["alice", "bob"])
    assert answer.rule == "vatican:run-suit"
