"""`judge` decides about every move and changes nothing: the fast path and `play_move` only store what it accepts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.core.contract import GameError
from games.models import Move
from games.record import replay, table_store
from games.record.table_store import Snapshot
from games.services.common import Accepted, Effects, StalePosition, TableError
from games.services.moves import TimeIsUp, judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(table_of):
    return Snapshot(table_store.table_by_code(table_of("alice", "bob", move_seconds=45).code))


def first_move(snapshot, **changes):
    """What `judge` is asked about the first legal move, but for the changes."""
    seat = snapshot.position.to_act[0]
    table = snapshot.table
    asked = {"seat": seat, "text": str(snapshot.position.legal_moves(seat)[0]), "version": table.version}
    return asked | {"user_id": table.seat_rows[seat].user_id, "held": None} | changes


def fields_of(table):
    return {field.attname: getattr(table, field.attname) for field in table._meta.concrete_fields}


def test_a_move_is_accepted_without_a_query_or_a_change(snapshot, django_assert_num_queries):
    before = fields_of(snapshot.table), str(snapshot.position.dump())
    asked = first_move(snapshot)
    with django_assert_num_queries(0):
        verdict = judge(snapshot, now=timezone.now(), **asked)
    assert isinstance(verdict, Accepted)
    assert verdict.effects == Effects()
    assert (verdict.changes["move_count"], verdict.changes["position_version"]) == (1, snapshot.table.version + 1)
    assert verdict.row.text == asked["text"]
    assert (fields_of(snapshot.table), str(snapshot.position.dump())) == before
    assert not Move.objects.exists()


def test_what_is_accepted_is_what_play_move_stores(snapshot):
    asked = first_move(snapshot)
    verdict = judge(snapshot, now=timezone.now(), **asked)
    table = services.play_move(table_id=snapshot.table.pk, **asked)
    assert str(replay.state_of(table).dump()) == str(verdict.state.dump())
    assert (table.move_count, table.position_version) == (1, verdict.changes["position_version"])


REFUSALS = {
    "made at an older position": ({"version": -1}, StalePosition),
    "by someone who does not sit there": ({"user_id": 0}, TableError),
    "unreadable": ({"text": "no such move"}, GameError),
    "illegal": ({"text": "trail AC with nothing"}, GameError),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_given_and_play_move_raises_the_same(snapshot, case):
    changes, kind = REFUSALS[case]
    asked = first_move(snapshot, **changes)
    refusal = judge(snapshot, now=timezone.now(), **asked)
    assert isinstance(refusal, kind)
    with pytest.raises(type(refusal)) as raised:
        services.play_move(table_id=snapshot.table.pk, **asked)
    assert str(raised.value) == str(refusal)


def test_after_the_deadline_the_clock_acts_first(snapshot):
    late = judge(snapshot, now=timezone.now() + timedelta(minutes=2), **first_move(snapshot))
    assert isinstance(late, TimeIsUp)
    assert [place.number for place in late.late] == [snapshot.position.to_act[0]]


def test_the_last_move_ends_the_game(table_of, play_on):
    table = table_of("alice", "bob", deals=1)
    play_on(table, None)
    last = Move.objects.latest("number")
    table = table_store.table_by_code(table.code)
    table.status, table.move_count = table.Status.RUNNING, last.number - 1
    verdict = judge(Snapshot(table), seat=last.seat, text=last.text, version=table.version, now=timezone.now())
    assert verdict.effects.outcome is not None
    assert table.result["scores"] == [*verdict.effects.outcome.scores]
