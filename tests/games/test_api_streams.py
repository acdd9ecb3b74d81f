"""Streams of the HTTP API: each version as the reader's own view, and an end as soon as token or permission ends."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from accounts import services as accounts
from accounts import tokens
from games import live, services
from games.models import Table
from games.record import replay
from tests.api import V1, Program, problem
from tests.games.open_cards import check, may_know
from tests.tournaments.test_api import planned
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


class Lines:
    """An open stream of this program, in lines of JSON."""

    def __init__(self, program, table, *, path="", **query):
        self.program, self.path, self.query = program, V1 + (path or f"/tables/{table.code}/stream"), query

    async def __aenter__(self):
        headers = self.program.headers | {"Accept": "application/x-ndjson"}
        self.answer = await AsyncClient().get(self.path, self.query, headers=headers)
        assert self.answer["Content-Type"].startswith("application/x-ndjson")
        self.stream = aiter(self.answer)
        return self

    async def __aexit__(self, *error):
        await self.stream.aclose()

    async def next(self):
        line = json.loads(await asyncio.wait_for(anext(self.stream), 30))
        return line["event"], line["data"]

    async def is_over(self):
        try:
            event, _ = await self.next()
        except StopAsyncIteration:
            return True
        return event == "closed"


def move(table):
    table = Table.objects.with_seats().get(pk=table.pk)
    state = replay.state_of(table)
    text = str(state.legal_moves(state.to_act[0])[0])
    return services.play_move(table_id=table.pk, seat=state.to_act[0], text=text, version=table.version)


@pytest.fixture
async def table(table_of):
    return await sync_to_async(table_of)("alice", "bob", game="gin-rummy", secret=bytes(range(32)))


@pytest.fixture
async def alice(person):
    return await sync_to_async(lambda: Program(person("alice")))()


async def test_a_stream_sends_what_the_table_answers_and_no_more(table, alice, person):
    mallory = await sync_to_async(lambda: Program(person("mallory")))()
    async with Lines(alice, table) as own, Lines(mallory, table) as watching:
        for lines, program in ((own, alice), (watching, mallory)):
            event, shown = await lines.next()
            assert event == "table"
            assert shown == (await sync_to_async(program.get)(f"/tables/{table.code}")).json()
        for _ in range(4):
            moved = await sync_to_async(move)(table)
            for lines, program in ((own, alice), (watching, mallory)):
                _, shown = await lines.next()
                assert shown["version"] == moved.version
                known = await sync_to_async(may_know)(moved, program.user.pk)
                check("the stream", json.dumps(shown), moved, known)


async def test_a_stream_is_server_sent_events_unless_lines_are_asked_for(table, alice):
    answer = await AsyncClient().get(f"{V1}/tables/{table.code}/stream", headers=alice.headers)
    assert answer["Content-Type"].startswith("text/event-stream")
    stream = aiter(answer)
    text = (await asyncio.wait_for(anext(stream), 30)).decode()
    assert text.startswith(f"event: table\nid: {table.version}\ndata: {{") and text.endswith("}\n\n")
    await stream.aclose()


async def test_a_reader_is_not_told_twice(table, alice):
    async with Lines(alice, table, seen=table.version) as lines:
        waiting = asyncio.create_task(lines.next())
        await asyncio.sleep(0.2)  # it hears
        moved = await sync_to_async(move)(table)
        assert (await waiting)[1]["version"] == moved.version


def suspend(program):
    accounts.suspend_account(user=program.user, why="cheating")


def revoke(program):
    tokens.revoke_token(program.token)


def close(program):
    accounts.close_account(user=program.user)


@pytest.mark.parametrize("end", [revoke, suspend, close])
async def test_a_stream_ends_with_its_token(table, alice, end):
    async with Lines(alice, table) as lines:
        await lines.next()
        await sync_to_async(end)(alice)
        assert await lines.is_over()


async def test_no_card_is_shown_after_a_token_was_revoked_without_a_word(table, alice):
    """As when Redis has lost the message."""
    async with Lines(alice, table) as lines:
        await lines.next()
        await sync_to_async(lambda: tokens.ApiToken.objects.update(revoked_at="2026-01-01T00:00Z"))()
        await sync_to_async(move)(table)
        assert await lines.is_over()


async def test_a_stream_ends_for_whom_a_table_is_hidden(table, person):
    mallory = await sync_to_async(lambda: Program(person("mallory")))()
    async with Lines(mallory, table) as lines:
        await lines.next()
        await Table.objects.filter(pk=table.pk).aupdate(is_hidden=True, version=table.version + 1)
        await sync_to_async(live.announce)(table.channel, table.version + 1)
        assert await lines.is_over()


async def test_a_stream_ends_with_its_game(table, alice):
    async with Lines(alice, table) as lines:
        await lines.next()
        await sync_to_async(alice.post)(f"/tables/{table.code}/leave")
        assert (await lines.next())[1]["status"] == "finished"
        with pytest.raises(StopAsyncIteration):
            await lines.next()


async def test_a_tournament_is_followed(alice, person):
    event = await sync_to_async(planned)()
    async with Lines(alice, event, path=f"/tournaments/{event.pk}/stream") as lines:
        name, shown = await lines.next()
        assert (name, shown["own_entry"]) == ("tournament", None)
        await sync_to_async(alice.post)(f"/tournaments/{event.pk}/enter")
        await Event.objects.filter(pk=event.pk).aupdate(version=event.version + 1)
        await sync_to_async(live.announce)(f"event:{event.pk}", event.version + 1)
        assert (await lines.next())[1]["own_entry"]["status"] == "entered"
        await sync_to_async(revoke)(alice)
        assert await lines.is_over()


async def test_a_stream_needs_a_token(table):
    answer = await AsyncClient().get(f"{V1}/tables/{table.code}/stream")
    assert problem(answer) == (401, "unauthorized")
