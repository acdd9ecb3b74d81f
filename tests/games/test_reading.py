"""Table reads: complete, locked where the table is to be changed, and in few queries."""

import threading
from datetime import UTC, datetime
from time import monotonic

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import services
from games.engines import GAMES
from games.models import Seat, Table
from games.record import table_store
from games.record.table_store import Snapshot
from games.record.table_writes import COLUMNS, MOVE_COLUMNS
from tests.connections import wait_for_a_lock

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
        assert [fields(seat) for seat in read.seat_rows] == [fields(seat) for seat in plain.seat_rows]
        assert [seat.user for seat in read.seat_rows] == [seat.user for seat in plain.seat_rows]
        assert read.names == plain.names == ["Ada", "bob"]
        assert all(seat.table is read for seat in read.seat_rows)


def test_seats_that_were_read_are_not_read_again(table_of, django_assert_num_queries):
    code = table_of("alice", "bob").code
    with django_assert_num_queries(2):
        table = table_store.table_by_code(code)
        assert table.names == ["alice", "bob"]
        assert [seat.name for seat in table.seat_rows] == table.names


def test_a_table_that_is_not_there_is_missed():
    with pytest.raises(Table.DoesNotExist):
        table_store.table_by_code("nowhere")
    with pytest.raises(Table.DoesNotExist):
        table_store.locked_table(0)


def test_reading_to_change_locks_the_row(table_of):
    if not connection.features.has_select_for_update:
        pytest.skip("this database locks as a whole")
    table = table_of("alice", "bob")
    with CaptureQueriesContext(connection) as locked:
        table_store.locked_table(table.pk)
    with CaptureQueriesContext(connection) as read:
        table_store.table_by_code(table.code)
    assert "FOR UPDATE" in locked.captured_queries[0]["sql"]
    assert not any("FOR UPDATE" in query["sql"] for query in read.captured_queries)


@pytest.mark.django_db(transaction=True)
@pytest.mark.only_on("postgresql")
def test_seats_are_read_as_they_are_once_the_table_is_locked(table_of):
    """Another process changes a seat while we wait for the lock: we see it changed."""
    table = table_of("alice", "bob")
    found = []

    def read():
        with transaction.atomic():
            found.append(table_store.locked_table(table.pk))
        connection.close()

    with transaction.atomic():
        services.common.lock_table(table.pk)
        Seat.objects.filter(table=table, number=0).update(has_left=True)
        reader = threading.Thread(target=read)
        reader.start()
        wait_for_a_lock()
        assert not found
    reader.join(30)
    assert found[0].seat_rows[0].has_left


@pytest.fixture
def remembered(table_of):
    """A table of alice and bob that this process remembers."""
    return table_store.table_since(table_of("alice", "bob").code, 0)


def test_a_table_that_this_process_remembers_is_not_read_again_under_the_lock(remembered, django_assert_num_queries):
    known = remembered.seat_rows
    with django_assert_num_queries(1):
        locked = table_store.locked_snapshot(remembered.pk)
        assert locked.table is not remembered
        assert fields(locked.table) == fields(remembered)
        assert [fields(seat) for seat in locked.table.seat_rows] == [fields(seat) for seat in known]
        assert all(seat.table == locked.table and seat.user for seat in locked.table.seat_rows)
    assert not {*map(id, locked.table.seat_rows)} & {*map(id, known)}
    assert locked.trusted_until == table_store.cached_snapshot(remembered.code).trusted_until


CHANGES = {"version": 99, "status": "finished", "appear_by": datetime(2026, 1, 1, tzinfo=UTC)}


@pytest.mark.parametrize("column", CHANGES)
def test_a_table_is_read_under_the_lock_where_it_may_have_changed(column, remembered):
    """Another version; or a game in which a seat may change without one."""
    Table.objects.filter(pk=remembered.pk).update(**{column: CHANGES[column]})
    if column != "version":
        table_store.cache_snapshot(Snapshot(table_store.table_by_code(remembered.code)))
    Seat.objects.filter(table=remembered.pk, number=1).update(has_come=True)
    locked = table_store.locked_snapshot(remembered.pk).table
    assert getattr(locked, column) == CHANGES[column]
    assert [seat.has_come for seat in locked.seat_rows] == [False, True]


def test_seats_of_a_snapshot_that_has_expired_are_read_again(remembered):
    table_store._newest.set(remembered.code, Snapshot(remembered, trusted_until=monotonic()))
    Seat.objects.filter(table=remembered.pk, number=1).update(has_come=True)
    assert table_store.locked_snapshot(remembered.pk).table.seat_rows[1].has_come


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


@pytest.mark.django_db(transaction=True)
def test_a_move_at_a_table_in_memory_takes_four_queries_and_its_transaction(table_of, as_user, state_of):
    table = table_of("alice", "bob")
    for seat in table.seats.all():
        player, move = as_user(seat.user), state_of(table).legal_moves(seat.number)[0]
        with CaptureQueriesContext(connection) as made:
            form = {"version": table.version, "text": str(move)}
            assert player.post(f"/tables/{table.code}/moves/", form, headers=HTMX).status_code == 200
        table.refresh_from_db()
    queries = [query["sql"] for query in made.captured_queries]
    assert len(queries) <= 4 + 2, queries  # user, table locked, the move, the table
    [update] = [sql for sql in queries if sql.startswith("UPDATE")]
    assert not [name for name in {*COLUMNS} - {*MOVE_COLUMNS} if f'"{name}" =' in update]


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_moves_reads_its_table_once(house_bot):
    players = [house_bot("Ada").user, house_bot("Bruno").user]
    table = services.seat_and_start(game="casino", players=players, options=None)
    table_store._newest.clear()
    with CaptureQueriesContext(connection) as made:
        services.play_bot(table_id=table.pk)
    queries = [query["sql"] for query in made.captured_queries]
    assert len([sql for sql in queries if '"games_table"."secret"' in sql]) == 1, queries
    assert len([sql for sql in queries if '"games_seat"."hands_seen"' in sql]) == 1, queries
