"""The start of a worker, before it forks."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import gc
import sys
import django
from celery.signals import worker_init
django.setup()
from cardsite.celery import app
assert "cardsite.urls" not in sys.modules, "they would be loaded anyway"
worker_init.send(sender=app)
print("cardsite.urls" in sys.modules, gc.get_freeze_count())
"""


@pytest.fixture(scope="module")
def said() -> list[str]:
    return subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True).stdout.split()


def test_a_worker_loads_all_views_before_its_first_task(said: list[str]) -> None:
    """Loaded in the first transaction that names an address, they would hold the lock of SQLite for half a second."""
    assert said[0] == "True"


def test_a_worker_leaves_what_it_has_loaded_to_its_processes_and_no_garbage_collector(said: list[str]) -> None:
    assert int(said[1]) > 100_000
