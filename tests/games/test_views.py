"""Pages as a browser without script gets them."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.models import Move, Table
from games.presentation.table_wording import headline
from games.record import playback, replay
from tests.pages import page_html, shown_cards
from tests.tables import url

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def page(browser, name, table):
    return page_html(browser.get(url(name, table)))


def form_data(**changes):
    return {"company": "bots", "level": "first-steps", "seats": "2", "pace": "none", **changes}


def hidden_cards(table, seat):
    """Cards that lie somewhere the seat cannot look, and that no open event has shown."""
    state = replay.state_of(table)
    view = state.view(seat)
    seen = {card for zone in view.zones for card in zone.cards}
    seen |= {card for event in view.log for card in event.touches}
    return set(state.cards()) - seen


# Opening a table


def test_the_form_offers_every_option_with_its_help(client):
    html = page_html(client.get("/games/casino/"))
    table = Table(game="casino")
    for option in table.rules.options:
        assert f'name="option-{option.name}"' in html


def test_a_guest_plays_a_bot_at_once(client, house_bot):
    house_bot("Ada")
    answer = client.post("/games/casino/", form_data())
    table = Table.objects.get()
    assert answer.url == f"/tables/{table.code}/"
    assert table.status == Table.Status.RUNNING
    guest = table.seats.get(number=0)
    assert guest.user.is_guest
    assert (len(guest.entropy), guest.is_entropy_own) == (32, False)


def test_a_form_that_is_sent_twice_opens_one_table(client, house_bot):
    house_bot("Ada")
    key = re.search(r'name="key" value="(\w{32})"', page_html(client.get("/games/casino/")))[1]
    first = client.post("/games/casino/", form_data(key=key))
    second = client.post("/games/casino/", form_data(key=key))
    assert first.url == second.url
    assert Table.objects.count() == 1


@pytest.mark.parametrize("path", ["/games/casino/", "/play/now/", "/players/bob/challenge/"])
def test_a_form_that_is_sent_twice_at_once_opens_one_table(path, person, as_user, house_bot):
    """The second request comes between the first one's look for its table and the opening of it."""
    house_bot("Ada")
    person("bob")
    alice, data = as_user(person("alice")), form_data(key="0" * 32, game="casino", pace="calm")
    answers = []

    def meanwhile(execute, sql, parameters, many, context):
        found = execute(sql, parameters, many, context)
        if "form_key" in sql and not answers:
            answers.append("on its way")
            answers[0] = alice.post(path, data)
        return found

    with connection.execute_wrapper(meanwhile):
        first = alice.post(path, data)
    [table] = Table.objects.all()
    assert first["Location"] == answers[0]["Location"] == table.get_absolute_url()


def test_a_table_without_enough_bots_is_refused_in_words(client):
    answer = client.post("/games/casino/", form_data())
    assert answer.status_code == 422
    assert "No bot of this level is free for this game." in page_html(answer)
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", ["change-seat", "leave", "open-to-all", "come-back", "claim"])
def test_an_empty_seat_is_not_the_seat_of_somebody_without_an_account(name, person, client):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None, is_private=True)
    answer = client.post(url(name, table))
    assert answer["Location"] == table.get_absolute_url()
    after = Table.objects.get(pk=table.pk)
    assert (after.version, after.status, after.is_private) == (table.version, Table.Status.OPEN, True)
    Table.objects.update(created_by=None)
    client.post(url(name, table))
    assert Table.objects.get(pk=table.pk).is_private


def test_a_form_that_comes_back_after_its_game_opens_another_table(client, house_bot):
    house_bot("Ada")
    data = form_data(key="0" * 32)
    first = client.post("/games/casino/", data).url
    Table.objects.update(status=Table.Status.FINISHED)
    assert client.post("/games/casino/", data).url != first


def test_one_click_in_the_lobby_deals_a_game_and_remembers_the_strength(client, house_bot):
    house_bot("Ada", level="strong")
    html = page_html(client.get("/play/"))
    key = re.search(r'name="key" value="(\w{32})"', html)[1]
    answer = client.post("/play/now/", {"game": "casino", "level": "strong", "key": key})
    table = Table.objects.get()
    assert answer.url == table.get_absolute_url()
    assert table.options == table.rules.read_options({}, 2)
    assert table.seats.get(number=1).level == "strong"
    assert re.search(r'value="strong" checked', page_html(client.get("/play/")))


def test_without_a_free_bot_the_lobby_says_so(client):
    answer = client.post("/play/now/", {"game": "casino", "level": "club"}, follow=True)
    assert "No bot of this level" in page_html(answer)


def test_every_page_leads_back_to_ones_running_game(client, table_of, person, as_user, django_assert_num_queries):
    table = table_of("alice", "bob")
    link = f'class="own-game" href="{table.get_absolute_url()}"'
    assert link in page_html(as_user(person("alice")).get("/games/"))
    assert link not in page_html(as_user(person("carol")).get("/games/"))
    with django_assert_num_queries(0):
        client.get("/games/")


def test_options_that_do_not_fit_are_refused_on_the_form(client):
    answer = client.post("/games/casino/", form_data(**{"option-partners": "on"}))
    assert answer.status_code == 422
    assert not Table.objects.exists()


def test_opening_tables_is_limited_for_guests(client, house_bot):
    for name in "abc":
        house_bot(name)
    codes = [client.post("/games/casino/", form_data()).status_code for _ in range(31)]
    assert codes == [302] * 30 + [429]


def test_the_lobby_shows_open_tables_but_not_private_ones(client, person):
    alice = person("alice")
    shown = services.open_table(game="casino", seats=2, options=None, created_by=alice)
    private = services.open_table(game="casino", seats=2, options=None, created_by=alice, is_private=True)
    html = page_html(client.get("/play/"))
    assert shown.code in html
    assert private.code not in html


def test_somebody_with_the_link_sits_down_and_the_game_begins(person, as_user):
    alice = person("alice")
    table = services.open_and_sit(user=alice, game="casino", seats=2, options=None, is_private=True)
    assert "Sit here" in page(Client(), "table", table)
    Client().post(url("sit", table), {"seat": "1"})
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    assert User.objects.get(seats__number=1).is_guest


@pytest.mark.parametrize("act", ["leave", "change-seat", "open-to-all"])
def test_an_empty_seat_is_not_that_of_a_visitor_without_an_account(person, act):
    alice = person("alice")
    table = services.open_and_sit(user=alice, game="casino", seats=4, options=None, is_private=True)
    Table.objects.update(created_by=None)  # as after a deleted account
    before = Table.objects.values().get()
    assert Client().post(url(act, table), {"seat": "3"}, follow=True).status_code == 200
    assert Table.objects.values().get() == before
    assert list(table.seats.values_list("user", flat=True)) == [alice.pk, None, None, None]


# Moving


def test_a_move_without_script_is_a_form_and_leads_back_to_the_table(table_of, person, as_user):
    table = table_of("alice", "bob")
    browser = as_user(person("alice"))
    html = page(browser, "table", table)
    form = re.search(r'<form class="choice".*?</form>', html, re.S)[0]
    data = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    answer = browser.post(re.search(r'action="([^"]+)"', form)[1], data)
    assert answer.status_code == 302
    assert answer.url == url("table", table)
    assert Move.objects.get().text == data["text"]


def test_the_answer_to_a_move_is_the_new_board(table_of, person, as_user, state_of):
    table = table_of("alice", "bob")
    text = str(state_of(table).legal_moves(0)[0])
    answer = as_user(person("alice")).post(
        url("move", table), {"version": table.version, "text": text}, headers={"HX-Request": "true"}
    )
    html = page_html(answer)
    assert f'data-seq="{table.version + 1}"' in html
    assert "<html" not in html


def test_a_refused_move_says_why_and_links_to_the_rule(table_of, person, as_user, state_of):
    table = table_of("alice", "bob")
    state = state_of(table)
    card = state.view(1).zones[-1].cards[0]
    answer = as_user(person("alice")).post(url("move", table), {"version": table.version, "text": card})
    assert answer.status_code == 422
    assert re.search(r'class="notice refusal".*?href="/rules/casino/#[\w-]+"', page_html(answer), re.S)
    assert not Move.objects.exists()


def test_a_stale_move_says_so_and_shows_the_table_as_it_is(table_of, person, as_user, play_on):
    old = table_of("alice", "bob")
    now = play_on(old, 2)
    answer = as_user(person("alice")).post(url("move", old), {"version": old.version, "text": "AC"})
    assert answer.status_code == 409
    html = page_html(answer)
    assert "changed just before your move" in html
    assert f'data-seq="{now.version}"' in html


def test_a_spectator_cannot_move(table_of, person, as_user, state_of):
    table = table_of("alice", "bob")
    text = str(state_of(table).legal_moves(0)[0])
    answer = as_user(person("carol")).post(url("move", table), {"version": table.version, "text": text})
    assert answer.status_code == 403
    assert not Move.objects.exists()


# Who may see what


@pytest.mark.parametrize(("name", "seat"), [("alice", 0), ("bob", 1), ("carol", None)])
def test_the_table_page_holds_no_card_that_its_reader_may_not_see(table_of, person, as_user, play_on, name, seat):
    table = play_on(table_of("alice", "bob"), 3)
    hidden = hidden_cards(table, seat)
    assert all(zone.count for zone in replay.state_of(table).view(None).zones if zone.kind == "hand")
    for part in ("table", "board"):
        html = page(as_user(person(name)), part, table)
        assert not shown_cards(html) & hidden


@pytest.mark.parametrize("part", ["result", "replay", "deals-json"])
def test_what_is_open_after_the_end_is_closed_before(table_of, part):
    assert Client().get(url(part, table_of("alice", "bob"))).status_code == 404


def test_the_secret_is_published_only_after_the_game(table_of, person):
    table = table_of("alice", "bob", secret=b"secret!!" * 4)
    assert bytes(table.secret).hex() not in page(Client(), "verify", table)
    services.resign(table_id=table.pk, user=person("alice"))
    assert bytes(table.secret).hex() in page(Client(), "verify", table)


# Afterwards


def test_who_played_is_spoken_to_at_the_end_and_the_result_page_names_everybody(table_of, person, as_user):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    ends = {"alice": "bob wins. You resigned.", "bob": "You win. alice resigned.", "carol": "bob wins. alice resigned."}
    for name, said in ends.items():
        browser = as_user(person(name))
        html = page(browser, "table", table)
        assert said in html.partition('data-call="')[2].partition('"')[0]
        assert said.partition(".")[0] in html.partition('class="ended"')[2]
        assert "bob wins" in page(browser, "result", table)


def test_partners_win_as_a_side(table_of, person):
    table = table_of("alice", "bob", "carol", "dan", game="partnership-cribbage")
    table.result = {"scores": [121, 90, 121, 90], "places": [1, 2, 1, 2], "reason": "@0 and @2 reached 121."}
    assert headline(table, 2) == "Your side wins"
    assert headline(table, 1) == "alice and carol win"


@pytest.mark.parametrize(
    ("game", "scores", "places", "said"),
    [
        ("casino", [18, 26], [2, 1], "bob wins, 26 to 18"),
        ("carousel", [100, 20], [2, 1], "bob wins, 20 to 100"),  # penalties
        ("push", [500, 300, 500, 300], [1, 2, 1, 2], "alice and carol win, 500 to 300"),
        ("vatican", [0, 1, 0], [2, 1, 2], "bob wins"),
        ("vatican", [0, 1], [2, 1], "bob wins"),  # it has no points
    ],
)
def test_the_score_of_two_sides_is_told_with_the_winners_first(table_of, game, scores, places, said):
    table = table_of(*["alice", "bob", "carol", "dan"][: len(scores)], game=game)
    table.ended_by, table.result = table.EndedBy.RULES, {"scores": scores, "places": places, "reason": ""}
    assert headline(table) == said


def test_the_result_page_explains_every_point(table_of, play_on, state_of):
    table = play_on(table_of("alice", "bob", options={"target": 11}))
    html = page(Client(), "result", table)
    for result in state_of(table).results:
        for line in result.lines:
            assert f'href="/rules/casino/#{line.rule.partition(":")[2]}"' in html
    assert headline(table) in html


def test_the_replay_opens_all_hands_and_steps_through_the_moves(table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 5)
    services.resign(table_id=table.pk, user=person("alice"))
    html = page(Client(), "replay", table)
    assert ">0</span> of 5" in html
    state = replay.state_of(Table.objects.with_seats().get(), 0)
    hands = {card for seat in (0, 1) for zone in state.view(seat).zones if zone.kind == "hand" for card in zone.cards}
    assert len(hands) == 8
    assert hands <= shown_cards(html)
    assert ">5</span> of 5" in page_html(Client().get(url("replay", table) + "?at=99"))


@pytest.mark.parametrize("game", ["casino", "gin-rummy", "vatican"])
def test_every_move_of_a_game_has_an_event(game, table_of, play_on, person):
    table = play_on(table_of("alice", "bob", game=game), 150)
    if not table.is_over:
        services.resign(table_id=table.pk, user=person("alice"))
    events = playback.playback_of(Table.objects.with_seats().get()).events
    assert [event.seat for event in events] == list(table.moves.values_list("seat", flat=True))
    assert all(event.phrase.verb for event in events)


# People


def test_a_guest_keeps_his_games_when_he_signs_up(client, house_bot):
    house_bot("Ada")
    client.post("/games/casino/", form_data())
    guest = User.objects.get(is_guest=True)
    client.post("/accounts/sign-up/", {"username": "alice", "password": "a long enough one"})
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("alice", False)
    assert "Casino" in page_html(client.get("/play/mine/"))
    assert Table.objects.of(guest).count() == 1


def test_a_guest_who_logs_in_brings_his_games_along(client, house_bot):
    house_bot("Ada")
    alice = User.objects.create_user("alice", password="a long enough one")
    client.post("/games/casino/", form_data())
    client.post("/accounts/login/", {"username": "alice", "password": "a long enough one"})
    table = Table.objects.get()
    assert table.seats.get(number=0).user == alice
    assert table.created_by == alice


# Staff


def test_the_admin_hides_secrets_and_the_moves_of_running_games(admin_client, table_of, play_on, person):
    table = play_on(table_of("alice", "bob", secret=b"secret!!" * 4), 3)
    address = reverse("admin:games_table_change", args=[table.pk])
    html = page_html(admin_client.get(address))
    texts = list(table.moves.values_list("text", flat=True))
    assert bytes(table.secret).hex() not in html
    assert "secret!!" not in html
    assert not any(f">{text}<" in html for text in texts)
    services.resign(table_id=table.pk, user=person("alice"))
    Table.objects.update(is_hidden=True)  # the same cards are still in play elsewhere
    html = page_html(admin_client.get(address))
    assert not any(f">{text}<" in html for text in texts)
    Table.objects.update(is_hidden=False)
    html = page_html(admin_client.get(address))
    assert all(text in html for text in texts)
    assert "secret!!" not in html


def test_nobody_changes_a_record_in_the_admin(admin_client, table_of):
    table = table_of("alice", "bob")
    address = reverse("admin:games_table_change", args=[table.pk])
    assert admin_client.post(address, {"status": "finished"}).status_code == 403
    assert admin_client.get(reverse("admin:games_table_changelist")).status_code == 200


def test_nobody_is_to_move_once_the_game_is_over(table_of, person, as_user):
    table = table_of("alice", "bob")
    assert "plate is-turn" in page_html(as_user(person("alice")).get(table.get_absolute_url()))
    services.resign(table_id=table.pk, user=person("bob"))
    assert "plate is-turn" not in page_html(as_user(person("alice")).get(table.get_absolute_url()))


def test_a_guest_keeps_a_finished_game_by_signing_up_and_is_back_at_its_result(table_of, play_on, person, as_user):
    User.objects.filter(pk=person("Guest 1").pk).update(is_guest=True)
    table = play_on(table_of("Guest 1", "bob"), 4)
    services.resign(table_id=table.pk, user=person("Guest 1"))
    guest = as_user(person("Guest 1"))
    invitation = f'<a href="/accounts/sign-up/?next={url("result", table)}">Sign up</a> to keep your games.'
    for name in ("table", "result"):
        assert invitation in page(guest, name, table)
        for reader in (as_user(person("bob")), Client()):
            assert invitation not in page(reader, name, table)
    form = {"username": "ann", "password": "a long enough one", "next": url("result", table)}
    assert guest.post("/accounts/sign-up/", form).url == url("result", table)
    html = page(guest, "result", table)
    assert "Your account is ready, ann." in html
    assert invitation not in html


@pytest.mark.parametrize("cards", [2, 1])
def test_a_hand_of_one_card_is_not_sorted(cards, table_of, play_on, person, as_user):
    table = table_of("alice", "bob", game="casino")
    while len(replay.state_of(table).hands[0]) > cards:
        table = play_on(table, 1)
    button = re.search(r"<button[^>]*data-sort[^>]*>", page(as_user(person("alice")), "table", table))[0]
    assert (" disabled" in button) is (cards == 1)
