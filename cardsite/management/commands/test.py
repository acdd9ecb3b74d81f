"""`manage.py test`: everything, on both databases and in a browser."""

import os
import signal
import subprocess
import sys
import time

from django.core.management import BaseCommand

from cardsite.supervisor.postgresql import scratch_server

NOTHING_TO_RUN = 5  # pytest's exit code


class Command(BaseCommand):
    help = "Run the tests. Further arguments go to pytest: manage.py test tests/games -k resign"

    def run_from_argv(self, argv: list[str]) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that PostgreSQL is stopped
        arguments = argv[2:]
        shared = [f"--numprocesses={min(os.cpu_count() or 1, 4)}", "--dist=worksteal"]
        no_browser, browser = ["-m", "not e2e", *shared], ["-m", "e2e", *shared]
        self.results: list[tuple[str, int, float]] = []
        self.run("All but the browser tests, on SQLite", [*no_browser, *arguments])
        self.run("What uses the database, on PostgreSQL", [*no_browser, *arguments], postgresql=True)
        self.run("The browser tests", [*browser, *arguments])
        self.conclude()

    def conclude(self) -> None:
        """Print a line for each run and one for all. Exit code 1 unless something ran and all passed."""
        print()
        for title, code, seconds in self.results:
            word = {0: "passed", NOTHING_TO_RUN: "nothing to run"}.get(code, "FAILED")
            print(f"{title + ':':40} {word}, {seconds:.0f} s")
        codes = {code for _, code, _ in self.results} - {NOTHING_TO_RUN}
        if codes != {0}:
            sys.exit("Some tests failed; see above." if codes else "No test was found.")
        print("All tests passed.")

    def run(self, title: str, arguments: list[str], *, postgresql: bool = False) -> None:
        print(f"\n{title}", flush=True)
        start = time.monotonic()
        code = self.pytest_on_postgresql(arguments) if postgresql else pytest(arguments, database="")
        self.results.append((title, code, time.monotonic() - start))

    def pytest_on_postgresql(self, arguments: list[str]) -> int:
        with scratch_server(is_durable=False) as url:
            return pytest(arguments, database=url)


def pytest(arguments: list[str], *, database: str) -> int:
    """Run pytest in a process of its own; the answer is its exit code."""
    env = os.environ | {"DATABASE_URL": database}
    env.pop("DJANGO_SETTINGS_MODULE", None)  # pytest-django would read the settings before conftest.py prepares them
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # every process would rewrite the asserts of every file again
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=env).returncode
