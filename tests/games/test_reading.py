"""What every move reads is what Django would have read, and no more."""

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games import services
from games.engines import GAMES
from games.models import Seat, Table
from games.record import table_store
from infra.prepared import Prepared

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def fields(instance):
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


def test_a_table_is_read_with_all_its_fields_and_seats(table_of, play_on, house_bot):
    table = play_on(table_of("alice", "bob", move_seconds=45), 3)
    services.hand_over(table_id=table.pk, user=table.seats.first().user, to=house_bot("Ada").user)
    for read in (table_store.table_by_code(table.code), table_store.locked_table(table.pk)):
        plain = Table.objects.with_seats().get(pk=table.pk)
        assert fields(read) == fields(plain)
        assert [fields(seat) for seat in read.seats.all()] == [fields(seat) for seat in plain.seats.all()]
        assert [seat.user for seat in read.seats.all()] == [seat.user for seat in plain.seats.all()]
        assert read.names == plain.names == ["Ada", "bob"]
        assert all(seat.table is read for seat in read.seats.all())


def test_seats_that_were_read_are_not_read_again(table_of, django_assert_num_queries):
    code = table_of("alice", "bob").code
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 2):  # both in one round trip, or none
        table = table_store.table_by_code(code)
        assert table.names == ["alice", "bob"]


def test_a_table_that_is_not_there_is_missed():
    with pytest.raises(Table.DoesNotExist):
        table_store.table_by_code("nowhere")
    with pytest.raises(Table.DoesNotExist):
        table_store.locked_table(0)


def test_reading_to_change_locks_the_row(table_of):
    if not connection.features.has_select_for_update:
        pytest.skip("this database locks as a whole")
    assert "FOR UPDATE" in table_store._locked.plan.sql
    assert "FOR UPDATE" not in table_store._by_code.plan.sql


def test_each_value_gives_its_own_rows(table_of):
    one, other = table_of("alice", "bob"), table_of("carol", "dan", secret=bytes(31) + b"1")
    seats = Prepared(lambda pk: Seat.objects.filter(table=pk).order_by("-number"), like=[-1])
    assert [[seat.user.username for seat in seats(table.pk)] for table in (one, other, one)] == [
        ["bob", "alice"], ["dan", "carol"], ["bob", "alice"],
    ]  # fmt: skip


def test_a_value_that_cannot_be_told_from_another_is_refused():
    with pytest.raises(AssertionError, match="like"):
        Prepared(lambda name: User.objects.filter(username=name, first_name="?"), like=["?"])("ann")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_board_takes_five_queries_whatever_the_game(game, table_of, play_on, as_user, django_assert_max_num_queries):
    people = [f"player{seat}" for seat in range(max(game.seats))]
    table = play_on(table_of(*people, game=game.slug), 5)
    player = as_user(table.seats.first().user)
    with django_assert_max_num_queries(5):  # session, user, table with its match, seats; moves that this process missed
        assert player.get(f"/tables/{table.code}/board/", headers=HTMX).status_code == 200
    with django_assert_max_num_queries(2):
        Client().get(f"/tables/{table.code}/board/", headers=HTMX)


def test_a_move_takes_nine_queries_and_its_transaction(table_of, as_user, state_of, django_assert_max_num_queries):
    table = table_of("alice", "bob")
    text = str(state_of(table).legal_moves(0)[0])
    alice = as_user(table.seats.first().user)
    with django_assert_max_num_queries(9 + 2):  # a board's five, table and seats again but locked, the move, the table
        answer = alice.post(f"/tables/{table.code}/moves/", {"version": table.version, "text": text}, headers=HTMX)
    assert answer.status_code == 200
