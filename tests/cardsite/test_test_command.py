"""`manage.py test`: browser tests run beside the others, and one failure of either fails the whole."""

import pytest

from cardsite.management.commands.test import Command, Part

FAILS_ONCE = """
from pathlib import Path

def test_that_fails_once():
    first, seen = not Path("seen").exists(), Path("seen").write_text("")
    assert not first

def test_that_passes():
    Path("runs").open("a").write("x")
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

    `beside=("-k", "there")`: these arguments choose what runs beside the others; `then`: what runs after that.
    """

    def run(source, *arguments, beside=("-k", "nothing"), then=()):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "test_project.py").write_text(source)
        monkeypatch.chdir(tmp_path)
        command, code = Command(), 0
        command.run(
            [Part("these", "These tests", arguments)],
            meanwhile=[Part("others", "Others meanwhile", beside), *(Part("more", "More", more) for more in then)],
        )
        try:
            command.conclude()
        except SystemExit as stop:
            code = stop.code
        return capfd.readouterr().out, code

    return run


def line_of(output, title):
    """What the end of the output says of a run."""
    line = next(line for line in reversed(output.splitlines()) if line.startswith(title + ":  "))
    return line.removeprefix(title + ":").strip()


def test_a_failure_is_a_failure_and_nothing_runs_again(run_tests, tmp_path):
    output, code = run_tests(FAILS_ONCE)
    assert code == "Some tests failed; see above."
    assert output.count("FAILED test_project.py::test_that_fails_once") == 1
    assert line_of(output, "These tests").startswith("FAILED")
    assert (tmp_path / "runs").read_text() == "x"


def test_what_runs_meanwhile_runs_at_the_same_time_and_is_shown_afterwards(run_tests):
    output, code = run_tests(MEETING, "-k", "test_here", beside=("-k", "test_there"))
    assert code == 0
    assert output.index("1 passed") < output.index("\nOthers meanwhile\n") < output.rindex("1 passed")


def test_what_runs_meanwhile_runs_one_after_the_other(run_tests):
    output, code = run_tests(FAILS_ONCE, "-k", "passes", beside=("-k", "fails_once"), then=[("-k", "fails_once")])
    assert code == "Some tests failed; see above."
    assert line_of(output, "Others meanwhile").startswith("FAILED")
    assert line_of(output, "More").startswith("passed")
    assert output.index("\nOthers meanwhile\n") < output.index("\nMore\n")


def test_what_fails_meanwhile_fails_the_whole(run_tests):
    output, code = run_tests(FAILS_ONCE, "-k", "passes", beside=("-k", "fails_once"))
    assert code == "Some tests failed; see above."
    assert line_of(output, "Others meanwhile").startswith("FAILED")
    assert line_of(output, "These tests").startswith("passed")
