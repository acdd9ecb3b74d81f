"""The scripts of a table: what its modules hear of a board, what holds boards back, and their pure parts."""

import json

import pytest
from playwright.sync_api import expect

from games.domain.clocks import countdown
from games.models import Table
from tests.at_table import wait_for_seq

FOLDER = "/static/cardsite/js/table/"
JOINS = """async () => {
    const { table } = await import(document.querySelector('script[src*="table/table"]').src);
    window.table = table;
    window.heard = [];
    table.join({
        before: (board, { isPlayed }) => heard.push(`before ${board.dataset.seq} ${isPlayed}`),
        after: (board) => heard.push(`after ${board.dataset.seq}`),
        part: (board) => heard.push(`part ${board.dataset.seq}`),
    });
    heard.splice(0); // the board that is on the page already
}"""


STREAMED = """
window.EventSource = class extends EventSource {
    constructor(...options) {
        super(...options);
        this.addEventListener("board", ({ data }) => { window.streamed = Number(data.match(/data-seq="(\\d+)"/)[1]); });
    }
};
"""


@pytest.fixture
def casino(casino):
    casino.evaluate(JOINS)
    return casino


@pytest.fixture
def at_table(live_url, new_context, log_in):
    """`at_table(table, name)`: a page whose stream is open, and what `JOINS` hears there."""

    def sit(table, name="alice"):
        page = new_context().new_page()
        page.add_init_script(STREAMED)
        log_in(page.context, name)
        with page.expect_response(lambda answer: "/chat/?" in answer.url):
            page.goto(live_url + table.get_absolute_url())
        page.evaluate(JOINS)
        return page

    return sit


@pytest.fixture
def call(page, live_url):
    """`call("clock_words", "clockWords", 90)`: what a function of a pure part returns."""
    page.goto(f"{live_url}/style/casino/")

    def run(module, function, *arguments):
        given = [f"{FOLDER}{module}.js", function, json.dumps(arguments)]
        return page.evaluate("async ([path, name, given]) => (await import(path))[name](...JSON.parse(given))", given)

    return run


def heard(page, count):
    """All that was heard once it was at least `count`; htmx says all of one swap at once."""
    page.wait_for_function("count => heard.length >= count", arg=count)
    return page.evaluate("heard")


# Boards


def test_a_module_hears_once_of_the_board_that_a_move_brings(casino):
    casino.dblclick('.pick[data-pick="KC"]')
    casino.wait_for_selector('#board[data-seq="8"]')
    assert heard(casino, 2) == ["before 7 true", "after 8"]


def test_a_module_hears_once_of_a_board_of_the_stream_and_of_a_move_at_a_table(at_table, table_of, play_on):
    table = table_of("alice", "bob")
    page = at_table(table)
    seq = table.version
    page.locator(".hand .pick").first.click()
    page.locator(".choice.is-offered button").first.click()
    wait_for_seq(page, seq + 1)
    assert heard(page, 2) == [f"before {seq} true", f"after {seq + 1}"]
    play_on(Table.objects.get(), 1)
    wait_for_seq(page, seq + 2)
    assert heard(page, 4)[2:] == [f"before {seq + 1} false", f"after {seq + 2}"]


def test_an_explanation_is_a_part_and_no_board(at_table, table_of):
    table = table_of("alice", "bob", game="casino")
    page = at_table(table)
    page.evaluate("htmx.ajax('GET', document.querySelector('[data-why]').action, { target: '#advice' })")
    assert heard(page, 1) == [f"part {table.version}"]


def test_a_board_waits_for_each_reason_at_most_as_long_as_it_says(at_table, table_of, play_on):
    table = table_of("alice", "bob")
    page = at_table(table)
    page.evaluate("table.hold('one', 1_000_000); table.hold('other', 1_000_000)")
    table = play_on(table, 2)
    page.wait_for_function("version => window.streamed === version", arg=table.version)
    page.evaluate("table.release('one')")
    assert page.evaluate("heard") == []
    page.evaluate("table.hold('other', 50)")
    wait_for_seq(page, table.version)
    assert heard(page, 2) == [f"before {table.version - 2} false", f"after {table.version}"]


# Requests that fail


@pytest.mark.parametrize("status", [429, 503])
def test_a_board_that_could_not_be_fetched_is_fetched_again(status, at_table, table_of):
    table = table_of("alice", "bob")
    page = at_table(table)
    page.route("**/board/", lambda route: route.fulfill(status=status), times=1)
    Table.objects.update(version=table.version + 1)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#unanswered")).to_have_text("This table may be out of date. Trying again.")
    wait_for_seq(page, table.version + 1)
    expect(page.locator("#unanswered")).to_be_empty()


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (404, {}, "This is no longer available. Reload the page."),
        (410, {}, "This is no longer available. Reload the page."),
        (429, {}, "Too many requests. Wait a moment, then try again."),
        (403, {"HX-Reswap": "none"}, "You can't do that here. Reload the page to see what you can do."),
        (200, {}, "The site could not do that. Try again."),
    ],
)
def test_a_move_that_the_site_refuses_is_said_and_can_be_sent_again(status, headers, said, casino):
    casino.route(
        "**/style/casino/", lambda route: route.fulfill(status=status, headers=headers, body="<p>A page"), times=1
    )
    casino.click('.pick[data-pick="KC"]')
    casino.click(".choice.is-offered button")
    expect(casino.locator("#unanswered")).to_have_text(said)
    assert casino.get_attribute("#board", "data-seq") == "7"
    casino.click(".choice.is-offered button")
    casino.wait_for_selector('#board[data-seq="8"]')
    expect(casino.locator("#unanswered")).to_be_empty()


def test_no_snapshot_of_a_page_is_kept_and_the_way_back_is_a_whole_page(casino):
    pushes = "all => all.forEach(one => one.setAttribute('hx-push-url', '?played'))"
    casino.eval_on_selector_all(".choice", pushes)
    casino.dblclick('.pick[data-pick="KC"]')
    casino.wait_for_url("**/?played")
    assert casino.evaluate("sessionStorage.getItem('htmx-history-cache')") is None
    casino.go_back()
    casino.wait_for_selector('#board[data-seq="7"]')
    expect(casino.get_by_role("banner")).to_be_visible()


# Pure parts


@pytest.mark.parametrize(
    ("incoming", "shown", "is_own", "is_put_in"),
    [(8, 7, False, True), (7, 7, False, False), (7, 7, True, True), (6, 7, True, False)],
)
def test_the_version_rule(call, incoming, shown, is_own, is_put_in):
    assert call("board_version", "replaces", incoming, shown, is_own) == is_put_in


def test_a_clock_shows_what_the_server_would_show(call):
    for seconds in (0, 9, 60, 754, 7199, 7200, 11_100, 86_399, 86_400, 200_000):
        assert call("clock_words", "clockWords", seconds) == countdown(seconds)


def test_orders_of_a_hand(call, page):
    order = """async ([path, mode, ids]) => {
        const { handOrder } = await import(path);
        const known = { dealt: ids, melded: ["KH", "2S"], own: ["9D"] };
        return ids.toSorted(handOrder(mode, known));
    }"""
    hand = ["2S", "5C", "9D", "KH"]
    orders = {
        mode: page.evaluate(order, [f"{FOLDER}hand_order.js", mode, hand]) for mode in ("rank", "suit", "melds", "own")
    }
    assert orders == {
        "rank": hand,
        "suit": ["5C", "9D", "KH", "2S"],
        "melds": ["KH", "2S", "5C", "9D"],
        "own": ["9D", "2S", "5C", "KH"],
    }


def test_a_hand_of_another_deal_has_no_order_of_the_player_yet(call):
    hands = [
        ("2S 5C 9D KH", "KH 9D 5C 2S", False),
        ("2S 5C 9D KH AS", "KH 9D 5C 2S", False),  # a card was drawn
        ("2S 5C", "KH 9D 5C 2S TC TD TH", False),  # most were melded
        ("2S 5C 9D TC TD TH AS", "5C 2S 9D", False),  # a pile was taken
        ("", "KH 9D", False),  # between two deals
        ("2S 5C 9D KH", "AS 9D 7C 8C", True),
        ("2S 5C 9D KH", "", True),
    ]
    for dealt, own, is_new in hands:
        assert call("hand_order", "isNewHand", dealt.split(), own.split()) is is_new, (dealt, own)


NEWS = """async ([path, now, before]) => {
    const { boardNews } = await import(path);
    const board = ({ told, ends = [], cards = {}, open = {}, seen = [], ...more }) => ({
        asked: "", ended: "", call: "", moves: 0, ...more,
        cards: new Map(Object.entries(cards)), open: new Map(Object.entries(open)), seen: new Set(seen),
        told: told.map((text, index) => ({ text, isHandEnd: ends.includes(index) })),
    });
    return boardNews(board(now), board(before));
}"""
SOUND = """async ([path, now, before]) => {
    const { boardSound } = await import(path);
    const board = ({ hand = [], shared = [], moves = 1, isOver = false }) => ({
        moves, isOver, hand: new Set(hand), shared: new Set(shared),
    });
    return boardSound(board(now), board(before));
}"""


@pytest.mark.parametrize(
    ("now", "before", "news"),
    [
        ({"told": ["Ann lays a king."]}, {"told": ["Ann lays a king."]}, []),
        ({"told": ["Ann lays 5.", "Bob lays 6."], "moves": 2}, {"told": ["Ann lays 5."], "moves": 1}, ["Bob lays 6."]),
        ({"told": ["Ann lays 5."], "moves": 1}, {"told": ["Ann lays 5.", "Bob lays 6."], "moves": 2}, []),
        # An undo alone with bots: the record grows by a row, and the log is shorter. Only the undo is told.
        (
            {"told": ["Ann lays 5."], "moves": 4, "isUndone": True, "asked": "You take back 2 moves.", "call": "Lay."}
            | {"cards": {"7H": "seven of hearts"}, "open": {"8H": "eight of hearts"}},
            {"told": ["Ann lays 5.", "Bob lays 6.", "Ann lays 7."], "moves": 3, "call": "Bob to move."},
            ["You take back 2 moves.", "Lay."],
        ),
        # Another try in a lesson: cards only come back.
        (
            {"told": [], "moves": 1, "call": "Lay.", "cards": {"7H": "seven"}, "open": {"8H": "eight"}},
            {"told": ["You lay 7.", "Bob lays 8."], "moves": 2},
            ["Lay."],
        ),
        # The count of a hand has told how it ended; "Go on" brings the line of the log.
        (
            {"told": ["Deal 1: you score 5."], "ends": [0], "moves": 9, "call": "Bob to move."},
            {"told": ["Ann lays 5."], "moves": 9, "isShow": True},
            ["Bob to move."],
        ),
        # The count names the cards it turns up one by one; after it all cards are new, also those of the last deal.
        (
            {"told": ["Ann lays 5."], "moves": 1, "isShow": True, "open": {"7C": "seven"}, "cards": {"KH": "king"}},
            {"told": []},
            [],
        ),
        (
            {"told": ["Ann lays 5."], "cards": {"KH": "king", "QH": "queen"}, "open": {"7C": "seven", "9S": "nine"}}
            | {"call": "Lay."},
            {"told": ["Ann lays 5."], "cards": {"KH": "king"}, "open": {"7C": "seven"}, "isShow": True},
            ["Face up on the table: seven, nine.", "Your hand: king, queen.", "Lay."],
        ),
        # Nothing is dealt after the last count.
        (
            {"told": [], "cards": {"KH": "king"}, "open": {"7C": "seven"}, "isOver": True, "call": "You win."},
            {"told": [], "cards": {"KH": "king"}, "open": {"7C": "seven"}, "isShow": True},
            ["You win."],
        ),
        # The end of a hand comes to the log later, when it is no longer news.
        (
            {"told": ["Ann lays 5.", "Hand 1: over.", "Bob lays 6."], "ends": [1], "moves": 2},
            {"told": ["Ann lays 5."], "moves": 1},
            ["Bob lays 6."],
        ),
        (
            {"told": [], "cards": {"KH": "king", "QH": "queen"}},
            {"told": [], "cards": {"KH": "king"}},
            ["New in your hand: queen."],
        ),
        # A card that was taken is named by its move; of a double pack the twin of a card that went elsewhere is not.
        (
            {"told": ["Ann takes a queen."], "moves": 1, "cards": {"QH2": "queen"}},
            {"told": [], "seen": ["QH2"]},
            ["Ann takes a queen."],
        ),
        (
            {"told": ["Ann pushes a queen and draws."], "moves": 1, "cards": {"KH1": "king", "QH2": "queen"}},
            {"told": [], "cards": {"KH1": "king"}, "seen": ["QH1"]},
            ["Ann pushes a queen and draws.", "New in your hand: queen."],
        ),
        ({"told": [], "call": "Your turn."}, {"told": [], "call": "Bob to move."}, ["Your turn."]),
        # A prompt may repeat the last move.
        (
            {"told": ['Bob says "Quart".'], "call": 'Your turn. Bob says "Quart". Answer.', "moves": 1},
            {"told": [], "call": "Bob to move."},
            ['Bob says "Quart".', "Your turn. Answer."],
        ),
        # Cards that are turned up are named, unless the move names them or they come from the own hand.
        (
            {"told": ["Bob turns up 2 cards."], "moves": 1, "open": {"7C": "seven", "9S": "nine", "KH": "king"}},
            {"told": [], "open": {"KH": "king"}},
            ["Bob turns up 2 cards.", "Face up on the table: seven, nine."],
        ),
        (
            {"told": ["Bob lays a seven."], "moves": 1, "open": {"7C": "seven", "9S": "nine"}},
            {"told": [], "cards": {"9S": "nine"}},
            ["Bob lays a seven."],
        ),
    ],
)
def test_news_of_a_board(call, page, now, before, news):
    assert page.evaluate(NEWS, [f"{FOLDER}board_news.js", now, before]) == news


@pytest.mark.parametrize(
    ("now", "before", "sound"),
    [
        ({"moves": 2}, {"moves": 1}, "lay"),
        ({"moves": 2}, {"moves": 2}, ""),
        ({"moves": 2}, {"moves": 1, "shared": ["KH", "QH"]}, "take"),
        ({"hand": ["2S", "3S", "4S"]}, {}, "deal"),
        ({"isOver": True}, {}, "over"),
        ({"isOver": True}, {"isOver": True}, ""),
    ],
)
def test_sound_of_a_board(call, page, now, before, sound):
    assert page.evaluate(SOUND, [f"{FOLDER}board_sound.js", now, before]) == sound


def test_places_to_drop_a_card_and_what_a_drop_means(call, page):
    moves = [
        {"touches": ["8S", "3C", "5D"], "to": ""},
        {"touches": ["8S"], "to": "table"},
        {"touches": ["KC", "KH"], "to": ""},
    ]
    found = page.evaluate(
        """async ([path, moves]) => {
            const { resolve, sources, targets } = await import(path);
            return [[...targets(moves, ["8S"])], resolve(moves, ["8S"], "table"), [...sources(moves)]];
        }""",
        [f"{FOLDER}drag_targets.js", moves],
    )
    assert found == [["3C", "5D", "table"], [moves[1]], ["8S", "KC"]]
