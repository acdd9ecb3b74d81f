"""A value that is computed once; more about it in tests/tournaments/test_public_page.py."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from infra import once as module
from infra.once import once
from infra.redis_client import redis_client
from infra.release import release

pytestmark = pytest.mark.usefixtures("valkey")


def test_a_slow_request_does_not_free_the_lock_of_another(monkeypatch):
    """Its own has run out meanwhile, and a third request waits for the second."""
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.3)
    begun, may_end = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        may_end.wait(30)
        return "slow"

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(once, "a-key", slow)
        assert begun.wait(30)
        server = redis_client(settings.LIVE_REDIS_URL)
        name = f"once:{release()}:a-key"
        while server.exists(name):
            time.sleep(0.01)
        other = server.lock(name, 60)
        assert other.acquire()
        may_end.set()
        assert first.result(30) == "slow"
        assert other.owned()


def test_a_request_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.2)
    lock = redis_client(settings.LIVE_REDIS_URL).lock(f"once:{release()}:a-key", 60)
    assert lock.acquire()
    assert once("a-key", lambda: "made") == "made"
    assert lock.owned()
