"""Waiting for what another process does, as long as it takes within a limit."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 240


def wait_until(condition: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)
