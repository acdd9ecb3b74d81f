"""The stream of an account in the HTTP API: its games and its notices, and no one else's."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from accounts import tokens
from games import services as games
from games.models import Table
from notifications.models import Notice
from notifications.services import notify
from tests.api import Program
from tests.games.test_api_streams import Lines, move
from tests.tournaments.test_api import bot_of

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = sync_to_async


@pytest.fixture
async def alice(person):
    return await in_thread(lambda: Program(person("alice")))()


def follow(program, **query):
    return Lines(program, None, path="/stream", **query)


def tell(program, text):
    notify(program.user, key=text, text=text, url="/play/")
    return Notice.objects.get(user=program.user, key=text)


async def test_a_stream_begins_with_running_games_and_tells_of_their_end(alice, table_of):
    table = await in_thread(table_of)("alice", "bob")
    await in_thread(table_of)("carol", "dave", secret=bytes([1] * 32))
    async with follow(alice) as lines:
        event, shown = await lines.next()
        assert (event, shown["code"], shown["is_your_turn"]) == ("game", table.code, True)
        await in_thread(games.resign)(table_id=table.pk, user=alice.user)
        event, shown = await lines.next()
        assert (event, shown["code"], shown["is_your_turn"]) == ("game", table.code, False)
        assert shown["finished_at"] and shown["result"]


async def test_a_bot_hears_of_a_new_game_and_of_its_turn(person, table_of):
    program = await in_thread(bot_of)("alice")
    async with follow(program) as lines:
        waiting = asyncio.create_task(lines.next())
        table = await in_thread(table_of)("bob", program.user.username)
        event, shown = await waiting
        assert (event, shown["code"], shown["status"]) == ("game", table.code, "running")
        table = await in_thread(move)(table)
        while not shown["is_your_turn"]:
            event, shown = await lines.next()
        assert (event, shown["version"]) == ("game", table.version)


async def test_old_notices_are_not_sent_unless_they_are_asked_for(alice, table_of):
    await in_thread(tell)(alice, "An old one.")
    await in_thread(table_of)("alice", "bob")
    async with follow(alice) as lines:
        assert (await lines.next())[0] == "game"


async def test_notices_come_once_and_only_ones_own(alice, person):
    bob = await in_thread(lambda: Program(person("bob")))()
    old = await in_thread(tell)(alice, "An old one.")
    async with follow(alice, seen=old.pk) as lines:
        waiting = asyncio.create_task(lines.next())
        async with follow(alice, seen=old.pk - 1) as again:
            assert (await again.next())[1]["text"] == "An old one."
            await in_thread(tell)(bob, "For bob.")
            new = await in_thread(tell)(alice, "alice is challenged.")
            for event, shown in (await waiting, await again.next()):
                assert event == "notice"
                assert (shown["id"], shown["text"], shown["url"]) == (new.pk, "alice is challenged.", "/play/")


async def test_a_stream_ends_with_its_token(alice):
    async with follow(alice) as lines:
        waiting = asyncio.create_task(lines.is_over())
        await in_thread(tokens.revoke_token)(alice.token)
        assert await waiting


async def test_nothing_is_sent_after_a_token_was_revoked_without_a_word(alice, table_of):
    """As when Redis has lost the message."""
    await in_thread(table_of)("alice", "bob")
    async with follow(alice) as lines:
        assert (await lines.next())[0] == "game"
        await in_thread(lambda: tokens.ApiToken.objects.update(revoked_at="2026-01-01T00:00Z"))()
        await in_thread(tell)(alice, "Not for you.")
        assert await lines.is_over()


async def test_a_game_by_earlier_rules_is_left_out(alice, table_of):
    table = await in_thread(table_of)("alice", "bob")
    older = await in_thread(table_of)("alice", "carol", secret=bytes([1] * 32))
    await Table.objects.filter(pk=older.pk).aupdate(rules_version=0)
    async with follow(alice) as lines:
        event, shown = await lines.next()
        assert (event, shown["code"]) == ("game", table.code)
