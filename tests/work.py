"""Work of a function, counted in calls and not in seconds, so that a slow or busy machine changes nothing."""

import sys
from collections.abc import Callable
from types import FrameType


def calls_in(function: Callable[[], object]) -> int:
    """How many functions, of Python and of C, `function` calls in all. An error of its own passes through."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
