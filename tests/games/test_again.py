"""The cards of a finished game once more: "what if", and the same deal for others."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from games.models import HouseBot, Move, Seat, Table
from games.queries import shared_deals
from games.queries.advice import may_be_advised
from games.record import playback, replay
from games.services import TableError
from tests.pages import page_html
from tests.tables import fresh, url

pytestmark = pytest.mark.django_db


def text_of(browser, address):
    return page_html(browser.get(address))


@pytest.fixture
def bots(house_bot):
    for name in "xyz":
        house_bot(name)
        house_bot(name, game="vatican")


@pytest.fixture
def given_up(table_of, play_on, person, bots):
    """Casino, given up after nine moves."""
    table = play_on(table_of("alice", "bob"), 9)
    services.resign(table_id=table.pk, user=person("alice"))
    return fresh(table)


def branch(table, user, at, seat=0):
    return fresh(services.branch_off(table=table, at=at, user=user, seat=seat, level="first-steps"))


# What if


@pytest.mark.parametrize("at", [0, 4, 9])
def test_what_if_goes_on_from_the_very_position(given_up, person, at):
    table = branch(given_up, person("carol"), at, seat=1)
    assert table.status == Table.Status.RUNNING
    assert replay.state_of(table).dump() == replay.state_of(given_up, at).dump()
    assert [seat.user.is_bot for seat in table.seats.all()] == [True, False]
    assert (table.is_rated, table.is_private, table.branch_of, table.branch_at) == (False, True, given_up, at)


def test_what_if_is_played_on_and_looked_at_from_the_first_move(given_up, person, play_on):
    table = fresh(play_on(branch(given_up, person("carol"), 4), 3))
    assert table.move_count == 7
    assert list(table.moves.values_list("number", flat=True)) == list(range(1, 8))
    replay._newest.clear()
    looked = playback.playback_of(table)
    assert looked.state_at(7).dump() == replay.state_of(table).dump()
    assert looked.events[:4] == playback.playback_of(given_up).events[:4]
    assert {seat.moves_before for seat in table.seats.all()} == {4}


def test_what_if_keeps_what_was_taken_back(table_of, play_on, person, bots):
    table = play_on(table_of("alice", "bob"), 2)
    Move.objects.create(table=table, number=3, seat=1, takes_back_to=1, played_at=table.started_at)
    Table.objects.update(move_count=3)
    services.resign(table_id=table.pk, user=person("alice"))
    again = branch(fresh(table), person("carol"), 3)
    assert replay.state_of(again).dump() == replay.state_of(fresh(table), 1).dump()


def test_what_if_of_what_if(given_up, person):
    once = branch(given_up, person("carol"), 4)
    services.resign(table_id=once.pk, user=person("carol"))
    twice = branch(fresh(once), person("dan"), 2)
    assert replay.state_of(twice).dump() == replay.state_of(given_up, 2).dump()


def test_nothing_goes_on_where_the_game_is_over_or_still_lasts(table_of, play_on, person, bots):
    running = table_of("alice", "bob")
    with pytest.raises(TableError, match="once the game is over"):
        branch(running, person("carol"), 0)
    over = fresh(play_on(table_of("dan", "eve", secret=bytes(31) + b"1", options={"target": 11})))
    with pytest.raises(TableError, match="Go back a move"):
        branch(over, person("carol"), over.move_count)
    with pytest.raises(TableError):
        branch(over, person("carol"), 0, seat=2)
    assert branch(over, person("carol"), over.move_count - 1).status == Table.Status.RUNNING


def test_the_page_opens_what_if_for_a_guest_and_says_where_it_comes_from(given_up, client):
    form = {"at": 4, "seat": 1, "level": "first-steps"}
    assert "What if" in text_of(client, f"{url('replay', given_up)}?at=4")
    answer = client.post(url("what-if", given_up), form, follow=True)
    html = page_html(answer)
    table = Table.objects.get(branch_of=given_up)
    assert answer.redirect_chain[-1][0] == table.get_absolute_url()
    assert "move 4 of another game" in html
    assert client.get(url("source", table)).url == f"{url('replay', given_up)}?at=4"


def test_a_level_without_bots_is_refused_and_leaves_no_table(given_up, client):
    form = {"at": 4, "seat": 1, "level": "strong"}
    assert "No bot of this level" in page_html(client.post(url("what-if", given_up), form, follow=True))
    assert not Table.objects.filter(branch_at=4).exists()


def test_what_if_is_no_game_where_games_are_counted(given_up, person):
    table = branch(given_up, person("alice"), 4)
    services.resign(table_id=table.pk, user=person("alice"))
    assert Table.objects.games().of(person("alice")).get() == given_up
    assert table not in Table.objects.own_deals()


def test_the_board_of_what_if_costs_no_more_questions(given_up, person, as_user, django_assert_max_num_queries):
    table = branch(given_up, person("carol"), 4)
    browser = as_user(person("carol"))
    replay._newest.clear()
    with django_assert_max_num_queries(6):
        browser.get(url("board", table), headers={"HX-Request": "true"})


# The same deal


@pytest.fixture
def offered(table_of, play_on, person, bots):
    """One deal of Casino, played and offered to others."""
    table = play_on(table_of("alice", "bob", deals=1, secret=bytes(31) + b"7"))
    services.offer_deal(table_id=table.pk, user=person("alice"))
    return fresh(table)


def play_again(first, user, seat=0):
    return services.play_same_deal(table_id=first.pk, user=user, seat=seat, level="first-steps")


def test_the_same_deal_is_the_very_same(offered, person):
    again = fresh(play_again(offered, person("carol"), seat=1))
    assert replay.first_state(again).dump() == replay.first_state(offered).dump()
    assert (again.first_dealer, again.options) == (offered.first_dealer, offered.options)
    assert again.seats.all()[1].user == person("carol")
    assert again.commitment == offered.commitment
    assert not may_be_advised(again, again.seats.all()[1])


def test_each_person_plays_a_deal_once(offered, person):
    assert play_again(offered, person("carol")) == play_again(offered, person("carol"), seat=1)
    for knows in ("alice", "bob"):
        with pytest.raises(TableError, match="You have already seen these cards"):
            play_again(offered, person(knows))


def test_whoever_has_seen_the_cards_cannot_play_them(offered, person, as_user):
    as_user(person("carol")).post(url("show-deal", offered))
    with pytest.raises(TableError, match="You have already seen these cards"):
        play_again(offered, person("carol"))


CLOSED = ["table", "board", "replay", "result", "verify", "deals-json"]


def test_the_cards_are_closed_to_those_who_have_not_played_them(offered, as_user, person):
    for part in CLOSED:
        for browser in (Client(), as_user(person("carol"))):
            assert browser.get(url(part, offered)).url == url("deal", offered)
        assert as_user(person("alice")).get(url(part, offered)).status_code == 200


def test_the_cards_open_when_one_has_played_them_and_not_before(offered, person, as_user, play_on):
    browser = as_user(person("carol"))
    again = play_again(offered, person("carol"))
    browser.post(url("show-deal", offered))
    for part in CLOSED:
        assert browser.get(url(part, offered)).status_code == 302
    assert browser.get(url("table", again)).status_code == 200
    assert Client().get(url("table", again)).url == url("deal", offered)
    play_on(again)
    for part in CLOSED:
        assert browser.get(url(part, offered)).status_code == 200


def test_who_wants_to_see_the_cards_sees_them_without_an_account(offered, client):
    client.post(url("show-deal", offered))
    assert client.get(url("replay", offered)).status_code == 200


def test_the_page_compares_by_seat_and_marks_ones_own(offered, person, as_user, play_on):
    again = play_on(play_again(offered, person("carol"), seat=1))
    sheets = shared_deals.seat_sheets(offered)
    assert [one.seat.name for one in sheets[0].tries] == ["alice"]
    assert {one.seat.name for one in sheets[1].tries} == {"bob", "carol"}
    scores = [table.result["scores"][1] for table in (offered, fresh(again))]
    assert sheets[1].median == sum(scores) / 2
    html = text_of(as_user(person("carol")), url("deal", offered))
    assert re.search(r'class="is-me".*?carol', html)
    assert f"{url('replay', again)}?seat=1" in html
    assert "replay" not in text_of(Client(), url("deal", offered))


def test_without_points_the_page_says_who_won_and_what_was_drawn(table_of, play_on, person):
    table = play_on(table_of("alice", "bob", deals=1))
    told = []
    for places in ([1, 2], [1, 1]):
        table = fresh(table)
        table.result |= {"places": places}
        table.save()
        told += [one.result for sheet in shared_deals.seat_sheets(table) for one in sheet.tries]
    assert told == ["won", "did not win", "drew", "drew"]


def test_the_page_names_all_players_and_counts_the_bots_among_the_opponents(table_of, play_on, as_user, person, bots):
    table = play_on(table_of("alice", "bob", "carol", deals=1))
    services.offer_deal(table_id=table.pk, user=person("alice"))
    bot = HouseBot.objects.filter(game="casino").first()
    Seat.objects.filter(table=table, number=2).update(user=bot.user)
    play_on(play_again(table, person("dave")))
    told = [[one.against for one in sheet.tries] for sheet in shared_deals.seat_sheets(fresh(table))]
    assert "bob, First steps bot" in told[0] and "First steps bots" in told[0]
    html = text_of(as_user(person("dave")), url("deal", table))
    assert f"with the cards that alice, bob and {fresh(table).names[2]} had" in html
    assert "2 players played them to the end" in html and "1 player played them to the end" in html


def test_the_best_score_comes_first(offered, person, play_on):
    table = fresh(play_on(play_again(offered, person("carol"))))
    tries = shared_deals.seat_sheets(offered)[0].tries
    scores = [one.score for one in tries]
    assert scores == sorted(scores, reverse=True)
    assert [one.place for one in tries] == ([1, 1] if scores[0] == scores[1] else [1, 2])
    assert table.result["scores"][0] in scores


def test_a_game_that_was_given_up_is_not_compared_but_opens_the_cards(offered, person, as_user):
    again = play_again(offered, person("carol"))
    services.resign(table_id=again.pk, user=person("carol"))
    assert [one.seat.name for one in shared_deals.seat_sheets(offered)[0].tries] == ["alice"]
    assert as_user(person("carol")).get(url("replay", offered)).status_code == 200


def test_only_a_player_offers_a_finished_game_with_cards_of_its_own(given_up, table_of, person, offered):
    with pytest.raises(TableError):
        services.offer_deal(table_id=given_up.pk, user=person("carol"))
    running = table_of("fay", "gus", secret=bytes(31) + b"3")
    with pytest.raises(TableError):
        services.offer_deal(table_id=running.pk, user=person("fay"))
    again = branch(given_up, person("carol"), 2)
    services.resign(table_id=again.pk, user=person("carol"))
    with pytest.raises(TableError, match="come from another table"):
        services.offer_deal(table_id=again.pk, user=person("carol"))
    services.offer_deal(table_id=given_up.pk, user=person("bob"))
    assert fresh(given_up).offers_deal


def test_a_deal_that_nobody_offers_has_no_page(given_up, client):
    assert client.get(url("deal", given_up)).status_code == 404
    assert client.post(url("play-deal", given_up), {"seat": 0, "level": "first-steps"}).status_code == 404


def test_an_offer_leads_from_the_result_to_a_page_where_a_guest_plays(given_up, as_user, person, client):
    browser = as_user(person("alice"))
    assert url("offer", given_up) in text_of(browser, url("result", given_up))
    assert browser.post(url("offer", given_up)).url == url("deal", given_up)
    answer = client.post(url("play-deal", given_up), {"seat": 1, "level": "first-steps"})
    again = Table.objects.get(same_deal_as=given_up)
    assert answer.url == again.get_absolute_url()
    assert again.seats.get(number=1).user.is_guest
    assert client.get(url("source", again)).url == url("deal", given_up)
    assert "These are the cards of" in text_of(client, url("verify", again))


def test_offered_deals_are_listed_but_not_those_of_games_among_friends(given_up, offered, person, as_user, house_bot):
    services.offer_deal(table_id=given_up.pk, user=person("alice"))
    Table.objects.filter(pk=given_up.pk).update(is_private=True)
    assert list(shared_deals.offered_deals()) == [offered]
    play_again(offered, person("carol"))
    assert shared_deals.offered_deals().get().tries == 1
    deals = reverse("games:deals")
    assert "you have played these cards" in text_of(as_user(person("carol")), deals)
    assert "you have played these cards" in text_of(as_user(person("alice")), deals)
    html = text_of(as_user(person("dan")), deals)
    assert url("deal", offered) in html
    assert "you have played these cards" not in html
    given_up.seats.filter(number=1).update(user=house_bot("Eve").user)
    assert set(shared_deals.offered_deals()) == {given_up, offered}
