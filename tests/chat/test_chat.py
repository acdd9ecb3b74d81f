"""Who may say what at a table, and who reads it."""

import re
from html import unescape

import pytest
from django.test import Client

from accounts import blocking
from accounts.services import close_account, export_account_data, join_account, make_guest
from chat import services
from chat.models import Line
from chat.phrases import DO_REACT, PHRASES, REACTIONS
from games import services as games
from games.models import Table
from tests.pages import page_html

pytestmark = pytest.mark.django_db

PARTNERS = {"options": {"partners": True}}
FOUR = ("alice", "bob", "carol", "dave")


def page(browser, table):
    return page_html(browser.get(table.get_absolute_url()))


def post(browser, table, **data):
    return browser.post(f"/tables/{table.code}/chat/", data, headers={"HX-Request": "true"})


def fetch(browser, table, **data):
    return browser.get(f"/tables/{table.code}/chat/", data, headers={"HX-Request": "true"})


def state_of_page(browser, table):
    """What the page says of what it offers."""
    return unescape(re.search(r'name="state" value="([^"]*)"', page(browser, table))[1])


# Between players


def test_what_one_says_the_other_reads(table_of, say, heard):
    table = table_of("alice", "bob")
    say("alice", table, "  a fine\tevening\u202e ")
    assert heard("bob", table) == ["a fine evening"]


def test_a_line_is_text_and_nothing_else(table_of, say, as_user, person):
    table = table_of("alice", "bob")
    say("alice", table, "<script>alert(1)</script> https://cards.example")
    html = page(as_user(person("bob")), table)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; https://cards.example" in html
    assert "<script>alert" not in html
    assert 'href="https://cards.example' not in html


@pytest.mark.parametrize("text", ["", " \n ", "x" * 201])
def test_nothing_and_too_much_are_not_said(table_of, say, text):
    with pytest.raises(services.ChatError):
        say("alice", table_of("alice", "bob"), text)
    assert not Line.objects.exists()


def test_phrases_are_those_of_the_moment(table_of, say, heard):
    table = table_of("alice", "bob")
    say("alice", table, "hello", "phrase")
    with pytest.raises(services.ChatError):
        say("alice", table, "good-game", "phrase")
    games.stop_table(table_id=table.pk)
    say("alice", table, "good-game", "phrase")
    assert heard("bob", table) == [PHRASES["hello"][0], PHRASES["good-game"][0]]


def test_a_page_fetches_only_the_lines_that_it_does_not_have(table_of, say, as_user, person):
    table = table_of("alice", "bob")
    first, second = say("alice", table, "one"), say("alice", table, "two")
    browser = as_user(person("bob"))
    html = page_html(fetch(browser, table, after=first.pk, state=state_of_page(browser, table)))
    assert re.findall(r'data-line="(\d+)"', html) == [str(second.pk)]
    assert f'value="{second.pk}" hx-swap-oob' in html


def test_when_something_else_may_be_said_the_page_gets_the_form_and_all_lines_again(table_of, say, as_user, person):
    table = table_of("alice", "bob")
    advice, line = say("carol", table, "bob sleeps"), say("alice", table, "your move")
    browser = as_user(person("bob"))
    state = state_of_page(browser, table)
    answer = fetch(browser, table, after=line.pk, state=state)
    assert 'id="chat-compose"' not in page_html(answer)
    assert "HX-Reswap" not in answer
    games.stop_table(table_id=table.pk)
    answer = fetch(browser, table, after=line.pk, state=state)
    html = page_html(answer)
    assert 'id="chat-compose"' in html
    assert re.findall(r'data-line="(\d+)"', html) == [str(advice.pk), str(line.pk)]
    assert answer["HX-Reswap"] == "innerHTML"


def test_a_refusal_says_why_and_keeps_the_words(table_of, as_user, person):
    table = table_of("alice", "bob")
    browser = as_user(person("alice"))
    answers = [post(browser, table, text=f"line {number}") for number in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [422]
    assert re.search(r"Please wait \d+ seconds?\.", page_html(answers[-1]))
    assert 'value="line 5"' in page_html(answers[-1])
    assert Line.objects.count() == 5


def test_without_script_the_chat_is_a_form(table_of, as_user, person):
    table = table_of("alice", "bob")
    answer = as_user(person("alice")).post(f"/tables/{table.code}/chat/", {"text": "good evening"})
    assert answer.url == f"{table.get_absolute_url()}#chat"
    assert "good evening" in page(as_user(person("bob")), table)


def test_a_board_asks_the_database_nothing_about_the_chat(
    table_of, say, as_user, person, django_assert_max_num_queries
):
    table = table_of("alice", "bob")
    say("bob", table, "good luck")
    browser = as_user(person("alice"))
    with django_assert_max_num_queries(5):
        html = page_html(browser.get(f"/tables/{table.code}/board/", headers={"HX-Request": "true"}))
    assert "good luck" not in html


# Partners


def test_with_partners_nobody_says_anything_while_the_game_runs(table_of, say, heard):
    table = table_of(*FOUR, **PARTNERS)
    attempts = [
        ("free", "lead a heart"),
        *(("phrase", key) for key in PHRASES),
        *(("reaction", key) for key in REACTIONS),
    ]
    for name in FOUR:
        for kind, text in attempts:
            with pytest.raises(services.ChatError, match="Chat is off"):
                say(name, table, text, kind)
    assert all(heard(name, table) == [] for name in FOUR)


def test_the_page_of_a_partner_offers_no_way_to_say_something(table_of, as_user, person):
    table = table_of(*FOUR, **PARTNERS)
    html = page(as_user(person("alice")), table)
    assert "Chat is off until the game is over" in html
    assert f'action="/tables/{table.code}/chat/"' not in html


def test_partners_chat_before_the_first_card_and_after_the_last(person, table_of, say, heard):
    table = games.open_table(game="casino", seats=4, created_by=None, **PARTNERS)
    games.sit_down(table_id=table.pk, user=person("alice"))
    say("alice", table, "who is my partner")
    for name in FOUR[1:]:
        games.sit_down(table_id=table.pk, user=person(name))
    games.stop_table(table_id=table.pk)
    say("carol", table, "it was me")
    assert heard("bob", table) == ["who is my partner", "it was me"]


def test_each_for_themselves_may_chat_while_the_game_runs(table_of, say, heard):
    table = table_of(*FOUR)
    say("alice", table, "a close game")
    assert heard("carol", table) == ["a close game"]


# Reactions


def finish_a_deal(play_on, state_of, table):
    while not state_of(table).results and table.status == Table.Status.RUNNING:
        table = play_on(table, 8)
    return table


def test_a_reaction_is_to_a_finished_deal_and_one_to_each(table_of, say, heard, play_on, state_of):
    table = table_of("alice", "bob")
    with pytest.raises(services.ChatError):
        say("alice", table, "applaud", "reaction")
    table = finish_a_deal(play_on, state_of, table)
    say("alice", table, "applaud", "reaction")
    with pytest.raises(services.ChatError):
        say("alice", table, "smile", "reaction")
    say("bob", table, "hat", "reaction")
    assert heard("bob", table) == ["applauds", "tips the hat"]
    assert set(DO_REACT) == set(REACTIONS)


# Those who watch


def test_who_plays_reads_nothing_of_those_who_watch_until_the_game_is_over(table_of, say, heard, as_user, person):
    table = table_of("alice", "bob")
    say("carol", table, "alice should take the ten")
    assert heard("dave", table) == ["alice should take the ten"]
    browser = as_user(person("alice"))
    fetched = page_html(fetch(browser, table))
    assert "take the ten" not in page(browser, table) + fetched
    games.stop_table(table_id=table.pk)
    assert heard("alice", table) == ["alice should take the ten"]


def test_who_has_left_a_game_that_goes_on_still_reads_nothing_of_those_who_watch(table_of, say, heard, person):
    table = table_of("alice", "bob", "carol")
    games.leave_table(table_id=table.pk, user=person("alice"))
    say("dave", table, "bob has all the aces")
    assert heard("alice", table) == []


@pytest.mark.django_db(transaction=True)
def test_what_those_who_watch_say_is_announced_to_them_alone_until_the_game_is_over(table_of, say, announced):
    table = table_of("alice", "bob")
    of_all, of_watchers = f"chat:{table.code}", f"watchers:{table.code}"
    announced()
    say("carol", table, "alice should take the ten")
    assert announced() == {of_watchers}
    say("alice", table, "your move")
    assert announced() == {of_all}
    games.stop_table(table_id=table.pk)
    announced()
    say("carol", table, "alice should have taken the ten")
    assert announced() == {of_all, of_watchers}


def test_who_watches_has_no_phrases_for_the_table(table_of, say):
    table = table_of("alice", "bob")
    with pytest.raises(services.ChatError):
        say("carol", table, "hello", "phrase")


# Guests, and who is not logged in


def test_a_guest_chats_in_phrases_at_their_table_and_not_where_they_watch(table_of, person):
    guest = make_guest()
    table = games.open_and_sit(user=guest, game="casino", seats=2, options=None)
    with pytest.raises(services.ChatError, match="Sign up to write"):
        services.post_line(table_id=table.pk, user=guest, kind="free", text="hi")
    services.post_line(table_id=table.pk, user=guest, kind="phrase", text="hello")
    with pytest.raises(services.ChatError, match="Sign up to write"):
        services.post_line(table_id=table_of("alice", "bob").pk, user=guest, kind="free", text="hi")


def test_a_stranger_reads_and_is_asked_to_log_in(table_of, say):
    table = table_of("alice", "bob")
    say("alice", table, "hello bob")
    assert "hello bob" in page(Client(), table)
    assert post(Client(), table, text="me too").status_code == 422
    assert Line.objects.count() == 1


# What a table allows


def test_a_table_without_chat_has_none(table_of, say, as_user, person):
    table = table_of("alice", "bob", chat=Table.Chat.NONE)
    with pytest.raises(services.ChatError):
        say("alice", table, "hello", "phrase")
    assert 'id="chat"' not in page(as_user(person("alice")), table)


def test_a_match_has_phrases_only(person, say):
    players = [person("alice"), person("bob")]
    table = games.seat_and_start(game="casino", players=players, options=None, first_dealer=0)
    say("alice", table, "hello", "phrase")
    with pytest.raises(services.ChatError, match="only use these phrases"):
        say("alice", table, "hi")
    with pytest.raises(services.ChatError, match="Only the players"):
        say("carol", table, "hi")


def test_whoever_opens_a_table_chooses_what_may_be_said(as_user, person):
    data = {"company": "link", "level": "club", "seats": "2", "pace": "none", "chat": "phrases"}
    browser = as_user(person("alice"))
    browser.post("/games/casino/", data)
    browser.post("/games/casino/", {**data, "chat": ""})
    assert [*Table.objects.order_by("pk").values_list("chat", flat=True)] == [Table.Chat.PHRASES, Table.Chat.FREE]


def test_a_rematch_has_the_chat_of_the_game_before(table_of, person):
    table = table_of("alice", "bob", chat=Table.Chat.NONE)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED)
    assert games.join_rematch(table_id=table.pk, user=person("alice")).chat == Table.Chat.NONE


def test_who_plays_with_bots_alone_has_no_chat(house_bot_table, as_user, person):
    assert 'id="chat"' not in page(as_user(person("alice")), house_bot_table)


@pytest.fixture
def house_bot_table(person):
    from accounts.models import User
    from games.models import HouseBot

    bot = User.objects.create(username="bot-casino-pip", first_name="Pip", is_bot=True)
    HouseBot.objects.create(user=bot, game="casino", level="club")
    return games.open_and_sit(user=person("alice"), bot_level="club", game="casino", seats=2, options=None)


def test_at_a_hidden_table_only_its_players_chat_and_read(table_of, say, as_user, person):
    table = table_of("alice", "bob", is_hidden=True)
    say("alice", table, "good luck")
    stranger = as_user(person("carol"))
    assert post(stranger, table, text="hi").status_code == 403
    assert fetch(stranger, table).status_code == 403
    assert stranger.post(f"/tables/{table.code}/chat/switch/", {"on": "yes"}).status_code == 403
    assert "good luck" in page(as_user(person("bob")), table)


def test_one_switches_the_chat_of_a_table_off_for_oneself(table_of, say, as_user, person):
    table, other = table_of("alice", "bob"), table_of("alice", "bob", secret=b"1" * 32)
    browser = as_user(person("bob"))
    browser.post(f"/tables/{table.code}/chat/switch/", {"on": "no"})
    for place in (table, other):
        say("alice", place, "anybody there")
    assert "anybody there" not in page(browser, table)
    assert fetch(browser, table).status_code == 204
    assert "anybody there" in page(browser, other)
    assert "anybody there" in page(as_user(person("alice")), table)
    browser.post(f"/tables/{table.code}/chat/switch/", {"on": "yes"})
    assert "anybody there" in page(browser, table)


# Blocks, data, closed accounts


def test_who_is_blocked_and_who_blocks_read_nothing_of_each_other(table_of, say, heard, person):
    table = table_of("alice", "bob", "carol")
    for name in ("alice", "bob", "carol"):
        say(name, table, f"I am {name}")
    blocking.block_user(blocker=person("alice"), blocked=person("bob"))
    assert heard("alice", table) == ["I am alice", "I am carol"]
    assert heard("bob", table) == ["I am bob", "I am carol"]
    assert heard("carol", table) == ["I am alice", "I am bob", "I am carol"]


def test_the_account_takes_what_the_guest_has_said(person):
    guest = make_guest()
    table = games.open_and_sit(user=guest, game="casino", seats=2, options=None)
    services.post_line(table_id=table.pk, user=guest, kind="phrase", text="hello")
    join_account(guest=guest, user=person("alice"))
    assert [line["said"] for line in export_account_data(person("alice"))["chat"]] == [PHRASES["hello"][0]]


def test_a_closed_account_has_said_nothing(table_of, say, heard, person):
    table = table_of("alice", "bob")
    say("alice", table, "hello bob")
    close_account(user=person("alice"))
    assert heard("bob", table) == []
