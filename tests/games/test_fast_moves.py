"""Fast path of a move: one statement stores it if table, seat and login are still as this process knows them."""

import gc
import re
import weakref
from dataclasses import replace
from datetime import timedelta
from time import monotonic

import pytest
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from accounts.signals import guest_joined
from games import services
from games.fast_moves.logins import KnownLogin
from games.fast_moves.moves import play_fast
from games.fast_moves.store import SQL, FastMove
from games.models import Move, Seat, Table
from games.presentation.table_wording import seat_note
from games.record import replay, table_store
from games.record.copies import copy_with_seats
from games.record.table_store import Snapshot
from infra.threads import inline_or_in_thread
from tests.loop import run

pytestmark = pytest.mark.django_db(transaction=True)


def login_of(user):
    """As a request of this user's would make it known."""
    store = SessionStore()
    store["of"] = user.pk
    store.save()
    row = Session.objects.get(pk=store.session_key)
    return KnownLogin(row.pk, row.session_data, row.expire_date, {}, user.pk, user.password)


@pytest.fixture
def table(table_of):
    """As this process remembers it."""
    return table_store.table_since(table_of("alice", "bob").code, 0)


def play_first(table, *, login=None, text="", forgets=False, **more):
    """Plays the first legal move of the player to act, made at this version of the table.

    forgets: this process no longer knows the position.
    """
    state = replay.state_of(table)
    seat = state.to_act[0]
    login = login or login_of(table.seat_rows[seat].user)
    text = text or str(state.legal_moves(seat)[0])
    asked = {"seat": seat, "text": text, "version": table.version, "held": None}
    if forgets:
        replay._newest.clear()
    return run(play_fast(Snapshot(table), login, **asked | more))


def distrust(table):
    """A minute goes by."""
    known = table_store._newest.get(table.code)
    table_store._newest.set(table.code, replace(known, trusted_until=known.trusted_until - 61))


def stored(table):
    return Table.objects.with_seats().get(pk=table.pk)


def test_it_does_what_play_move_would_have_done_in_one_statement(table, table_of, django_assert_num_queries):
    """Django refuses the event loop its own connections, so there is no other that it could wait for."""
    twin = table_of("alice", "bob", shares_deals=True)
    login = login_of(table.seat_rows[replay.state_of(table).to_act[0]].user)
    with django_assert_num_queries(0):
        after = play_first(table, login=login)
    move = Move.objects.get()
    expected = services.play_move(table_id=twin.pk, seat=move.seat, text=move.text, version=twin.version)
    names = ("move_count", "clocks", "bot_due_at", "status")
    assert [getattr(stored(table), name) for name in names] == [getattr(stored(expected), name) for name in names]
    assert after.version == stored(table).version == stored(table).position_version == table.version + 1
    assert str(replay.state_of(after).dump()) == str(replay.state_of(stored(expected)).dump())


def test_what_is_remembered_stays_as_it_is(table):
    before = (table.version, table.move_count, replay.state_of(table).dump())
    after = play_first(table)
    assert (table.version, table.move_count, replay.state_of(table, 0).dump()) == before
    assert table.seat_rows[0].table is table
    assert after.seat_rows[0].table == after
    assert after.seat_rows[0].table.version == after.version > table.version
    assert table_store.table_since(table.code, after.version) is after


def test_the_first_moves_at_a_table_to_which_others_may_still_come_go_the_long_way(person):
    players = [person("alice"), person("bob")]
    made = services.seat_and_start(game="casino", players=players, options=None, move_seconds=45, appear_seconds=60)
    assert play_first(made) is None
    for _ in players:
        table = stored(made)
        seat = replay.state_of(table).to_act[0]
        text = str(replay.state_of(table).legal_moves(seat)[0])
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert play_first(table_store.table_since(made.code, stored(made).version)).move_count == 3


def change_elsewhere(table):
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)


def hand_over_elsewhere(table):
    carol = User.objects.create(username="carol")
    Seat.objects.filter(table=table).exclude(number=table.first_dealer).update(user=carol)


def leave_elsewhere(table):
    Seat.objects.filter(table=table).update(has_left=True)


@pytest.mark.parametrize("happens", [change_elsewhere, hand_over_elsewhere, leave_elsewhere])
def test_what_this_process_has_not_heard_of_is_found_by_the_statement(table, happens):
    happens(table)
    before = list(Table.objects.values())
    assert play_first(table) is None
    assert not Move.objects.exists()
    assert list(Table.objects.values()) == before
    assert table_store.table_since(table.code, 0) is table


@pytest.mark.parametrize("change", [{"password": "?"}, {"key": "?"}, {"data": "?"}, {"user_id": 0}], ids=str)
def test_a_login_that_no_longer_holds_does_not_move(table, change):
    login = login_of(table.seat_rows[replay.state_of(table).to_act[0]].user)
    assert play_first(table, login=login._replace(**change)) is None
    assert not Move.objects.exists()
    assert play_first(table, login=login)


@pytest.mark.parametrize("event", ["the session runs out", "the account is suspended"])
def test_a_login_that_has_ended_does_not_move(table, event):
    user = table.seat_rows[replay.state_of(table).to_act[0]].user
    login = login_of(user)
    if event == "the session runs out":
        Session.objects.update(expire_date=timezone.now())
    else:
        User.objects.filter(pk=user.pk).update(is_active=False)
    assert play_first(table, login=login) is None
    assert not Move.objects.exists()


def test_the_orm_stores_the_same_and_only_if_all_is_as_known(table):
    """What SQLite does in a thread; PostgreSQL must agree."""
    state = replay.state_of(table)
    seat = state.to_act[0]
    login = login_of(table.seat_rows[seat].user)
    after = copy_with_seats(table)
    after.version += 1
    row = Move(table_id=table.pk, number=1, seat=seat, text="x", played_at=timezone.now())
    move = FastMove(after, table.version, row, login)
    for change in ({"known_version": 77}, {"login": login._replace(password="?")}):
        assert not replace(move, **change).store_with_orm()
    assert not Move.objects.exists()
    assert move.store_with_orm()
    assert Move.objects.get().text == "x"
    assert stored(table).version == after.version


def test_the_statement_fills_every_column_of_a_move():
    """All but the key and the one that a plain move leaves empty."""
    columns = {field.column for field in Move._meta.concrete_fields} - {"id", "takes_back_to"}
    [filled] = re.findall(rf"INSERT INTO {Move._meta.db_table} \((.*?)\)", SQL)
    assert {*filled.split(", ")} == columns


@pytest.mark.parametrize(
    "special",
    [
        {"text": "no such move"},
        {"text": "trail AC with nothing"},
        {"version": 0},
        {"seat": 5},
    ],
    ids=str,
)
def test_what_is_refused_is_left_to_a_closer_look(table, special):
    assert play_first(table, **special) is None
    assert not Move.objects.exists()


def test_whoever_comes_too_late_is_left_to_a_closer_look(table_of):
    table = table_store.table_since(table_of("alice", "bob", move_seconds=10).code, 0)
    long_ago = (timezone.now() - timedelta(minutes=1)).timestamp()
    table.timers = [timer._replace(since=timer.since and long_ago) for timer in table.timers]
    assert play_first(table) is None


def test_a_table_that_stands_is_left_to_a_closer_look(table):
    services.pause_table(table_id=table.pk)
    assert play_first(table_store.table_by_code(table.code)) is None


def test_the_last_move_of_a_game_is_left_to_a_closer_look(table_of, play_on):
    table = table_of("alice", "bob", deals=1)
    play_on(table, None)
    last = Move.objects.latest("number")
    Move.objects.filter(pk=last.pk).delete()
    Table.objects.filter(pk=table.pk).update(
        status=Table.Status.RUNNING, move_count=last.number - 1, finished_at=None, result=None
    )
    replay._newest.clear()
    assert play_first(table_store.table_by_code(table.code)) is None
    assert Move.objects.count() == last.number - 1


def test_who_gave_up_the_deal_does_not_move_in_it(table_of):
    table = table_of("alice", "bob")
    table.seats.update(gave_up_deal=True)
    assert play_first(table_store.table_by_code(table.code)) is None


def test_a_clock_runs_on_for_the_other(table_of):
    table = table_store.table_since(table_of("alice", "bob", move_seconds=45).code, 0)
    after = play_first(table)
    assert [timer.since is not None for timer in table.timers] == [True, False]
    assert [timer.since is not None for timer in after.timers] == [False, True]
    assert stored(table).deadline_at == after.deadline_at > table.deadline_at


def test_a_bot_is_called(person, house_bot):
    ada = house_bot("Ada")
    table = services.seat_and_start(game="casino", players=[person("alice"), ada.user], options=None)
    if replay.state_of(table).to_act == (table.seats.get(user=ada.user).number,):
        services.play_bot(table_id=table.pk)
    after = play_first(table_store.table_by_code(table.code))
    assert stored(table).bot_due_at == after.bot_due_at is not None


def test_an_account_that_takes_the_seat_of_a_guest_is_learned_by_the_version(table_of, person):
    """Whoever remembers the guest there shows the account its cards with the next version, and lets it move."""
    table = table_of("guest", "bob")
    table = table_store.table_since(table.code, table.version)
    carol = person("carol")
    guest_joined.send(sender=User, guest=person("guest"), user=carol)
    now = stored(table)
    assert now.version == table.version + 1
    assert table_store.table_since(table.code, now.version).seat_of(carol.pk).number == 0
    assert play_first(table) is None


def test_a_new_name_is_seen_after_a_minute(table):
    User.objects.filter(username="alice").update(username="zoe")
    assert table_store.table_since(table.code, table.version).names == ["alice", "bob"]
    distrust(table)
    assert table_store.table_since(table.code, table.version).names == ["zoe", "bob"]


def test_tables_that_were_read_together_are_read_again_at_different_times(table):
    before = monotonic()
    moments = [Snapshot(table).trusted_until - before for _ in range(20)]
    assert all(30 <= moment <= 61 for moment in moments)
    assert max(moments) - min(moments) > 5


def test_a_table_that_nobody_needs_any_more_is_gone_play_first(table):
    """A copy in a circle with its seats would stay until Python looks for such, and every move makes one."""
    gc.collect()
    gc.disable()
    try:
        copied = weakref.ref(copy_with_seats(table))
        assert copied() is None
    finally:
        gc.enable()


def test_a_seat_of_a_copy_knows_its_table_without_a_query(table, django_assert_num_queries):
    table.seats.update(away_since=timezone.now())
    known = table_store.table_by_code(table.code)
    with django_assert_num_queries(0):
        copied = copy_with_seats(known)
        assert [seat_note(seat) for seat in copied.seat_rows] == ["not connected"] * 2


def test_what_is_forgotten_is_read_in_a_thread_and_the_move_stays_a_short_one(table):
    distrust(table)

    async def known_again():
        return await inline_or_in_thread(table_store.table_since, table.code, table.version)

    known = run(known_again())
    assert known is not table
    assert play_first(known) is not None


def test_a_position_that_is_not_remembered_is_left_to_a_closer_look(table):
    after = play_first(table)
    assert play_first(after, forgets=True) is None
    assert Move.objects.count() == 1
    assert play_first(after) is not None
