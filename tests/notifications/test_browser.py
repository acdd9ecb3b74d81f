"""Notices on the screen."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import services as services_of_games
from games.domain.clocks import PACES
from notifications import services
from notifications.models import Notice
from tests.viewports import resize

PHONE = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 844, "height": 390}
STREAM = "/notices/stream/"


def tell(user: User, number: int = 1, url: str = "/tournaments/") -> None:
    services.notify(user, key=f"event:{number}", text=f"Cup {number} starts now. Go to your table", url=url)


def test_a_notice_reaches_every_open_tab_over_one_stream_and_leaves_them_together(new_context, live_url, ann, log_in):
    context = new_context()
    log_in(context, "ann")
    streams: list[str] = []
    context.on("request", lambda request: streams.append(request.url) if STREAM in request.url else None)
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(f"{live_url}/games/")
    tell(ann)
    for page in (first, second):
        page.get_by_role("link", name="Cup 1 starts now").wait_for()
        expect(page).to_have_title(re.compile(r"^\(1\) "))
        bell = page.get_by_role("link", name="Notifications")
        expect(bell).to_have_text(re.compile(r"Notifications\s+1\s+unread"), use_inner_text=True)
    assert len(streams) == 1

    second.get_by_role("button", name="Dismiss").click()
    for page in (first, second):
        page.get_by_role("link", name="Cup 1 starts now").wait_for(state="detached")
        expect(page).not_to_have_title(re.compile(r"^\("))

    first.close()  # it had the stream
    tell(ann, 2)
    second.get_by_role("link", name="Cup 2 starts now").wait_for()


def test_a_page_with_a_stream_of_its_own_opens_no_second_one(new_context, live_url, ann, log_in):
    context = new_context()
    log_in(context, "ann")
    page = context.new_page()
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if STREAM in request.url else None)
    with page.expect_response(lambda answer: "/notices/banner/" in answer.url):  # the stream is open
        page.goto(f"{live_url}/play/")
    tell(ann)
    page.get_by_role("link", name="Cup 1 starts now").click()
    page.wait_for_url("**/tournaments/")
    assert Notice.objects.get().read_at is not None
    assert streams == []


def test_without_locks_the_visible_tab_listens(new_context, live_url, ann, log_in):
    context = new_context()
    log_in(context, "ann")
    context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    page = context.new_page()
    with page.expect_request(lambda request: STREAM in request.url):
        page.goto(f"{live_url}/games/")
    tell(ann)
    page.get_by_role("link", name="Cup 1 starts now").wait_for()


def test_banner_list_and_settings_fit_every_screen_and_pass_axe(context, live_url, ann, log_in, axe):
    log_in(context, "ann")
    for number in range(4):
        tell(ann, number)
    page = context.new_page()
    for path in ("/games/", "/notices/", "/notices/settings/"):
        page.goto(live_url + path)
        for width, shown in ((360, 1), (1280, 3)):
            resize(page, width, 800)
            expect(page.get_by_role("button", name="Dismiss")).to_have_count(shown)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            axe(page)


def test_without_script_one_reads_and_dismisses_notices(new_context, live_url, ann, log_in):
    context = new_context(java_script_enabled=False, viewport=PHONE)
    log_in(context, "ann")
    tell(ann)
    page = context.new_page()
    page.goto(f"{live_url}/games/")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(0)
    assert page.url == f"{live_url}/games/"


LONG_NAME = "Wolfeschlegelstein-hausen"
LONG_TEXT = f"Your turn in Krambambuli with {LONG_NAME}, {LONG_NAME} and bob."


@pytest.mark.parametrize(("size", "letters"), [(PHONE, "100%"), (PHONE, "200%"), (ON_ITS_SIDE, "100%")])
def test_on_a_phone_a_notice_covers_neither_cards_nor_players(
    new_context, live_url, ann, log_in, table_of, size, letters
):
    table = table_of("ann", LONG_NAME)
    context = new_context(viewport=size)
    log_in(context, "ann")
    page = context.new_page()
    page.goto(live_url + table.get_absolute_url())
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
    felt = page.locator(".felt").bounding_box()
    services.notify(ann, key="long", text=LONG_TEXT, url="/play/")
    page.get_by_role("link", name="Your turn in Krambambuli").wait_for()
    assert page.locator(".felt").bounding_box() == felt  # nothing moves under a finger
    notice = page.locator(".news .notice").bounding_box()
    assert notice["y"] + notice["height"] <= felt["y"]
    button = page.get_by_role("button", name="Dismiss").bounding_box()
    assert button["x"] + button["width"] <= size["width"] and button["height"] >= 44


def test_on_a_phone_a_notice_leaves_the_foot_of_a_page_in_reach(new_context, live_url, ann, log_in):
    context = new_context(viewport=PHONE)
    log_in(context, "ann")
    services.notify(ann, key="long", text=LONG_TEXT, url="/play/")
    page = context.new_page()
    page.goto(f"{live_url}/notices/settings/")
    page.wait_for_function("""() => {
        scrollTo(0, document.documentElement.scrollHeight);
        const box = (selector) => [...document.querySelectorAll(selector)].at(-1).getBoundingClientRect();
        return box(".site-foot a").bottom <= box(".news .notice").top;
    }""")  # scripts may still have made the page higher


def has_icon(page, name: str) -> None:
    expect(page.locator('link[rel="icon"]')).to_have_attribute("href", re.compile(rf"/{name}\.\w+\.svg$"))


def test_title_icon_and_header_say_on_any_page_whose_turn_it_is(
    new_context, live_url, ann, log_in, table_of, play_on, axe, eager_tasks
):
    table = table_of("bob", "ann", **PACES["days-1"].fields)
    services.mark_read(ann)  # that it has begun
    context = new_context(viewport=PHONE)
    log_in(context, "ann")
    page = context.new_page()
    page.goto(f"{live_url}/games/")
    title = page.title()
    assert not title.startswith("(")
    has_icon(page, "icon")
    with page.expect_response("**/notices/banner/"):
        table = play_on(table, 1)
    page.get_by_role("link", name="Your turn in Casino with bob.").wait_for()
    expect(page).to_have_title(f"(1) {title}")
    has_icon(page, "icon-waiting")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    axe(page)

    page.get_by_role("link", name="Your turn in Casino", exact=True).click()
    page.wait_for_url(f"{live_url}{table.get_absolute_url()}")
    expect(page).to_have_title(re.compile("^Your turn · Casino"))
    has_icon(page, "icon")
    play_on(table, 1)  # by another device
    expect(page).to_have_title(re.compile("^Casino"))


def test_a_tab_that_nobody_looks_at_says_that_its_game_has_begun(new_context, live_url, ann, log_in, person):
    days = PACES["days-1"].fields
    table = services_of_games.open_and_sit(user=ann, game="casino", seats=2, options=None, **days)
    context = new_context()
    log_in(context, "ann")
    page = context.new_page()
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => !window.looks })")
    signs: list[str] = []
    page.on("request", lambda request: signs.append(request.url) if "/here/" in request.url else None)
    page.goto(f"{live_url}{table.get_absolute_url()}")
    has_icon(page, "icon")
    services_of_games.sit_down(table_id=table.pk, user=person("bob"))
    expect(page).to_have_title(re.compile("^Your (turn|game has started) · Casino"))
    has_icon(page, "icon-waiting")
    assert signs == [], "it may lie there forgotten, so she is told elsewhere"
    with page.expect_request("**/here/**"):
        page.evaluate("window.looks = true; document.dispatchEvent(new Event('visibilitychange'))")
    has_icon(page, "icon")
    expect(page).not_to_have_title(re.compile("^Your game has started"))


def test_a_stream_that_a_proxy_refused_is_opened_again(new_context, live_url, ann, log_in):
    page = new_context().new_page()
    page.clock.install()
    log_in(page.context, "ann")
    page.route(f"**{STREAM}*", lambda route: route.fulfill(status=502), times=1)
    with page.expect_response(lambda answer: STREAM in answer.url):
        page.goto(f"{live_url}/games/")
    with page.expect_request(lambda request: STREAM in request.url):
        page.clock.fast_forward(30_000)
    tell(ann)
    page.get_by_role("link", name="Cup 1 starts now").wait_for()
