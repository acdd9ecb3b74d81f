"""Filling the seats of one's own table."""

import re

import pytest

from accounts.models import Block, User
from accounts.services import make_guest
from games import services, tasks
from games.core import deals
from games.live import presence
from games.models import Rating, Table
from tests.pages import page_html
from tests.tables import add_values, commit

pytestmark = pytest.mark.django_db


@pytest.fixture
def friends_table(person):
    """A partnership game that alice has opened for her friends; seats 0 and 2 play together."""

    def make(game="partnership-cribbage", created_by=None, **more):
        terms = {"seats": 4, "options": None, "is_private": True, "base_seconds": 300, "increment_seconds": 10} | more
        return services.open_and_sit(user=created_by or person("alice"), game=game, **terms)

    return make


def test_the_waiting_page_says_who_plays_with_whom_and_has_a_link_for_the_partner(friends_table, person, as_user):
    table = friends_table()
    html = page_html(as_user(person("alice")).get(table.get_absolute_url()))
    assert html.count("plays with alice") == 1 and html.count("plays with seat 4") == 1
    assert f'value="http://testserver{table.get_absolute_url()}?seat=2"' in html
    bob = as_user(person("bob"))
    invited = page_html(bob.get(f"{table.get_absolute_url()}?seat=2"))
    assert re.search(r"kept for you.*with alice", invited)
    assert "alice invites you to Cribbage (2 or 4)" in invited and "Partnership Cribbage" not in invited
    bob.post(f"{table.get_absolute_url()}sit/", {"seat": "2"})
    assert table.seats.get(number=2).user == person("bob")
    assert 'id="partner"' not in page_html(as_user(person("alice")).get(table.get_absolute_url()))


def test_a_guest_who_invites_can_give_the_name_that_friends_know(friends_table, as_user, person):
    guest = make_guest()
    client, address = as_user(guest), friends_table("casino", created_by=guest).get_absolute_url()
    assert "Save name" in page_html(client.get(address))
    answer = client.post("/accounts/guest-name/", {"name": "Ann", "next": address})
    assert answer.url == address
    assert "Guest Ann invites you to Casino" in page_html(as_user(person("bob")).get(address))
    client.post("/accounts/guest-name/", {"name": "Ann", "next": address})
    assert 'Others see "Guest Ann".' in page_html(client.get(address))


def test_an_account_keeps_its_name(person, as_user, friends_table):
    alice = as_user(person("alice"))
    assert "Save name" not in page_html(alice.get(friends_table("casino").get_absolute_url()))
    assert alice.post("/accounts/guest-name/", {"name": "Bea"}).url == "/accounts/"
    assert not User.objects.filter(username__contains="Bea").exists()


def test_the_table_of_a_rematch_says_who_is_expected(table_of, person, as_user):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    again = services.join_rematch(table_id=table.pk, user=person("alice"))
    html = page_html(as_user(person("alice")).get(again.get_absolute_url()))
    assert "Waiting for bob" in html and "Join the rematch" in html and "Invite a friend" not in html
    assert "alice asks for a rematch of Casino" in page_html(as_user(person("bob")).get(again.get_absolute_url()))


def test_a_game_without_sides_speaks_of_no_partners(friends_table, person, as_user):
    html = page_html(as_user(person("alice")).get(friends_table("casino").get_absolute_url()))
    assert "plays with alice" not in html and 'id="partner"' not in html and "Move here" not in html


def test_one_can_move_opposite_a_friend(friends_table, person, as_user):
    table = friends_table()
    services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    commit(table, person("bob"))
    as_user(person("bob")).post(f"{table.get_absolute_url()}seat/", {"seat": "2"})
    seats = {seat.user.username: (seat.number, seat.commitment) for seat in table.seats.exclude(user=None)}
    assert seats["bob"] == (2, deals.bound_commitment(table.commitment, "ab"))
    assert table.seats.get(number=1).commitment == ""
    answer = as_user(person("bob")).post(f"{table.get_absolute_url()}seat/", {"seat": "0"}, follow=True)
    assert "This seat is taken" in page_html(answer)


def test_a_bot_takes_the_seat_that_it_is_shown(friends_table, person, as_user, house_bot):
    house_bot("Ada", "partnership-cribbage", "club")
    table = friends_table()
    as_user(person("alice")).post(f"{table.get_absolute_url()}bot/", {"level": "club", "seat": "2"})
    assert table.seats.get(number=2).user.is_bot


def test_a_pair_finds_two_others(friends_table, person, as_user):
    table = friends_table()
    services.sit_down(table_id=table.pk, user=person("bob"), seat=2)
    for name in ("carol", "dora"):
        services.start_seek(user=person(name), game=table.game, seats=[4], paces=["standard"])
    refused = as_user(person("bob")).post(f"{table.get_absolute_url()}open/", follow=True)
    assert "Only the player who opened" in page_html(refused)
    as_user(person("alice")).post(f"{table.get_absolute_url()}open/")
    table = Table.objects.with_seats().get(pk=table.pk)
    assert table.status == Table.Status.RUNNING
    assert [table.names[number] for number in (0, 2)] == ["alice", "bob"]


@pytest.fixture
def pair_table(friends_table, person):
    """`pair_table("alice", "bob")`: a table open to all at which these two, its only players, are partners."""

    def make(*names, looking=None, **more):
        people = [person(name) for name in names]
        table = friends_table(created_by=people[0], **more)
        services.sit_down(table_id=table.pk, user=people[1], seat=2, shuffles=True)
        commit(table, people[1])
        for user in people if looking is None else looking:
            presence.record_request(table.pk, user.pk)
        services.open_to_all(table_id=table.pk, user=people[0])
        return Table.objects.with_seats().get(pk=table.pk)

    return make


def test_two_pairs_that_wait_play_against_each_other(pair_table, person, as_user):
    first, second = pair_table("alice", "bob"), pair_table("carol", "dora")
    first = Table.objects.with_seats().get(pk=first.pk)
    assert first.is_shuffling
    assert first.names == ["alice", "carol", "bob", "dora"]
    assert [seat.is_entropy_own for seat in first.seats.all()] == [False, False, True, True]
    assert [seat.owes_commitment for seat in first.seats.all()] == [False, False, False, True]
    assert add_values(first).status == Table.Status.RUNNING
    assert (second.status, second.moved_to) == (Table.Status.ABORTED, first)
    carol = as_user(person("carol"))
    assert carol.get(second.get_absolute_url()).url == first.get_absolute_url()
    asked = carol.get(f"{second.get_absolute_url()}board/", headers={"HX-Request": "true"})
    assert asked["HX-Redirect"] == first.get_absolute_url()


def test_a_pair_is_put_together_once_the_partner_has_come(pair_table, friends_table, person, as_user):
    pair_table("alice", "bob")
    table = friends_table(created_by=person("carol"))
    services.open_to_all(table_id=table.pk, user=person("carol"))
    presence.record_request(table.pk, person("carol").pk)
    answer = as_user(person("dora")).post(f"{table.get_absolute_url()}sit/", {"seat": "2"}, follow=True)
    assert sorted(answer.context["table"].names) == ["alice", "bob", "carol", "dora"]


@pytest.mark.parametrize(
    "other", [{"increment_seconds": 5}, {"options": {"target": 61}}, {"chat": "none"}, {"is_rated": True}]
)
def test_pairs_that_want_other_games_stay_apart(pair_table, other):
    pair_table("alice", "bob")
    assert pair_table("carol", "dora", **other).status == Table.Status.OPEN


def test_pairs_meet_only_if_nobody_avoids_another_and_all_are_there(pair_table, person):
    Block.objects.create(blocker=person("dora"), blocked=person("bob"))
    pair_table("alice", "bob")
    assert pair_table("carol", "dora").status == Table.Status.OPEN
    assert pair_table("erin", "frank", looking=[person("erin")]).status == Table.Status.OPEN
    assert pair_table("gina", "hugo").moved_to is not None


def test_pairs_of_which_one_was_away_meet_when_it_is_back(pair_table, person):
    first = pair_table("alice", "bob", looking=[])
    second = pair_table("carol", "dora")
    tasks.bring_pairs_together()
    assert Table.objects.get(pk=second.pk).moved_to is None
    for name in ("alice", "bob"):
        presence.record_request(first.pk, person(name).pk)
    tasks.bring_pairs_together()
    assert Table.objects.get(pk=second.pk).moved_to == first
    tasks.bring_pairs_together()
    assert Table.objects.get(pk=first.pk).is_shuffling


def test_a_pair_alone_is_not_looked_at_again_and_again(pair_table, friends_table, person):
    pair_table("alice", "bob")
    lonely = friends_table("casino", seats=2, created_by=person("erin"))
    services.open_to_all(table_id=lonely.pk, user=person("erin"))
    assert services.waiting_pairs() == []


def test_three_who_wait_are_no_pair(pair_table, person):
    table = pair_table("alice", "bob")
    services.sit_down(table_id=table.pk, user=person("zoe"), seat=1)
    assert pair_table("carol", "dora").status == Table.Status.OPEN


def test_a_table_opened_to_all_stands_in_the_lobby_with_ratings(friends_table, person, client):
    table = friends_table("casino")
    assert table.code not in page_html(client.get("/play/"))
    Rating.objects.create(user=person("alice"), game="casino", mu=30, games=5)
    services.open_to_all(table_id=table.pk, user=person("alice"))
    html = page_html(client.get("/play/"))
    assert table.code in html
    assert f'<span class="figures">{Rating.objects.get()}</span>' in html


def test_a_phone_can_read_the_link(friends_table, client):
    table = friends_table()
    answer = client.get(f"{table.get_absolute_url()}invite.svg?seat=2")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<?xml") and b"<path" in answer.content
    assert answer.content != client.get(f"{table.get_absolute_url()}invite.svg").content
    assert client.get("/tables/nothere2/invite.svg").status_code == 404
