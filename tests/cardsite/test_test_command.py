"""`manage.py test`: browser tests run beside the others, and a test that fails runs once more."""

import pytest

from cardsite.management.commands.test import Command, Part

FLAKY = """
from pathlib import Path

def test_that_is_slow_once():
    first, seen = not Path("seen").exists(), Path("seen").write_text("")
    assert not first

def test_that_passes():
    Path("runs").open("a").write("x")
"""
BROKEN = """
def test_that_is_broken():
    assert False
"""
MEETING = """
import time
from pathlib import Path

def meet(own, other):
    Path(own).write_text("")
    deadline = time.monotonic() + 60
    while not Path(other).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return Path(other).exists()

def test_here():
    assert meet("here", "there")

def test_there():
    assert meet("there", "here")
"""


@pytest.fixture
def run_tests(tmp_path, monkeypatch, capfd):
    """What the command prints and its exit code, for a project with only these tests: `(output, code)`.

    `beside=("-k", "there")`: these arguments choose what runs beside the others.
    """

    def run(source, *arguments, beside=()):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "test_project.py").write_text(source)
        monkeypatch.chdir(tmp_path)
        command, code = Command(), 0
        command.run(
            Part("these", "These tests", arguments),
            meanwhile=Part("others", "Others meanwhile", beside) if beside else None,
        )
        try:
            command.conclude()
        except SystemExit as stop:
            code = stop.code
        return capfd.readouterr().out, code

    return run


def line_of(output, title):
    """What the end of the output says of a run."""
    return next(line for line in reversed(output.splitlines()) if line.startswith(title + ":  ")).split(":  ")[-1]


def test_what_fails_once_is_named_and_does_not_count(run_tests, tmp_path):
    output, code = run_tests(FLAKY)
    assert code == 0
    assert "PASSED test_project.py::test_that_is_slow_once" in output
    assert "passed, those named above at the second try" in line_of(output, "These tests")
    assert "passed" in line_of(output, "These tests: what failed, alone")
    assert (tmp_path / "runs").read_text() == "x"  # only what failed runs again


def test_what_is_broken_fails_twice(run_tests):
    output, code = run_tests(BROKEN)
    assert output.count("FAILED test_project.py::test_that_is_broken") == 2
    assert "FAILED" in line_of(output, "These tests: what failed, alone")
    assert code == "Some tests failed; see above."


def test_what_runs_meanwhile_runs_at_the_same_time_and_is_shown_afterwards(run_tests):
    output, code = run_tests(MEETING, "-k", "test_here", beside=("-k", "test_there"))
    assert code == 0
    assert output.index("1 passed") < output.index("\nOthers meanwhile\n") < output.rindex("1 passed")
    assert "second try" not in output


def test_what_fails_meanwhile_runs_once_more_and_nothing_else_does(run_tests, tmp_path):
    output, code = run_tests(FLAKY, "-k", "passes", beside=("-k", "slow_once"))
    assert code == 0
    assert "second try" in line_of(output, "Others meanwhile") and "second try" not in line_of(output, "These tests")
    assert (tmp_path / "runs").read_text() == "x"


def test_what_is_broken_meanwhile_fails_the_whole(run_tests):
    output, code = run_tests(FLAKY + BROKEN, "-k", "passes", beside=("-k", "broken"))
    assert output.count("FAILED test_project.py::test_that_is_broken") == 2
    assert code == "Some tests failed; see above."
