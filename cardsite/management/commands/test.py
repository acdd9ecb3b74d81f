"""`manage.py test`: everything, on both databases and in a browser."""

import os
import signal
import subprocess
import sys
import time
from typing import Any

from django.core.management import BaseCommand

from cardsite.supervisor.postgresql import scratch_server

SOME_FAILED, NOTHING_TO_RUN = 1, 5  # pytest's exit codes
AT_SECOND_TRY = -1  # some failed, and passed when they ran once more
WORDS = {0: "passed", NOTHING_TO_RUN: "nothing to run", AT_SECOND_TRY: "passed, those named above at the second try"}


class Command(BaseCommand):
    help = "Run the tests. Further arguments go to pytest: manage.py test tests/games -k resign"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.results: list[tuple[str, int, float]] = []  # of each run: title, exit code, seconds

    def run_from_argv(self, argv: list[str]) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that PostgreSQL is stopped
        arguments = argv[2:]
        shared = [f"--numprocesses={min(os.cpu_count() or 1, 4)}", "--dist=worksteal"]
        no_browser, browser = ["-m", "not e2e", *shared], ["-m", "e2e", *shared]
        self.run("All but the browser tests, on SQLite", [*no_browser, *arguments])
        self.run("What uses the database, on PostgreSQL", [*no_browser, *arguments], postgresql=True)
        self.run("The browser tests", [*browser, *arguments])
        self.conclude()

    def conclude(self) -> None:
        """Print a line for each run and one for all. Exit code 1 unless something ran and all passed."""
        print()
        for title, code, seconds in self.results:
            print(f"{title + ':':40} {WORDS.get(code, 'FAILED')}, {seconds:.0f} s")
        codes = {code for _, code, _ in self.results} - {NOTHING_TO_RUN, AT_SECOND_TRY}
        if codes != {0}:
            sys.exit("Some tests failed; see above." if codes else "No test was found.")
        print("All tests passed.")

    def run(self, title: str, arguments: list[str], *, postgresql: bool = False) -> None:
        """What fails runs once more, alone: a busy machine or a rare deal can fail a test once, and is told of."""
        if self.run_once(title, arguments, postgresql=postgresql) != SOME_FAILED:
            return
        alone = ["--numprocesses=0", "--last-failed", "--last-failed-no-failures=none", "-rfEp"]
        if self.run_once("What failed, once more, alone", [*arguments, *alone], postgresql=postgresql) == 0:
            title, _, seconds = self.results[-2]
            self.results[-2] = (title, AT_SECOND_TRY, seconds)

    def run_once(self, title: str, arguments: list[str], *, postgresql: bool) -> int:
        """The answer is pytest's exit code."""
        print(f"\n{title}", flush=True)
        start = time.monotonic()
        code = self.pytest_on_postgresql(arguments) if postgresql else pytest(arguments, database="")
        self.results.append((title, code, time.monotonic() - start))
        return code

    def pytest_on_postgresql(self, arguments: list[str]) -> int:
        with scratch_server(is_durable=False) as url:
            return pytest(arguments, database=url)


def pytest(arguments: list[str], *, database: str) -> int:
    """Run pytest in a process of its own; the answer is its exit code."""
    env = os.environ | {"DATABASE_URL": database}
    env.pop("DJANGO_SETTINGS_MODULE", None)  # pytest-django would read the settings before conftest.py prepares them
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # every process would rewrite the asserts of every file again
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=env).returncode
