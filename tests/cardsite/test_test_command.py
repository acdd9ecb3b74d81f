"""`manage.py test`: a test that fails runs once more."""

import pytest

from cardsite.management.commands.test import Command

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


@pytest.fixture
def run_tests(tmp_path, monkeypatch, capfd):
    """What the command prints and its exit code, for a project with only these tests: `(output, code)`."""

    def run(source):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "test_project.py").write_text(source)
        monkeypatch.chdir(tmp_path)
        command, code = Command(), 0
        command.run("These tests", [])
        try:
            command.conclude()
        except SystemExit as stop:
            code = stop.code
        return capfd.readouterr().out, code

    return run


def test_what_fails_once_is_named_and_does_not_count(run_tests, tmp_path):
    output, code = run_tests(FLAKY)
    assert code == 0
    assert "PASSED test_project.py::test_that_is_slow_once" in output
    assert "These tests:                             passed, those named above at the second try" in output
    assert "once more, alone:           passed" in output
    assert (tmp_path / "runs").read_text() == "x"  # only what failed runs again


def test_what_is_broken_fails_twice(run_tests):
    output, code = run_tests(BROKEN)
    assert output.count("FAILED test_project.py::test_that_is_broken") == 2
    assert "once more, alone:           FAILED" in output
    assert code == "Some tests failed; see above."
