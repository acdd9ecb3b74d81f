"""One Redis client for each address, whoever asks first."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from infra.redis_client import redis_client

THREADS = 8


@pytest.fixture
def quick_switches():
    """Threads change in the middle of almost everything."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_threads_that_ask_at_once_share_one_client(quick_switches):
    with ThreadPoolExecutor(THREADS) as pool:
        for number in range(50):
            barrier = Barrier(THREADS)

            def ask(_: int, url: str = f"redis://127.0.0.1:1/{number}", barrier: Barrier = barrier) -> object:
                barrier.wait()
                return redis_client(url)

            assert len({id(client) for client in pool.map(ask, range(THREADS))}) == 1


def test_other_options_have_another_client():
    assert redis_client("redis://127.0.0.1:1/0") is not redis_client("redis://127.0.0.1:1/0", socket_timeout=3)
