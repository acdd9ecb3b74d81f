"""Waiting for what another process does, as long as it takes within a limit."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 120


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)
