"""The chat in real browsers."""

import pytest
from playwright.sync_api import expect

from chat import reports
from chat.models import Act, Line

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def page_of(live_url, new_context, log_in):
    """`page_of("alice", table)`: her page of a table, in a browser of her own."""

    def open_page(name, table, **options):
        page = new_context(**options).new_page()
        log_in(page.context, name)
        with page.expect_response(lambda answer: "/chat/?" in answer.url):  # the stream is open: what has it missed?
            page.goto(live_url + table.get_absolute_url())
        return page

    return open_page


def reads(page, *lines):
    expect(page.locator("#chat-lines p")).to_have_text(lines, use_inner_text=True)


def test_two_people_chat_until_one_blocks_the_other(transactional_db, live_url, table_of, page_of, axe):
    table = table_of("alice", "bob")
    alice, bob = page_of("alice", table), page_of("bob", table, viewport=PHONE)

    alice.get_by_label("To the table").fill("A fine evening, bob")
    alice.keyboard.press("Enter")
    bob.locator("body.has-chat-news").wait_for()
    bob.locator("#announce", has_text="Chat: alice: A fine evening, bob").wait_for(state="attached")
    expect(alice.get_by_label("To the table")).to_have_value("")
    expect(alice.locator("#chat-text")).to_be_focused()

    bob.get_by_role("button", name="Log, chat").click()
    bob.locator("body:not(.has-chat-news)").wait_for()
    bob.get_by_role("button", name="Thank you.").click()
    alice.get_by_text("Thank you.").nth(1).wait_for()
    reads(alice, "alice A fine evening, bob", "bob Thank you. ⋯")
    reads(bob, "alice A fine evening, bob ⋯", "bob Thank you.")
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    axe(bob)
    axe(alice)

    bob.get_by_role("link", name="Report or block alice").click()
    bob.get_by_role("button", name="Block alice").click()
    bob.locator("main").get_by_text("You have blocked alice").wait_for()
    alice.get_by_label("To the table").fill("Are you there?")
    alice.keyboard.press("Enter")
    alice.get_by_text("Are you there?").wait_for()
    reads(bob, "bob Thank you.")
    assert Line.objects.count() == 3


def test_what_those_who_watch_have_said_comes_to_the_players_with_the_end(transactional_db, table_of, page_of, say):
    from games import services as games

    table = table_of("alice", "bob")
    alice, carol = page_of("alice", table), page_of("carol", table)
    carol.get_by_label("Message to the spectators").fill("take the ten")
    with carol.expect_response("**/chat/"):
        carol.keyboard.press("Enter")
    say("bob", table, "well")
    alice.get_by_text("well", exact=True).wait_for()
    reads(alice, "bob well ⋯")
    games.stop_table(table_id=table.pk)
    alice.get_by_role("button", name="Good game, thank you.").wait_for()
    reads(alice, "carol (watching) take the ten ⋯", "bob well ⋯")


def test_chat_leaves_the_chosen_cards_as_they_are(transactional_db, table_of, page_of, say):
    table = table_of("alice", "bob")
    alice = page_of("alice", table)
    stock, card = alice.locator('.pick[data-pick="stock"]'), alice.locator(".hand .pick").first
    stock.click()
    say("bob", table, "your turn")
    expect(alice.locator("#chat-lines")).to_contain_text("your turn")
    card.click()
    alice.get_by_label("To the table").fill("I know")
    with alice.expect_response("**/chat/"):
        alice.keyboard.press("Enter")
    expect(alice.locator("#chat-lines")).to_contain_text("I know")
    for chosen in (stock, card):
        expect(chosen).to_have_attribute("aria-pressed", "true")
    card.press("Enter")
    expect(alice.locator("#advice")).to_contain_text("new cards are dealt when all hands are empty")


@pytest.mark.parametrize("size", [(1024, 768), (1366, 650)])
def test_no_phrase_is_cut_off_beside_the_table(table_of, page_of, size):
    page = page_of("alice", table_of("alice", "bob"), viewport=dict(zip(("width", "height"), size, strict=True)))
    phrases = page.locator(".chat-phrases")
    assert phrases.evaluate("row => row.scrollWidth - row.clientWidth") == 0
    for button in phrases.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)


def test_enter_in_the_reason_for_a_report_decides_nothing(
    transactional_db, live_url, moderator, person, new_context, log_in
):
    report = reports.file_report(by=person("alice"), about=person("bob"), reason="insult")
    page = new_context().new_page()
    log_in(page.context, moderator.username)
    page.goto(f"{live_url}/moderation/")
    reason = page.get_by_label("Reason (kept in the log")
    reason.fill("Be kind")
    reason.press("Enter")
    reason.press_sequentially("to everyone.")
    page.get_by_role("button", name="Mute for a day").click()
    page.get_by_text("It is in the log.").wait_for()
    done = report.acts.get()
    assert (done.what, done.why.split()) == (Act.What.MUTE, ["Be", "kind", "to", "everyone."])
