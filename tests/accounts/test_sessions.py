"""Sessions: stored in the database, cached in Redis, and there without it."""

import asyncio
from contextvars import Context

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session

pytestmark = pytest.mark.django_db


def test_a_session_is_read_from_the_cache(as_user, person, django_assert_num_queries):
    browser = as_user(person("alice"))
    browser.get("/accounts/")
    Session.objects.all().delete()
    assert browser.get("/accounts/").context["user"].username == "alice"


def test_pages_work_while_the_cache_cannot_be_written(as_user, person):
    browser = as_user(person("alice"))
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as server:
        server.flushall()
        server.config_set("maxmemory", 1)
        try:
            assert browser.get("/accounts/").context["user"].username == "alice"
        finally:
            server.config_set("maxmemory", 0)


def test_pages_work_without_redis(as_user, person, settings):
    browser = as_user(person("alice"))
    nowhere = {"LOCATION": "redis://127.0.0.1:1", "BACKEND": "accounts.sessions.SessionCache"}
    settings.CACHES = settings.CACHES | {"sessions": nowhere}
    assert browser.get("/accounts/").context["user"].username == "alice"


@pytest.mark.django_db(transaction=True)
async def test_requests_share_the_connections_to_redis(async_client, person):
    await sync_to_async(async_client.force_login)(await sync_to_async(person)("alice"))
    server = redis.Redis.from_url(settings.CACHES["sessions"]["LOCATION"])
    connections = []
    for _ in range(4):
        answer = await asyncio.create_task(async_client.get("/accounts/"), context=Context())  # as a server does
        assert answer.context["user"].username == "alice"
        connections.append(server.info("stats")["total_connections_received"])
    server.close()
    assert connections[1:] == connections[:1] * 3
