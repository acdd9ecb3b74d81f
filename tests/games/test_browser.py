"""Playing in real browsers."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import live, services, tasks
from games.live import presence
from games.models import HouseBot, Move, Table
from tests.at_table import seq, wait_for_seq
from tests.viewports import resize
from tests.waiting import wait_until

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
CORNER = {"x": 10, "y": 20}  # what one sees of a card in a long hand


@pytest.fixture
def bots(transactional_db):
    for name in ("Ada", "Bruno", "Clara"):
        user = User.objects.create(username=f"bot-casino-{name}", first_name=name, is_bot=True)
        HouseBot.objects.create(user=user, game="casino", level="first-steps")


@pytest.fixture
def sit_down_together(live_url, new_context):
    """Two browsers at one new table of a game, running: (first page, second page)."""

    def sit(game="casino", **second):
        alice = new_context().new_page()
        alice.goto(f"{live_url}/games/{game}/")
        alice.get_by_text("Friends: send them a link").click()
        alice.get_by_role("button", name="Sit down").click()
        alice.wait_for_selector("#invite")
        bob = new_context(**second).new_page()
        bob.goto(alice.locator("#invite").input_value())
        bob.get_by_role("button", name="Sit here").first.click()
        bob.wait_for_selector(".hand")
        bob.wait_for_load_state()  # before that a button may still send its form without a script
        alice.wait_for_selector(".hand")
        return alice, bob

    return sit


def to_move(*pages):
    return next(page for page in pages if page.locator(".choice").count())


def play_first_card(page):
    """Chooses the first card that can be played, and plays the first move it offers."""
    touched = page.locator(".choice[data-touches]").first.get_attribute("data-touches").split()
    next(card for card in page.locator(".hand .pick").all() if card.get_attribute("data-pick") in touched).click()
    page.locator(".choice.is-offered button").first.click()


def has_no_sideways_scroll(page):
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_two_browsers_play_and_each_sees_the_others_moves_at_once(sit_down_together):
    alice, bob = sit_down_together()
    for _ in range(6):
        mover = to_move(alice, bob)
        other = bob if mover is alice else alice
        before = seq(mover)
        play_first_card(mover)
        wait_for_seq(mover, before + 1)
        wait_for_seq(other, before + 1)
        expect(other.locator("#announce")).to_contain_text("Your turn")
    assert Move.objects.count() == 6


def test_a_spectator_watches_live_and_sees_no_hand(sit_down_together, new_context):
    alice, bob = sit_down_together()
    carol = new_context().new_page()
    carol.goto(alice.url)
    carol.locator("#board .prompt").wait_for()
    expect(carol.locator(".hand")).to_have_count(0)
    expect(carol.locator(".choice")).to_have_count(0)
    before = seq(alice)
    play_first_card(to_move(alice, bob))
    wait_for_seq(carol, before + 1)


def test_who_sits_down_on_another_device_plays_on_the_page_that_lay_open(live_url, new_context, log_in, person):
    alice, bob = person("alice"), person("bob")
    table = services.open_table(game="casino", seats=2, options=None, created_by=alice, secret=bytes(32))
    services.sit_down(table_id=table.pk, user=alice)
    browsers = {name: new_context().new_page() for name in ("alice", "bob", "nobody")}
    complaints = []
    for name, page in browsers.items():
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        if name != "nobody":
            log_in(page.context, name)
        page.goto(live_url + table.get_absolute_url())
        expect(page.get_by_role("heading", name="1 seat free")).to_be_visible()
    services.sit_down(table_id=table.pk, user=bob)
    for user in (alice, bob):
        page = browsers[user.username]
        page.wait_for_function(
            "sender => document.getElementById('connection')?.dataset.here.includes(sender)",
            arg=f"/{presence.heartbeat_member(table.pk, user.pk)}.",
        )
        expect(page.locator(".hand .card")).to_have_count(4)
        page.get_by_text("At the table", exact=True).click()
        expect(page.get_by_role("button", name="Ask to end the game in a draw")).to_be_visible()
    expect(browsers["nobody"].locator(".prompt")).to_contain_text("to move.")
    expect(browsers["nobody"].get_by_text("At the table", exact=True)).to_be_hidden()
    assert not complaints


def test_two_pairs_that_wait_find_themselves_at_one_table(live_url, new_context, log_in, person):
    pages = {}
    for side in (("alice", "bob"), ("carol", "dora")):
        people = [person(name) for name in side]
        table = services.open_and_sit(
            user=people[0], game="partnership-cribbage", seats=4, options=None, is_private=True, base_seconds=300
        )
        services.sit_down(table_id=table.pk, user=people[1], seat=2)
        for name in side:
            pages[name] = new_context().new_page()
            log_in(pages[name].context, name)
            pages[name].goto(live_url + table.get_absolute_url())
        keys = {player.pk for player in people}
        wait_until(lambda table=table, keys=keys: presence.online_users(table.pk, keys) == keys, "their heartbeats")
        pages[side[0]].get_by_role("button", name="Let anyone join").click()
    expect(pages["alice"].locator(".hand .card")).to_have_count(5)
    for name in ("bob", "carol", "dora"):
        expect(pages[name]).to_have_url(pages["alice"].url)
        expect(pages[name].locator(".hand .card")).to_have_count(5)


SIZES = pytest.mark.parametrize(("width", "height"), [(1440, 600), (390, 560)])


@SIZES
def test_without_script_the_moves_leave_the_table_in_sight(width, height, live_url, new_context, log_in, table_of):
    table = table_of("alice", "bob", game="sixty-six")
    page = new_context(java_script_enabled=False, viewport={"width": width, "height": height}).new_page()
    log_in(page.context, table.seats.get(number=1 - table.first_dealer).user.username)
    page.goto(live_url + table.get_absolute_url())
    expect(page.get_by_role("button", name="Lead")).to_have_count(6)
    upcard, foot = (page.locator(part).bounding_box() for part in (".middle [data-card]", ".foot"))
    assert upcard["y"] + upcard["height"] <= foot["y"]


def test_without_script_no_button_offers_to_copy_a_link(live_url, new_context, log_in, person, transactional_db):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
    for has_script in (True, False):
        page = new_context(java_script_enabled=has_script).new_page()
        log_in(page.context, "alice")
        page.goto(live_url + table.get_absolute_url())
        expect(page.get_by_label("Send this link to your friend")).to_be_visible()
        expect(page.get_by_role("button", name="Copy link")).to_have_count(int(has_script))


def test_without_script_a_page_that_waits_for_another_player_looks_again(table_of, as_user, person, transactional_db):
    table = table_of("alice", "bob")
    first, other = (table.seats.get(number=number).user for number in (1 - table.first_dealer, table.first_dealer))
    again = '<noscript><meta http-equiv="refresh"'
    assert again not in as_user(first).get(table.get_absolute_url()).content.decode()
    assert again in as_user(other).get(table.get_absolute_url()).content.decode()
    services.resign(table_id=table.pk, user=first)
    assert again not in as_user(other).get(table.get_absolute_url()).content.decode()


def test_a_game_that_was_over_when_the_page_came_is_told_what_follows(live_url, new_context, log_in, person, table_of):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("bob"))
    page, complaints = new_context().new_page(), []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    services.join_rematch(table_id=table.pk, user=person("bob"))
    expect(page.get_by_role("button", name="Join the rematch")).to_be_visible()
    assert not complaints


def test_a_reader_who_was_cut_off_catches_up(sit_down_together):
    alice, bob = sit_down_together()
    mover = to_move(alice, bob)
    other = bob if mover is alice else alice
    before = seq(mover)
    other.context.set_offline(True)
    play_first_card(mover)
    wait_for_seq(mover, before + 1)
    other.context.set_offline(False)
    wait_for_seq(other, before + 1)


def test_a_burst_of_moves_leaves_the_page_at_the_last_one(live_url, new_context, table_of, play_on):
    page = new_context().new_page()
    table = table_of("alice", "bob")
    page.goto(live_url + table.get_absolute_url())
    for _ in range(3):
        table = play_on(table, 1)
        wait_for_seq(page, table.version)
        table = play_on(table, 6)
        wait_for_seq(page, table.version)


def test_nobody_fetches_a_board_that_comes_anyway(sit_down_together):
    alice, bob = sit_down_together()
    fetched = []
    for page in (alice, bob):
        page.on("request", lambda request: request.url.endswith("/board/") and fetched.append(request))
    for _ in range(4):
        before = seq(alice)
        play_first_card(to_move(alice, bob))
        for page in (alice, bob):
            wait_for_seq(page, before + 1)
    assert fetched == []


def answer_late(page, meanwhile, *, is_lost=False):
    """The answer to the next move of this page comes after `meanwhile`, or never."""

    def hold(route):
        response = None if is_lost else route.fetch()
        meanwhile()
        page.wait_for_timeout(300)  # its notice comes first
        route.abort() if is_lost else route.fulfill(response=response)

    page.route("**/moves/", hold, times=1)


def test_a_reply_that_is_quicker_than_the_answer_to_ones_own_move_is_shown(sit_down_together, play_on):
    alice, bob = sit_down_together()
    mover, before = to_move(alice, bob), seq(alice)
    answer_late(mover, lambda: play_on(Table.objects.get(), 1))
    play_first_card(mover)
    wait_for_seq(mover, before + 2)


def test_what_was_heard_while_ones_own_move_got_lost_is_shown(sit_down_together, play_on):
    alice, bob = sit_down_together()
    mover, before = to_move(alice, bob), seq(alice)
    answer_late(mover, lambda: play_on(Table.objects.get(), 1), is_lost=True)
    play_first_card(mover)
    wait_for_seq(mover, before + 1)


def test_a_page_comes_back_by_itself_after_the_server_said_bye(sit_down_together, settings):
    alice, bob = sit_down_together()
    mover = to_move(alice, bob)
    other = bob if mover is alice else alice
    before = seq(mover)
    live.announce(settings.LIVE_SYSTEM_CHANNEL, "bye")
    play_first_card(mover)
    wait_for_seq(other, before + 1)
    play_first_card(other)
    wait_for_seq(mover, before + 2)


def test_a_move_by_keyboard_alone(sit_down_together):
    alice, bob = sit_down_together()
    mover = to_move(alice, bob)
    before = seq(mover)
    for _ in range(40):
        mover.keyboard.press("Tab")
        if mover.evaluate("!!document.activeElement.closest('.hand')"):
            break
    mover.keyboard.press("Space")
    mover.wait_for_selector(".choice.is-offered")
    for _ in range(40):
        if mover.evaluate("!!document.activeElement.closest('.choice')"):
            break
        mover.keyboard.press("Shift+Tab")
    mover.keyboard.press("Enter")
    wait_for_seq(mover, before + 1)
    assert Move.objects.count() == 1


def test_a_guest_opens_a_table_and_plays_a_bot(bots, live_url, new_context):
    page = new_context(viewport=PHONE).new_page()
    page.goto(f"{live_url}/games/casino/")
    page.get_by_role("region").get_by_text("First steps").click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(".hand")
    table = Table.objects.get()
    assert table.seats.get(number=0).is_entropy_own
    for _ in range(3):
        if not page.locator(".choice").count():
            before = seq(page)
            tasks.play_bot(table.pk)
            wait_for_seq(page, before + 1)
        before = seq(page)
        play_first_card(page)
        wait_for_seq(page, before + 1)
    assert has_no_sideways_scroll(page)


def test_a_game_ends_with_a_result_a_replay_and_a_rematch(sit_down_together, axe):
    alice, bob = sit_down_together()
    alice.get_by_text("At the table", exact=True).click()
    alice.get_by_text("Resign", exact=True).click()
    before = seq(alice)
    play_first_card(to_move(alice, bob))
    wait_for_seq(alice, before + 1)  # what is open on the page stays open when a move arrives
    alice.get_by_role("button", name="Resign this game").click()
    expect(bob.locator(".ended")).to_contain_text("You win")
    axe(bob)
    bob.get_by_role("link", name="Score sheet").click()
    bob.wait_for_selector(".result")
    result_url = bob.url
    axe(bob)
    bob.get_by_role("link", name="Replay").click()
    bob.wait_for_selector(".replay")
    bob.wait_for_load_state()  # keys are heard from then on
    bob.keyboard.press("ArrowRight")
    bob.locator(".replay-at", has_text="move 1 of").wait_for()
    bob.keyboard.press("ArrowLeft")
    bob.locator(".replay-at", has_text="move 0 of").wait_for()
    axe(bob)
    bob.goto(re.sub(r"result/.*", "", result_url))
    bob.get_by_role("button", name="Rematch").click()
    bob.wait_for_selector("#invite")
    alice.get_by_role("button", name="Join the rematch").click()
    bob.wait_for_selector(".hand")


@pytest.mark.parametrize("game", ["casino", "gin-rummy"])
def test_on_a_phone_every_offered_move_is_in_sight_and_no_card_moves(
    game, live_url, new_context, log_in, table_of, play_on
):
    page = new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    table = table_of("alice", "bob", game=game)
    log_in(page.context, "alice")
    page.goto(live_url + table.get_absolute_url())
    for _ in range(8):
        cards = page.locator(".hand .pick")
        lying = cards.evaluate_all("all => all.map(card => card.getBoundingClientRect().top)")
        for place in range(cards.count()):
            cards.nth(place).press("Space")
            for button in page.locator(".choice.is-offered button").all():
                box = button.bounding_box()
                assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
                assert box["height"] >= 44
                assert button.evaluate("e => e.scrollWidth <= e.clientWidth")
            assert cards.evaluate_all("all => all.map(card => card.getBoundingClientRect().top)") == lying
            page.keyboard.press("Escape")
        table = play_on(table, 2)
        wait_for_seq(page, table.version)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    ("game", "seats", "moves"),
    [("four-hand-cuarenta", 4, 12), ("tabletop-cribbage", 4, 8), ("krambambuli", 6, 60), ("piquet", 2, 24)],
)
def test_at_a_full_table_no_hand_lies_below_the_window(
    game, seats, moves, size, live_url, new_context, log_in, table_of, play_on
):
    page = new_context(viewport=size, reduced_motion="reduce").new_page()
    table = play_on(table_of(*(f"{game}-{seat}" for seat in range(seats)), game=game), moves)
    log_in(page.context, f"{game}-0")
    page.goto(live_url + table.get_absolute_url())
    for card in [*page.locator(".hand [data-card]").all(), *page.locator(".own .button:visible").all()]:
        expect(card).to_be_in_viewport(ratio=0.99)
    for button in page.locator(".own .button:visible").all():
        assert button.bounding_box()["height"] == 44  # its word stays on one line
    assert has_no_sideways_scroll(page)


def test_a_vatican_table_is_rearranged_checked_and_played(sit_down_together):
    alice, bob = sit_down_together("vatican")
    for _ in range(80):
        mover = next(page for page in (alice, bob) if page.locator("[data-workbench]").count())
        other = bob if mover is alice else alice
        before = seq(mover)
        plays = mover.locator(".choices input[name=text]").evaluate_all("all => all.map(one => one.value)")
        runs = [text for text in plays if text.startswith("P >") and "/" not in text]  # one meld, to be laid at once
        if runs:
            break
        mover.get_by_role("button", name="Draw a card").click()
        wait_for_seq(mover, before + 1)
        wait_for_seq(other, before + 1)
    cards = re.findall(r"X[BR]|\w\w\d", runs[0])
    mover.locator(f'.hand [data-card="{cards[0]}"]').click(position=CORNER)
    mover.locator('.bench-put [data-put="new"]').click()
    mover.wait_for_selector(".meld.is-wrong")
    expect(mover.locator("form[data-play] button")).to_have_attribute("aria-disabled", "true")
    rule = mover.locator(".bench-say").get_by_role("link", name="The rule")
    expect(rule).to_have_attribute("href", re.compile("^/rules/vatican/#"))
    for card in cards[1:]:
        mover.locator(f'.hand [data-card="{card}"]').click(position=CORNER)
    mover.locator(".bench-melds .meld:not(.meld-new) .put").first.click()
    mover.wait_for_selector(".meld.is-right")
    expect(rule).to_have_count(0)
    mover.locator("form[data-play] button").click()
    wait_for_seq(other, before + 1)
    expect(other.locator(f'.meld [data-card="{cards[0]}"]')).to_have_count(1)


def test_pages_pass_axe_and_fit_every_width(bots, live_url, page, axe):
    def check(address):
        page.goto(live_url + address)
        for width in (360, 1280):
            resize(page, width, 800)
            axe(page)
            assert has_no_sideways_scroll(page), address
            nav = page.locator(".site-nav").evaluate("nav => nav.clientHeight")
            assert nav in (0, 44), address  # none at a table on a phone, elsewhere one line

    alice = User.objects.create(username="alice")
    services.open_and_sit(user=alice, game="casino", seats=3, options=None)
    for address in (
        "/play/",
        "/games/",
        "/games/casino/",
        "/games/gin-rummy/",
        "/accounts/sign-up/",
        "/accounts/login/",
    ):
        check(address)
    for game in ("casino", "gin-rummy", "vatican"):
        two = [User.objects.create(username=f"{name}-{game}") for name in ("one", "two")]
        table = services.seat_and_start(game=game, players=two, options=None, move_seconds=120)
        check(table.get_absolute_url())
        check(f"{table.get_absolute_url()}verify/")


ASIDE = """() => document.addEventListener("htmx:beforeSwap", () => {
    for (const card of document.querySelectorAll("[data-card]")) card.style.translate = "9px";
}, { capture: true, once: true })"""


def test_where_many_cards_glide_the_page_is_not_laid_out_for_each(live_url, new_context, log_in, table_of, play_on):
    page = new_context().new_page()
    table = table_of(*"abcde", game="shanghai")
    log_in(page.context, "a")
    with page.expect_response(lambda answer: "/chat/?" in answer.url):  # the stream is open
        page.goto(live_url + table.get_absolute_url())
    table = play_on(table, 1)
    wait_for_seq(page, table.version)
    page.evaluate(ASIDE)  # so that all cards have a way to go
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def layouts():
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount")

    before = layouts()
    table = play_on(table, 1)
    wait_for_seq(page, table.version)
    assert layouts() - before < page.locator("[data-card]").count()
