"""One statement stores a move that is nothing special, if the table is still as this process remembers it."""

import gc
import weakref
from datetime import timedelta
from time import monotonic

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.signals import guest_joined
from games import services
from games.fast_moves.moves import play_at_once
from games.models import Move, Seat, Table
from games.record import replay, table_store
from games.record.table_store import Snapshot
from infra.prepared import Condition
from infra.threads import at_hand
from tests.loop import run

pytestmark = pytest.mark.django_db(transaction=True)

TRUE, FALSE = Condition("1 = %s", [1]), Condition("1 = %s", [0])


@pytest.fixture
def table(table_of):
    """As this process remembers it."""
    return table_store.table_since(table_of("alice", "bob").code, 0)


def at_once(table, *, still=TRUE, text="", forgets=False, **more):
    """The first legal move of whoever is to act, who says that he has seen the table like that.

    forgets: this process does not know the position any more.
    """
    state = replay.state_of(table)
    seat = state.to_act[0]
    user = table.places[seat].user_id
    text = text or str(state.legal_moves(seat)[0])
    asked = {"seat": seat, "user_id": user, "text": text, "version": table.version, "held": None, "still": still}
    if forgets:
        replay._newest.clear()
    return run(play_at_once(Snapshot(table), **asked | more))


def stored(table):
    return Table.objects.with_seats().get(pk=table.pk)


def test_it_does_what_play_move_would_have_done_and_waits_for_one_statement(table, table_of, django_assert_num_queries):
    """Django refuses the event loop its own connections, so there is no other that it could wait for."""
    twin = table_of("alice", "bob", shares_deals=True)
    with django_assert_num_queries(0):
        after = at_once(table)
    move = Move.objects.get()
    expected = services.play_move(table_id=twin.pk, seat=move.seat, text=move.text, version=twin.version)
    names = ("move_count", "clocks", "bot_due_at", "status")
    assert [getattr(stored(table), name) for name in names] == [getattr(stored(expected), name) for name in names]
    assert after.version == stored(table).version == stored(table).position_version == table.version + 1
    assert str(replay.state_of(after).dump()) == str(replay.state_of(stored(expected)).dump())


def test_what_is_remembered_stays_as_it_is(table):
    before = (table.version, table.move_count, replay.state_of(table).dump())
    after = at_once(table)
    assert (table.version, table.move_count, replay.state_of(table, 0).dump()) == before
    assert table.places[0].table is table
    assert after.places[0].table == after
    assert after.places[0].table.version == after.version > table.version
    assert table_store.table_since(table.code, after.version) is after


def test_the_first_moves_at_a_table_to_which_others_may_still_come_go_the_long_way(person):
    players = [person("alice"), person("bob")]
    made = services.seat_and_start(game="casino", players=players, options=None, move_seconds=45, appear_seconds=60)
    assert at_once(made) is None
    for _ in players:
        table = stored(made)
        seat = replay.state_of(table).to_act[0]
        text = str(replay.state_of(table).legal_moves(seat)[0])
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert at_once(table_store.table_since(made.code, stored(made).version)).move_count == 3


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
    assert at_once(table) is None
    assert not Move.objects.exists()
    assert list(Table.objects.values()) == before
    assert table_store.table_since(table.code, 0) is table


def test_who_is_no_longer_known_does_not_move(table):
    assert at_once(table, still=FALSE) is None
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    "special",
    [
        {"text": "no such move"},
        {"text": "trail AC with nothing"},
        {"version": 0},
        {"seat": 5},
        {"user_id": 0},
    ],
    ids=str,
)
def test_what_is_refused_is_left_to_a_closer_look(table, special):
    assert at_once(table, **special) is None
    assert not Move.objects.exists()


def test_whoever_comes_too_late_is_left_to_a_closer_look(table_of):
    table = table_store.table_since(table_of("alice", "bob", move_seconds=10).code, 0)
    long_ago = (timezone.now() - timedelta(minutes=1)).timestamp()
    table.timers = [timer._replace(since=timer.since and long_ago) for timer in table.timers]
    assert at_once(table) is None


def test_a_table_that_stands_is_left_to_a_closer_look(table):
    services.pause_table(table_id=table.pk)
    assert at_once(table_store.table_by_code(table.code)) is None


def test_the_last_move_of_a_game_is_left_to_a_closer_look(table_of, play_on):
    table = table_of("alice", "bob", deals=1)
    play_on(table, None)
    last = Move.objects.latest("number")
    Move.objects.filter(pk=last.pk).delete()
    Table.objects.filter(pk=table.pk).update(
        status=Table.Status.RUNNING, move_count=last.number - 1, finished_at=None, result=None
    )
    replay._newest.clear()
    assert at_once(table_store.table_by_code(table.code)) is None
    assert Move.objects.count() == last.number - 1


def test_who_gave_up_the_deal_does_not_move_in_it(table_of):
    table = table_of("alice", "bob")
    table.seats.update(gave_up_deal=True)
    assert at_once(table_store.table_by_code(table.code)) is None


def test_a_clock_runs_on_for_the_other(table_of):
    table = table_store.table_since(table_of("alice", "bob", move_seconds=45).code, 0)
    after = at_once(table)
    assert [timer.since is not None for timer in table.timers] == [True, False]
    assert [timer.since is not None for timer in after.timers] == [False, True]
    assert stored(table).deadline_at == after.deadline_at > table.deadline_at


def test_a_bot_is_called(person, house_bot):
    ada = house_bot("Ada")
    table = services.seat_and_start(game="casino", players=[person("alice"), ada.user], options=None)
    if replay.state_of(table).to_act == (table.seats.get(user=ada.user).number,):
        services.play_bot(table_id=table.pk)
    after = at_once(table_store.table_by_code(table.code))
    assert stored(table).bot_due_at == after.bot_due_at is not None


def test_an_account_that_takes_the_seat_of_a_guest_is_learned_by_the_version(table_of, person):
    """Whoever remembers the guest there shows the account its cards with the next version, and lets it move."""
    table = table_of("guest", "bob")
    table = table_store.table_since(table.code, table.version)
    carol = person("carol")
    guest_joined.send(sender=User, guest=person("guest"), user=carol)
    now = stored(table)
    assert now.version == table.version + 1
    assert table_store.table_since(table.code, now.version).place_of(carol.pk).number == 0
    assert at_once(table) is None


def test_a_new_name_is_seen_after_a_minute(table):
    User.objects.filter(username="alice").update(username="zoe")
    assert table_store.table_since(table.code, table.version).names == ["alice", "bob"]
    table.trusted_until -= 61
    assert table_store.table_since(table.code, table.version).names == ["zoe", "bob"]


def test_tables_that_were_read_together_are_read_again_at_different_times(table):
    before = monotonic()
    moments = [table_store.table_by_code(table.code).trusted_until - before for _ in range(20)]
    assert all(30 <= moment <= 61 for moment in moments)
    assert max(moments) - min(moments) > 5


def test_a_table_that_nobody_needs_any_more_is_gone_at_once(table):
    """A twin that kept itself by its seats would stay until Python looks for such things, and every move makes one."""
    gc.collect()
    gc.disable()
    try:
        twin = weakref.ref(table.twin())
        assert twin() is None
    finally:
        gc.enable()


def test_a_seat_of_a_twin_says_what_it_knows_of_the_table_without_asking_for_it(table, django_assert_num_queries):
    table.seats.update(away_since=timezone.now())
    known = table_store.table_by_code(table.code)
    with django_assert_num_queries(0):
        twin = known.twin()
        assert [seat.note for seat in twin.places] == ["not connected"] * 2


def test_what_is_forgotten_is_read_in_a_thread_and_the_move_stays_a_short_one(table):
    table.trusted_until -= 61

    async def known_again():
        return await at_hand(table_store.table_since, table.code, table.version)

    known = run(known_again())
    assert known is not table
    assert at_once(known) is not None


def test_a_position_that_is_not_remembered_is_left_to_a_closer_look(table):
    after = at_once(table)
    assert at_once(after, forgets=True) is None
    assert Move.objects.count() == 1
    assert at_once(after) is not None
