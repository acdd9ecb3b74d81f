"""What visitors get while the database or Redis cannot serve them."""

import sqlite3
from contextlib import contextmanager

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test import RequestFactory

from accounts.models import User
from cardsite.web.unavailable import handler500
from games.models import Table

pytestmark = pytest.mark.django_db(transaction=True)

SHORT_MS = 50
FORM = {"username": "carol", "password": "seven of clubs"}


@contextmanager
def busy_database():
    """Another connection holds the lock that every account needs, and ours waits for it only a moment."""
    if connection.vendor == "sqlite":
        usual = f"PRAGMA busy_timeout = {connection.settings_dict['OPTIONS']['timeout'] * 1000}"
        lock, short = "BEGIN IMMEDIATE", f"PRAGMA busy_timeout = {SHORT_MS}"
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    else:
        usual, short = "SET lock_timeout = 0", f"SET lock_timeout = {SHORT_MS}"
        lock = f'LOCK TABLE "{User._meta.db_table}" IN ACCESS EXCLUSIVE MODE'
        other = psycopg.connect(**connection.get_connection_params())
    try:
        execute(short)
        other.execute(lock)
        yield
    finally:
        other.rollback()
        other.close()
        execute(usual)


def execute(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


def assert_busy(answer):
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "The site is busy" in answer.content.decode()
    assert "Content-Security-Policy" in answer


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}, {"Accept": "application/json"}])
def test_a_busy_database_is_answered_503_and_nothing_is_lost(client, headers):
    client.raise_request_exception = False
    with busy_database():
        assert_busy(client.post("/accounts/sign-up/", FORM, headers=headers))
    assert not User.objects.exists()
    assert client.post("/accounts/sign-up/", FORM).status_code == 302
    assert User.objects.get().username == "carol"


@pytest.mark.only_on("sqlite")
def test_a_move_that_meets_a_busy_database_can_be_played_again(client, table_of, person, state_of):
    table = table_of("alice", "bob")
    client.force_login(person("alice"))
    client.raise_request_exception = False
    path, sent = (
        f"/tables/{table.code}/moves/",
        {"version": table.version, "text": str(state_of(table).view(0).moves[0])},
    )
    with busy_database():
        assert_busy(client.post(path, sent))
    assert Table.objects.get(pk=table.pk).move_count == 0
    assert client.post(path, sent).status_code == 302
    assert Table.objects.get(pk=table.pk).move_count == 1


@pytest.fixture
def full_valkey():
    """It refuses every write, as it does when its disk is full."""
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as server:
        server.config_set("maxmemory", 1)
        try:
            yield
        finally:
            server.config_set("maxmemory", 0)


def test_a_throttled_post_is_answered_503_while_nothing_can_be_counted(client, full_valkey):
    client.raise_request_exception = False
    assert_busy(client.post("/accounts/sign-up/", FORM))
    assert not User.objects.exists()


def answer_to(failing):
    try:
        failing()
    except Exception:
        return handler500(RequestFactory().get("/"))


def test_a_mistake_of_our_own_stays_a_500():
    assert answer_to(lambda: int("a bug")).status_code == 500
    assert answer_to(lambda: execute("SELECT nothing FROM nowhere")).status_code == 500


@pytest.mark.only_on("sqlite")
def test_a_full_disk_of_the_database_is_answered_503():
    execute("PRAGMA max_page_count = 1")  # as large as it is now
    try:
        assert answer_to(lambda: execute("CREATE TABLE large AS SELECT zeroblob(50000000)")).status_code == 503
    finally:
        execute("PRAGMA max_page_count = 1073741823")
