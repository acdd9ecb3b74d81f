"""The garbage collector leaves alone what a process has loaded at its start."""

import gc
import subprocess
import sys

import pytest
from celery.signals import worker_process_init

from cardsite import celery
from infra.garbage import freeze_what_is_loaded


@pytest.fixture(autouse=True)
def _threshold():
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)


def test_what_is_there_is_frozen_and_new_things_are_still_collected():
    there = len(gc.get_objects())
    frozen = gc.get_freeze_count()
    freeze_what_is_loaded()
    assert len(gc.get_objects()) < there / 2 + 100 and gc.get_freeze_count() > frozen
    circle = []
    circle.append(circle)
    del circle
    assert gc.collect() >= 1


def test_a_worker_does_so_when_its_process_begins():
    assert celery.app.main == "cardsite"
    gc.set_threshold(700, 10, 10)
    worker_process_init.send(sender=None)
    assert gc.get_threshold()[0] > 700


def test_the_web_process_does_so_when_it_has_loaded_the_site_and_looks_for_nearly_no_garbage_before():
    code = "import gc, cardsite.asgi; print(gc.get_freeze_count(), sum(age['collections'] for age in gc.get_stats()))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    frozen, collections = map(int, said.split())
    assert frozen > 100_000
    assert collections < 100  # by the thresholds of Python itself there are hundreds
