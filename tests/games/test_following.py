"""Following: what another process has stored of a table changes this one's memory as if it had read it."""

import asyncio
import json
from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from games import live, services
from games.engines import GAMES
from games.fast_moves import following
from games.live import hub
from games.models import Table
from games.record import changes, replay, table_store
from games.record.table_store import Snapshot
from games.signals import table_stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fast_moves(settings):
    settings.FAST_MOVES = True


def fields(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


class OtherProcess:
    """The memory of a process that hears what this one stores."""

    def __init__(self, table):
        self.channel = table.channel
        self.code = table.code
        self.hearing = redis.Redis.from_url(settings.LIVE_REDIS_URL).pubsub(ignore_subscribe_messages=True)
        self.hearing.subscribe(table.channel)
        while not self.hearing.subscribed or self.hearing.get_message(timeout=0.1):
            pass
        self.table, self.position, self.rows = Snapshot(table_store.table_by_code(table.code)), None, None

    def heard(self):
        """What has been announced since: version and what was stored."""
        live.announce(self.channel, "nothing more")  # goes the same way, so what was said before is heard before
        found = []
        while message := self.hearing.get_message(timeout=10):
            told, _, stored = message["data"].partition(b"\n")
            if told == b"nothing more":
                return found
            found.append((int(told.split()[0]), stored))
        raise AssertionError("Redis does not pass on what is announced")

    def enter(self):
        """This process now has the memory of the other one."""
        for cache, value in (
            (table_store._newest, self.table), (replay._newest, self.position), (replay._recent_rows, self.rows),
        ):  # fmt: skip
            cache.clear()
            if value is not None:
                cache.set(self.code, value)

    def leave(self):
        self.table, self.position = table_store.cached_snapshot(self.code), replay._newest.get(self.code)
        self.rows = replay._recent_rows.get(self.code)

    def take_over(self, heard):
        for version, stored in heard:
            if stored:
                following.take_over(None, channel=self.channel, version=version, stored=stored)


def play(table, choose=-1):
    table = Table.objects.with_seats().get(pk=table.pk)
    state = replay.state_of(table)
    seat = state.to_act[0]
    text = str(state.legal_moves(seat)[choose])
    return services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_memory_that_follows_a_game_is_what_one_would_read(game, table_of, django_assert_num_queries):
    names = [f"player{seat}" for seat in range(min(game.seats))]
    table = table_of(*names, game=game.slug, move_seconds=45)
    other = OtherProcess(table)
    other.enter()
    replay.position_of(other.table.table)
    other.leave()
    for _ in range(6):
        table = play(table)
        heard = other.heard()
        other.enter()
        with django_assert_num_queries(0):
            other.take_over(heard)
            followed = table_store.table_since(table.code, table.version)
            position = replay.position_of(followed).dump()
        other.leave()
        replay._newest.clear()
        read = table_store.table_by_code(table.code)
        assert fields(followed) == fields(read)
        assert [fields(seat) for seat in followed.seat_rows] == [fields(seat) for seat in read.seat_rows]
        assert all(seat.table == followed and seat.table.version == read.version for seat in followed.seat_rows)
        assert position == replay.position_of(read).dump()


def test_the_end_of_a_game_is_followed(table_of, play_on):
    table = play_on(table_of("alice", "bob", deals=1), 1)
    other = OtherProcess(table)
    table = play_on(table, None)
    heard = other.heard()
    other.enter()
    other.take_over(heard)
    followed = table_store.cached_snapshot(table.code).table
    assert followed.is_over
    assert fields(followed) == fields(table_store.table_by_code(table.code))


def test_a_player_who_comes_with_a_move_has_come_for_all_processes(person):
    players = [person("alice"), person("bob")]
    table = services.seat_and_start(game="casino", players=players, options=None, move_seconds=45, appear_seconds=60)
    other = OtherProcess(table)
    play(table)
    heard = other.heard()
    other.enter()
    other.take_over(heard)
    assert sorted(seat.has_come for seat in table_store.cached_snapshot(table.code).table.seat_rows) == [False, True]


def test_a_missed_version_is_read_instead(table_of):
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    for _ in range(2):
        table = play(table)
    [_, last] = other.heard()
    other.enter()
    other.take_over([last])
    assert table_store.cached_snapshot(table.code).table.version < table.version
    read = table_store.table_since(table.code, table.version)
    assert read.version == table.version
    assert replay.position_of(read).dump() == replay.position_of(Table.objects.get(pk=table.pk)).dump()


def test_what_is_heard_twice_or_late_changes_nothing(table_of):
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    for _ in range(2):
        table = play(table)
    heard = other.heard()
    other.enter()
    other.take_over([*heard, *heard, heard[0]])
    assert table_store.cached_snapshot(table.code).table.version == table.version


def test_another_release_is_not_understood(table_of):
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    play(table)
    [(version, stored)] = other.heard()
    other.enter()
    other.take_over([(version, json.dumps(json.loads(stored) | {"release": "older"}).encode())])
    assert table_store.cached_snapshot(table.code).table.version == version - 1
    assert changes.decode(stored) is not None


def test_a_followed_table_is_believed_no_longer_than_the_one_that_was_read(table_of):
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    play(table)
    heard = other.heard()
    other.enter()
    other.take_over(heard)
    assert table_store.cached_snapshot(table.code).trusted_until == other.table.trusted_until


def test_changes_that_are_no_moves_are_only_announced(table_of, person):
    """An agreement, say: the other process reads the table when it needs it."""
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    services.pause_table(table_id=table.pk)
    assert [stored for _, stored in other.heard()] == [b""]


def test_without_the_fast_path_nothing_is_told(table_of, settings):
    settings.FAST_MOVES = False
    table = table_of("alice", "bob")
    other = OtherProcess(table)
    play(table)
    assert [stored for _, stored in other.heard()] == [b""]


# Hearing


async def hear(channel, *names, until):
    """Follows these channels and collects what `table_stored` says, until it has said so much."""
    heard = []

    def note(sender, channel, version, stored, **kwargs):
        heard.append((channel, version, stored))

    table_stored.connect(note)
    try:
        async with asyncio.timeout(30):
            while len(heard) < until:
                await asyncio.sleep(0.01)
    finally:
        table_stored.disconnect(note)
    return heard


async def test_a_process_hears_the_tables_that_it_follows_and_no_stream_gets_what_is_stored():
    secret = json.dumps({"cards": "QS"})
    stream = live.stream("table:a", lambda: 0)
    assert "retry" in await anext(stream)
    assert "moved" in await anext(stream)
    await hub.follow("table:b")
    assert hub.is_following("table:b") and not hub.is_following("table:a")
    heard = asyncio.create_task(hear("table:a", "table:b", until=2))
    await asyncio.sleep(0)
    for channel in ("table:a", "table:b"):
        live.announce(channel, 7, shown_to=3, stored=secret)
    assert await heard == [("table:a", 7, secret.encode()), ("table:b", 7, secret.encode())]
    assert await anext(stream) == "event: moved\nid: 7\ndata: 7\n\n"
    await stream.aclose()
    assert "table:b" in hub.current_hub().channels and "table:a" not in hub.current_hub().channels


async def test_a_followed_table_stays_heard_when_its_last_stream_ends():
    await hub.follow("table:a")
    stream = live.stream("table:a", lambda: 0)
    await anext(stream)
    await stream.aclose()
    assert "table:a" in hub.current_hub().channels


async def test_the_tables_that_were_not_used_for_longest_are_followed_no_more(monkeypatch):
    monkeypatch.setattr(hub, "FOLLOWED", 2)
    for name in ("table:a", "table:b"):
        await hub.follow(name)
    assert hub.is_following("table:a")
    await hub.follow("table:c")
    assert [hub.is_following(f"table:{name}") for name in "abc"] == [True, False, True]
    assert {name for name in hub.current_hub().channels if name.startswith("table:")} == {"table:a", "table:c"}


def test_times_are_told_to_the_microsecond(table_of):
    table = table_of("alice", "bob", move_seconds=45)
    table.deadline_at = timezone.now() + timedelta(microseconds=7)
    row = replay.RecordRow(1, 0, "x", None)
    move = table.moves.model(number=row.number, seat=row.seat, text=row.text)
    copied = table_store.table_by_code(table.code)
    changes.decode(changes.encode(table, move, ["deadline_at"])).apply_to(copied)
    assert copied.deadline_at == table.deadline_at
