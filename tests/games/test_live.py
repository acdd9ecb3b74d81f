"""The live channel."""

import asyncio

import pytest
import redis
from asgiref.sync import sync_to_async
from django.db import transaction

from accounts.services import join_account
from games import live, services
from games.live import hub
from games.models import Table
from infra.redis_client import redis_client

pytestmark = pytest.mark.django_db(transaction=True)


async def next_event(stream):
    """The next event as text; comments are left out."""
    while True:
        text = (await asyncio.wait_for(anext(stream), 30)).decode()
        if not text.startswith((":", "retry")):
            return text


async def test_a_reader_hears_that_the_table_moved_and_nothing_more(async_client, table_of, state_of):
    table = await sync_to_async(table_of)("alice", "bob")
    answer = await async_client.get(f"/tables/{table.code}/events/?seen={table.version}")
    assert answer["Content-Type"] == "text/event-stream"
    stream = aiter(answer)
    await asyncio.wait_for(anext(stream), 30)  # it hears

    def move():
        text = str(state_of(table).legal_moves(0)[0])
        services.play_move(table_id=table.pk, seat=0, text=text, version=table.version)

    await sync_to_async(move)()
    version = table.version + 1
    assert await next_event(stream) == f"event: moved\nid: {version}\ndata: {version}\n\n"
    await stream.aclose()


async def test_a_reader_who_missed_something_is_told_at_once(async_client, table_of):
    table = await sync_to_async(table_of)("alice", "bob")
    answer = await async_client.get(f"/tables/{table.code}/events/", headers={"Last-Event-ID": "1"})
    stream = aiter(answer)
    assert f"data: {table.version}\n" in await next_event(stream)
    await stream.aclose()


async def test_who_plays_hears_the_chat_of_the_table_and_not_that_of_those_who_watch(async_client, table_of, person):
    table = await sync_to_async(table_of)("alice", "bob")
    path = f"/tables/{table.code}/events/?seen={table.version}"
    watching = await hears(aiter(await async_client.get(path)))
    await sync_to_async(async_client.force_login)(await sync_to_async(person)("alice"))
    playing = await hears(aiter(await async_client.get(path)))

    def chat():
        live.announce(live.chat_channel(table.code, of_watchers=True), 1)
        live.announce(live.chat_channel(table.code), 2)

    await sync_to_async(chat)()
    assert await next_event(watching) == "event: chat\ndata: 1\n\n"
    assert await next_event(watching) == "event: chat\ndata: 2\n\n"
    assert await next_event(playing) == "event: chat\ndata: 2\n\n"
    await watching.aclose()
    await playing.aclose()


async def test_a_stream_ends_when_the_server_says_bye(async_client, table_of, settings):
    table = await sync_to_async(table_of)("alice", "bob")
    answer = await async_client.get(f"/tables/{table.code}/events/?seen={table.version}")
    stream = aiter(answer)
    await asyncio.wait_for(anext(stream), 30)
    await sync_to_async(live.announce)(settings.LIVE_SYSTEM_CHANNEL, "bye")
    with pytest.raises(StopAsyncIteration):
        await next_event(stream)


async def test_the_streams_of_a_guest_end_when_an_account_takes_his_seats(async_client, table_of, person):
    table = await sync_to_async(table_of)("guest", "bob")
    guest, account = [await sync_to_async(person)(name) for name in ("guest", "account")]
    await sync_to_async(async_client.force_login)(guest)
    answer = await async_client.get(f"/tables/{table.code}/events/?seen={table.version}")
    stream = aiter(answer)
    await asyncio.wait_for(anext(stream), 30)  # it hears
    await sync_to_async(join_account)(guest=guest, user=account)
    version = await Table.objects.values_list("version", flat=True).aget(pk=table.pk)
    assert await next_event(stream) == f"event: moved\nid: {version}\ndata: {version}\n\n"  # others, too, hear of it
    assert await next_event(stream) == live.ACCESS_ENDED
    with pytest.raises(StopAsyncIteration):
        await next_event(stream)


async def close(stream):
    """As the server does when the reader goes away while it sends."""
    await stream.aclose()


async def cancel(stream):
    """As the server does when the reader goes away while nothing happens."""
    reading = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)  # it waits for news
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


@pytest.mark.parametrize("end", [close, cancel])
async def test_a_closed_stream_leaves_nobody_listening(end, async_client, table_of):
    table = await sync_to_async(table_of)("alice", "bob")
    answer = await async_client.get(f"/tables/{table.code}/events/?seen={table.version}")
    stream = aiter(answer)
    await asyncio.wait_for(anext(stream), 30)
    listeners = redis_client(live.settings.LIVE_REDIS_URL).pubsub_numsub
    assert listeners(table.channel) == [(table.channel.encode(), 1)]
    await end(stream)
    assert table.channel not in hub.current_hub().channels
    async with asyncio.timeout(30):
        while listeners(table.channel) != [(table.channel.encode(), 0)]:
            await asyncio.sleep(0.02)


def test_a_move_is_announced_only_once_it_is_stored(table_of, state_of, settings):
    table = table_of("alice", "bob")
    hearing = redis.Redis.from_url(settings.LIVE_REDIS_URL).pubsub(ignore_subscribe_messages=True)
    hearing.subscribe(table.channel)
    hearing.get_message(timeout=30)
    text = str(state_of(table).legal_moves(0)[0])
    with transaction.atomic():
        services.play_move(table_id=table.pk, seat=0, text=text, version=table.version)
        live.announce(table.channel, "not yet")  # goes the same way, so what was said before is heard before
        assert hearing.get_message(timeout=30)["data"] == b"not yet"
    assert hearing.get_message(timeout=30)["data"].startswith(str(table.version + 1).encode())
    hearing.close()


def test_a_move_is_kept_when_the_live_channel_is_down(table_of, state_of, settings):
    table = table_of("alice", "bob")
    settings.LIVE_REDIS_URL = "unix:///nowhere.sock"
    text = str(state_of(table).legal_moves(0)[0])
    table = services.play_move(table_id=table.pk, seat=0, text=text, version=table.version)
    assert table.moves.count() == 1


async def hears(stream):
    """The stream of a reader who has just come, up to where it hears everything."""
    await asyncio.wait_for(anext(stream), 30)
    return stream


async def listeners() -> set[str]:
    """The connections to Redis that wait for announcements; other tests may have left some."""
    server = redis_client(live.settings.LIVE_REDIS_URL)
    return {client["id"] for client in await sync_to_async(server.client_list)(_type="pubsub")}


async def test_streams_share_one_connection_and_each_hears_its_own_table():
    earlier = await listeners()
    one = await hears(live.stream("table:one", lambda: 0, seen=0))
    other = await hears(live.stream("table:other", lambda: 0, seen=0))
    again = await hears(live.stream("table:one", lambda: 0, seen=0, own="user:7"))
    assert len(await listeners() - earlier) == 1
    for channel, version in [("table:other", 3), ("user:7", 5), ("table:one", 4)]:
        await sync_to_async(live.announce)(channel, version)
    assert "data: 4\n" in await asyncio.wait_for(anext(one), 30)
    assert "data: 3\n" in await asyncio.wait_for(anext(other), 30)
    assert await asyncio.wait_for(anext(again), 30) == "event: notice\ndata: 5\n\n"
    assert "event: moved\nid: 4\n" in await asyncio.wait_for(anext(again), 30)
    for stream in (one, other, again):
        await stream.aclose()


async def test_a_reader_who_comes_as_the_last_one_goes_hears_everything():
    for version in range(1, 6):
        going = await hears(live.stream("table:one", lambda: 0, seen=0))
        leaving = asyncio.create_task(going.aclose())
        coming = await hears(live.stream("table:one", lambda: 0, seen=0))
        await leaving
        await sync_to_async(live.announce)("table:one", version)
        assert f"data: {version}\n" in await asyncio.wait_for(anext(coming), 30)
        await coming.aclose()


async def test_streams_end_when_redis_goes_and_the_next_reader_hears_again():
    stream = await hears(live.stream("table:one", lambda: 0, seen=0))
    server = redis_client(live.settings.LIVE_REDIS_URL)
    hub.current_hub().dispatcher.cancel()  # what a connection that cannot be made again comes to
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(stream), 30)
    stream = await hears(live.stream("table:one", lambda: 0, seen=0))
    await sync_to_async(server.publish)("table:one", 9)
    assert "data: 9\n" in await asyncio.wait_for(anext(stream), 30)
    await stream.aclose()


async def test_a_reader_who_comes_while_redis_is_down_does_no_harm_to_the_next(settings):
    right, settings.LIVE_REDIS_URL = settings.LIVE_REDIS_URL, "unix:///nowhere.sock"
    with pytest.raises(redis.ConnectionError):
        await hears(live.stream("table:one", lambda: 0, seen=0))
    settings.LIVE_REDIS_URL = right
    stream = await hears(live.stream("table:one", lambda: 0, seen=0))
    await sync_to_async(live.announce)("system", "bye")
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(stream), 30)
