"""Watching: which games are listed, and deals that are opened to spectators once they are over."""

import re
import time
from itertools import chain
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games import engines, services
from games.core.deals import random_decks
from games.live import presence
from games.models import Rating, Table
from games.presentation.table_wording import table_terms
from games.queries.watchable import worth_watching
from games.record import playback, replay
from tests.pages import page_html, shown_cards
from tests.tables import url

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def text_of(browser, address):
    return page_html(browser.get(address, follow=True))


# The list


def test_games_that_are_private_hidden_over_or_without_people_are_not_listed(table_of, person, house_bot):
    public = table_of("alice", "bob")
    secrets = iter(range(1, 9))
    more = [table_of("carol", "dan", secret=bytes([next(secrets)] * 32)) for _ in range(4)]
    Table.objects.filter(pk=more[0].pk).update(is_private=True)
    Table.objects.filter(pk=more[1].pk).update(is_hidden=True)
    services.resign(table_id=more[2].pk, user=person("carol"))
    more[3].seats.update(has_left=True)
    assert [watched.table for watched in worth_watching()] == [public]


def test_the_strongest_players_come_first(table_of, person):
    weak = table_of("alice", "bob")
    strong = table_of("carol", "dan", secret=bytes([1] * 32))
    Rating.objects.create(user=person("carol"), game="casino", mu=40, sigma=1)
    Rating.objects.create(user=person("alice"), game="vatican", mu=90, sigma=1)
    assert [watched.table for watched in worth_watching()] == [strong, weak]
    html = text_of(Client(), reverse("games:watch"))
    assert html.index(strong.code) < html.index(weak.code)
    assert str(Rating.objects.get(game="casino")) in html


def test_the_list_costs_the_same_for_many_games(table_of, django_assert_max_num_queries):
    for number in range(4):
        table_of("alice", "bob", secret=bytes([number] * 32))
    with django_assert_max_num_queries(4):
        assert len(Client().get(reverse("games:watch")).context["groups"][1][1]) == 4


def test_the_list_says_how_many_watch(table_of):
    table = table_of("alice", "bob")
    html = text_of(Client(), url("table", table))
    sender = re.search(r'data-here="/here/([\w-]+)\.', html)[1]
    presence.store_heartbeats({sender: time.time() + 9}, time.time())
    assert "1 watches" in text_of(Client(), reverse("games:watch"))
    assert [watched.watchers for watched in worth_watching()] == [1]


def test_the_play_page_lists_three_games_of_others(table_of, as_user):
    own, *others = [
        table_of(*names, secret=bytes([number] * 32))
        for number, names in enumerate(
            [("alice", "bob"), ("carol", "dan"), ("erin", "frank"), ("grace", "heidi"), ("ivan", "judy")]
        )
    ]
    listed = as_user(own.seats.get(number=0).user).get(reverse("games:lobby")).context["live_games"]
    assert [game.table for game in listed] == others[::-1][:3]
    assert "Live games" in text_of(Client(), reverse("games:lobby"))


def watch(browser, table):
    """One more tab with the page of the table, which gives its sign of life."""
    sender = re.search(r'data-here="/here/([\w-]+)\.', text_of(browser, url("table", table)))[1]
    presence.store_heartbeats({sender: time.time() + 9}, time.time())


def test_watchers_are_visitors_and_not_tabs_nor_players(table_of, person, as_user):
    table = table_of("alice", "bob")
    carol = as_user(person("carol"))
    anonymous = [Client(REMOTE_ADDR=address) for address in ("10.0.0.1", "10.0.0.1", "2001:db8::1", "2001:db8::2")]
    for browser in (carol, carol, as_user(person("carol")), *anonymous, as_user(person("alice"))):
        watch(browser, table)
    [watched] = worth_watching()
    assert watched.watchers == 3  # carol, and one for each of the two anonymous addresses


def test_who_has_sat_down_is_no_watcher_with_an_older_tab_either(table_of, person, as_user):
    table = table_of("alice", "bob")
    watch(as_user(person("carol")), table)
    table.seats.filter(number=1).update(user=person("carol"))
    assert [watched.watchers for watched in worth_watching()] == [0]


# Deals that are opened


@pytest.fixture
def open_table(table_of, play_on):
    """Casino of two deals or more; the second deal is being played, and spectators see the first."""
    table = play_on(table_of("alice", "bob", opens_deals=True), 48)
    return Table.objects.with_seats().get(pk=play_on(table, 5).pk)


def test_spectators_see_all_hands_of_a_deal_that_is_over_and_nothing_of_the_next(open_table):
    state = replay.state_of(open_table)
    assert len(state.results) == 1
    client = Client()
    assert url("replay", open_table) in text_of(client, url("table", open_table))
    first = replay.state_of(open_table, 0)
    hands = {card for seat in (0, 1) for zone in first.view(seat).zones if zone.kind == "hand" for card in zone.cards}
    assert hands <= shown_cards(text_of(client, url("replay", open_table)))
    last = playback.playback_of(open_table).last_open
    assert last == playback.playback_of(open_table).deals[0].end - 1
    page = client.get(f"{url('replay', open_table)}?at=999")
    assert f">{last}</span> of {last}" in page_html(page)
    assert len(page.context["moves"]) == last
    assert [deal.number for deal in page.context["deals"]] == [1]


@pytest.mark.parametrize("at", ["48", "50", "53", "99999"])
def test_no_address_opens_a_move_of_the_running_deal(open_table, at):
    for browser in (Client(), Client(headers={"HX-Request": "true"})):
        for side in ("", "&seat=0&hands=own", "&seat=1&hands=own"):
            answer = browser.get(f"{url('replay', open_table)}?at={at}{side}")
            assert answer.context["look"].at <= playback.playback_of(open_table).last_open
    for part in ("result", "deals-json"):
        assert Client().get(url(part, open_table)).status_code == 404
    assert bytes(open_table.secret).hex() not in text_of(Client(), url("verify", open_table))


def test_before_the_first_deal_is_over_nothing_is_open(table_of, play_on):
    table = play_on(table_of("alice", "bob", opens_deals=True), 3)
    html = text_of(Client(), url("replay", table))
    assert "The first hand isn&#x27;t over." in html and "all its cards here when it is" in html


def test_nothing_is_opened_where_nobody_agreed_to_it(table_of, play_on):
    table = play_on(table_of("alice", "bob"), 53)
    assert Client().get(url("replay", table)).status_code == 404
    assert url("replay", table) not in text_of(Client(), url("table", table))


def test_a_hidden_table_opens_no_deal_while_others_play_it(open_table):
    Table.objects.update(is_hidden=True)
    assert Client().get(url("replay", open_table)).status_code == 403


def test_deals_are_opened_when_all_agree_and_not_before(table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 2)
    services.ask_question(table_id=table.pk, user=person("alice"), kind="open")
    table.refresh_from_db()
    assert not table.opens_deals
    services.ask_question(table_id=table.pk, user=person("bob"), kind="open")
    table.refresh_from_db()
    assert table.opens_deals
    assert ("Spectators", "see all cards of each hand once it is over") in table_terms(table)


def test_who_sits_down_at_such_a_table_is_told_before(person, client):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None, opens_deals=True)
    assert "Spectators see all cards of each hand once it is over." in text_of(client, table.get_absolute_url())


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_a_new_deal_holds_no_card_that_was_hidden_in_the_last_one(game):
    """Two games with the same first deck and different ones after that differ as soon as the first deal is over."""
    seats, rng = game.seats[0], Random(5)
    options = game.read_options({}, seats)
    first = next(random_decks(game.deck(options), Random(1)))
    games = [
        game.start(chain([first], random_decks(game.deck(options), Random(seed))), seats=seats, options=options)
        for seed in (2, 3)
    ]
    state = games[0]
    while not state.results and state.outcome() is None:
        seat = state.to_act[0]
        move = rng.choice(list(state.legal_moves(seat)))
        for one in games:
            one.play(seat, move)
    if state.outcome() is None:
        hands = [[one.view(seat).zones for seat in range(seats)] for one in games]
        assert hands[0] != hands[1]
