"""The rules that tests pin: every `@pytest.mark.rule("casino:build-hold")` in a part of the suite.

Marks are counted by collecting in a process of its own, so the answer does not depend on which tests run.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "rule-mark "


def pytest_collection_finish(session: pytest.Session) -> None:
    """When loaded as a plugin: prints each mark on a line."""
    for item in session.items:
        for mark in item.iter_markers("rule"):
            for rule in mark.args:
                print(f"\n{PREFIX}{rule}")


@cache
def pinned_rules(tests: str = "tests/engines") -> frozenset[str]:
    """Full ids of all rules that some test below that folder pins."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "tests.rule_marks", tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    return frozenset(line.removeprefix(PREFIX) for line in lines if line.startswith(PREFIX))
