"""The fixtures of tests/conftest.py do what they promise."""

import os
import time
from pathlib import Path

import pytest
import redis
from celery import current_app
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection
from playwright.sync_api import expect

from accounts.models import User


def test_valkey_is_the_sessions_own(valkey: None) -> None:
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as client:
        socket_path = client.connection_pool.connection_kwargs["path"]
        assert client.config_get("unixsocket")["unixsocket"] == socket_path
    assert Path(socket_path).parent == settings.VAR_DIR


@pytest.mark.parametrize("run", [1, 2])
def test_valkey_is_empty_when_a_test_starts(valkey: None, run: int) -> None:
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as client:
        assert client.dbsize() == 0
        client.set("left behind", run)


@pytest.mark.parametrize("run", [1, 2])
@pytest.mark.django_db(transaction=True)
def test_what_a_test_commits_goes_and_what_migrations_made_stays(run: int) -> None:
    assert not User.objects.exists()
    assert Group.objects.get(name="Directors").permissions.get().codename == "add_event"
    User.objects.create(username="left behind")


def test_eager_task_runs_in_the_caller(eager_tasks: None) -> None:
    done = []

    @current_app.task(name="tests.note")
    def note() -> None:
        done.append(os.getpid())

    note.delay()
    assert done == [os.getpid()]


def test_worker_uses_the_test_database_and_survives_a_kill(celery_worker_process) -> None:
    """The worker answers over the real broker, dies by SIGKILL with its pool, and comes back."""
    first = celery_worker_process.worker.process.pid
    assert answer() == {"ok": "pong"}
    environ = Path(f"/proc/{first}/environ").read_text().split("\0")
    assert any(v.startswith("DATABASE_URL=") and str(connection.settings_dict["NAME"]) in v for v in environ)
    celery_worker_process.kill()
    assert not group_is_alive(first)
    assert answer(seconds=1) is None
    celery_worker_process.start()
    assert answer() == {"ok": "pong"}
    assert celery_worker_process.worker.process.pid != first


def answer(*, seconds: int = 30) -> dict[str, str] | None:
    """What the first worker says to a ping, None if none answers in time."""
    replies = current_app.control.ping(timeout=seconds, limit=1)
    return next((reply for answered in replies for reply in answered.values()), None)


def group_is_alive(group: int) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


def test_live_site_sees_what_the_test_stores(live_url: str, page) -> None:
    User.objects.create_superuser("boss", password="secret")
    page.goto(f"{live_url}/admin/")
    page.fill("#id_username", "boss")
    page.fill("#id_password", "secret")
    page.click("[type=submit]")
    expect(page.locator("#user-tools")).to_contain_text("Welcome")


def test_two_browsers_have_their_own_cookies(live_url: str, new_context) -> None:
    first, second = new_context(), new_context()
    for context in (first, second):
        context.new_page().goto(f"{live_url}/admin/login/")
    assert first.cookies()[0]["value"] != second.cookies()[0]["value"]
