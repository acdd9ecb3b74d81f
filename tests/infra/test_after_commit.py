"""After-commit callbacks of a change that an event loop stores: what may block is called in a thread."""

import threading

from infra.after_commit import DeferredCallbacks, nonblocking, on_commit
from tests.loop import run


def test_nothing_follows_before_the_change_is_stored_and_slow_calls_leave_the_loop():
    seen = []

    @nonblocking
    def quick(name):
        seen.append((name, threading.current_thread()))

    def slow(name):
        seen.append((name, threading.current_thread()))

    async def change():
        callbacks = DeferredCallbacks()
        with callbacks.capture():
            on_commit(slow, "bot is called")
            on_commit(quick, "version is remembered")
        assert seen == []
        await callbacks.run()

    run(change())
    assert [name for name, _ in seen] == ["version is remembered", "bot is called"]
    assert [thread is threading.main_thread() for _, thread in seen] == [True, False]


def test_what_fails_afterwards_hinders_nothing_else(caplog):
    seen = []

    @nonblocking
    def fails():
        raise ConnectionError("no Redis")

    async def change():
        callbacks = DeferredCallbacks()
        with callbacks.capture():
            on_commit(fails)
            on_commit(seen.append, "told")
        await callbacks.run()

    run(change())
    assert seen == ["told"]
    assert "no Redis" in caplog.text
