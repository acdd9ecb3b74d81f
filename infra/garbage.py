"""Garbage collection: settings for processes that run long."""

import gc


def collect_seldom() -> None:
    """For the start of a process: what it loads stays, and looking for garbage there would take a fifth of its time."""
    gc.set_threshold(100_000)


def freeze_what_is_loaded() -> None:
    """Leaves alone from now on what a process has loaded at its start, code above all.

    What is made later is looked through soon and once, a few milliseconds at a time. To look through all of it, every
    few seconds, would stop every table for half a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 500, 100)
