"""The start of a worker's process."""

from __future__ import annotations

import subprocess
import sys

START = """
import sys
import django
django.setup()
from cardsite.celery import start_process
assert "cardsite.urls" not in sys.modules, "they would be loaded anyway"
start_process()
print("cardsite.urls" in sys.modules)
"""


def test_a_worker_loads_all_views_before_its_first_task():
    """Loaded in the first transaction that names an address, they would hold the lock of SQLite for half a second."""
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
