"""Somebody who says something, who hears it, and who judges it."""

import pytest
import redis


@pytest.fixture
def say(person):
    """`say("alice", table, "hello there")`: she says it, or a phrase or reaction of that key, if she may."""
    from chat import services

    def act(name, table, text, kind="free"):
        return services.post_line(table_id=table.pk, user=person(name), kind=kind, text=text)

    return act


@pytest.fixture
def heard(person):
    """`heard("bob", table)`: the words of all that he may read at the table now."""
    from chat import services
    from games.models import Table

    def read(name, table):
        return [line.words for line in services.visible_lines(Table.objects.get(pk=table.pk), person(name))]

    return read


@pytest.fixture
def moderator(person):
    from django.contrib.auth.models import Group

    from chat.apps import MODERATORS

    user = person("mona")
    user.groups.add(Group.objects.get(name=MODERATORS))
    return user


@pytest.fixture
def announced(settings, valkey):
    """`announced()`: the channels of chats on which pages have heard something since the last call."""
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as server, server.pubsub() as hearing:
        hearing.psubscribe("chat:*", "watchers:*")
        for _ in range(2):
            assert hearing.get_message(timeout=5)["type"] == "psubscribe"

        def since():
            server.publish("chat:", "until here")
            heard = iter(lambda: hearing.get_message(timeout=5)["channel"].decode(), "chat:")
            return set(heard)

        yield since
