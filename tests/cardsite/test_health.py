import time
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from cardsite.web import health

pytestmark = pytest.mark.django_db


def ticked(seconds_ago: float) -> None:
    for name in health.TICK_TASKS:
        cache.set(f"last-run:{name}", time.time() - seconds_ago)


def test_site_is_well_while_it_ticks(client: Client) -> None:
    began = time.time()
    ticked(seconds_ago=1)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["database"] == answer.json()["redis"] == "ok"
    assert 1 <= answer.json()["ticks"]["games.tasks.tick"] <= round(1 + time.time() - began, 1)


def test_a_web_process_is_well_although_no_worker_ticks(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "redis": "ok"})
    assert client.get("/readyz").status_code == 503


@pytest.mark.parametrize("name", health.TICK_TASKS)
def test_site_is_not_well_when_one_tick_is_late(client: Client, name: str) -> None:
    ticked(seconds_ago=1)
    cache.set(f"last-run:{name}", time.time() - health.LATE_SECONDS - 1)
    assert client.get("/readyz").status_code == 503


def test_site_is_not_well_before_the_first_tick(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["ticks"] == dict.fromkeys(health.TICK_TASKS)


def test_each_process_is_asked_by_its_address_whatever_visitors_have_to_do(client: Client, settings) -> None:
    ticked(seconds_ago=1)
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["cards.example"]
    assert client.get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert client.get("/", headers={"host": "10.0.0.7:8000"}).status_code in (301, 400)
    assert client.post("/healthz").status_code == 405


def test_lost_redis_is_reported_and_not_a_crash(client: Client, settings) -> None:
    location = {"LOCATION": "redis://127.0.0.1:1", "BACKEND": "django.core.cache.backends.redis.RedisCache"}
    settings.CACHES = {"default": location}
    for path in ("/healthz", "/readyz"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["redis"]) == (503, "unreachable")


def test_only_a_tick_that_ended_well_counts(eager_tasks: None) -> None:
    class Task:
        name = "games.tasks.other"

    health.note_tick(sender=Task)
    assert cache.get("last-run:games.tasks.other") is None
    Task.name, before = health.TICK_TASKS[0], time.time()
    health.note_tick(sender=Task)
    assert before <= cache.get(f"last-run:{health.TICK_TASKS[0]}") <= time.time()


def test_a_process_that_is_down_is_named_under_the_supervisor(client: Client, settings, tmp_path: Path) -> None:
    ticked(seconds_ago=1)
    assert "processes" not in client.get("/readyz").json()
    path = tmp_path / "processes.json"
    settings.PROCESSES_FILE = str(path)
    assert client.get("/readyz").status_code == 200  # not written yet
    path.write_text('{"web": "running", "slow-worker": "down"}')
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["processes"]["slow-worker"]) == (503, "down")
    path.write_text('{"web": "running", "slow-worker": "running"}')
    assert client.get("/readyz").status_code == 200
