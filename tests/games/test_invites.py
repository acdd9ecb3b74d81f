"""Filling the seats of one's own table."""

import re

import pytest

from games import services
from games.models import Rating, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def friends_table(person):
    """A partnership game that alice has opened for her friends; seats 0 and 2 play together."""

    def make(game="partnership-cribbage", **more):
        return services.open_and_sit(
            user=person("alice"), game=game, seats=4, options=None, is_private=True, base_seconds=300,
            increment_seconds=10, **more,
        )  # fmt: skip

    return make


def test_the_waiting_page_says_who_plays_with_whom_and_has_a_link_for_the_partner(friends_table, person, as_user):
    table = friends_table()
    html = as_user(person("alice")).get(table.get_absolute_url()).content.decode()
    assert html.count("plays with alice") == 1 and html.count("plays with seat 4") == 1
    assert f'value="http://testserver{table.get_absolute_url()}?seat=2"' in html
    bob = as_user(person("bob"))
    invited = bob.get(f"{table.get_absolute_url()}?seat=2").content.decode()
    assert re.search(r"kept for you.*with alice", invited)
    bob.post(f"{table.get_absolute_url()}sit/", {"seat": "2"})
    assert table.seats.get(number=2).user == person("bob")
    assert 'id="partner"' not in as_user(person("alice")).get(table.get_absolute_url()).content.decode()


def test_a_game_without_sides_speaks_of_no_partners(friends_table, person, as_user):
    html = as_user(person("alice")).get(friends_table("casino").get_absolute_url()).content.decode()
    assert "plays with alice" not in html and 'id="partner"' not in html and "Move here" not in html


def test_one_can_move_opposite_a_friend(friends_table, person, as_user):
    table = friends_table()
    services.sit_down(table_id=table.pk, user=person("bob"), entropy="0b")
    as_user(person("bob")).post(f"{table.get_absolute_url()}seat/", {"seat": "2"})
    seats = {seat.user.username: (seat.number, seat.entropy) for seat in table.seats.exclude(user=None)}
    assert seats["bob"] == (2, "0b")
    assert table.seats.get(number=1).entropy == ""
    answer = as_user(person("bob")).post(f"{table.get_absolute_url()}seat/", {"seat": "0"}, follow=True)
    assert "Somebody has taken this seat" in answer.content.decode()


def test_a_bot_takes_the_seat_that_it_is_shown(friends_table, person, as_user, house_bot):
    house_bot("Ada", "partnership-cribbage", "club")
    table = friends_table()
    as_user(person("alice")).post(f"{table.get_absolute_url()}bot/", {"level": "club", "seat": "2"})
    assert table.seats.get(number=2).user.is_bot


def test_a_pair_finds_two_others(friends_table, person, as_user):
    table = friends_table()
    services.sit_down(table_id=table.pk, user=person("bob"), seat=2)
    for name in ("carol", "dora"):
        services.seek(user=person(name), game=table.game, seats=[4], paces=["standard"])
    refused = as_user(person("bob")).post(f"{table.get_absolute_url()}open/", follow=True)
    assert "Only the person who opened" in refused.content.decode()
    as_user(person("alice")).post(f"{table.get_absolute_url()}open/")
    table = Table.objects.with_seats().get(pk=table.pk)
    assert table.status == Table.Status.RUNNING
    assert [table.names[number] for number in (0, 2)] == ["alice", "bob"]


def test_a_table_opened_to_all_stands_in_the_lobby_with_ratings(friends_table, person, client):
    table = friends_table("casino")
    assert table.code not in client.get("/play/").content.decode()
    Rating.objects.create(user=person("alice"), game="casino", mu=30, games=5)
    services.open_to_all(table_id=table.pk, user=person("alice"))
    html = client.get("/play/").content.decode()
    assert table.code in html
    assert f'<span class="figures">{Rating.objects.get()}</span>' in html


def test_a_phone_can_read_the_link(friends_table, client):
    table = friends_table()
    answer = client.get(f"{table.get_absolute_url()}invite.svg?seat=2")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<?xml") and b"<path" in answer.content
    assert answer.content != client.get(f"{table.get_absolute_url()}invite.svg").content
    assert client.get("/tables/nothere2/invite.svg").status_code == 404
