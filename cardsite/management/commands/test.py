"""`manage.py test`: all tests, on both databases and in a browser."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import IO, Any

from django.core.management import BaseCommand

from cardsite.server.postgresql import scratch_server

NOTHING_TO_RUN = 5  # pytest's exit code
WORDS = {0: "passed", NOTHING_TO_RUN: "nothing to run"}


@dataclass(frozen=True, slots=True)
class Part:
    """A run of pytest. name: of its cache, in which `--last-failed` finds what failed."""

    name: str
    title: str
    arguments: tuple[str, ...]
    on_postgresql: bool = False

    @contextmanager
    def started(self, output: IO[bytes] | None = None) -> Iterator[subprocess.Popen[bytes]]:
        """Its process, which does not outlive the context."""
        with scratch_server(is_durable=False) if self.on_postgresql else nullcontext("") as url:
            env = os.environ | {"DATABASE_URL": url}
            env.pop("DJANGO_SETTINGS_MODULE", None)  # pytest-django would read them before conftest.py prepares them
            env.pop("PYTHONDONTWRITEBYTECODE", None)  # every process would rewrite the asserts of every file again
            own_cache = f"--override-ini=cache_dir=.pytest_cache/{self.name}"
            command = [sys.executable, "-m", "pytest", own_cache, *self.arguments]
            process = subprocess.Popen(command, env=env, stdout=output)
            try:
                yield process
            finally:
                process.terminate()
                process.wait()


class Command(BaseCommand):
    help = "Run the tests. Further arguments go to pytest: manage.py test tests/games -k resign"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.results: list[tuple[str, int, float]] = []  # of each run: title, exit code, seconds

    def run_from_argv(self, argv: list[str]) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that PostgreSQL and the browsers are stopped
        shared = (f"--numprocesses={min(os.cpu_count() or 1, 4)}", "--dist=worksteal")
        no_browser, browser = ("-m", "not e2e", *shared, *argv[2:]), ("-m", "e2e", *shared, *argv[2:])
        self.run(
            Part("sqlite", "All but the browser tests, on SQLite", no_browser),
            Part("postgresql", "What uses the database, on PostgreSQL", no_browser, on_postgresql=True),
            meanwhile=Part("browser", "The browser tests", browser),
        )
        self.conclude()

    def run(self, *parts: Part, meanwhile: Part | None = None) -> None:
        """The parts one after the other; `meanwhile` waits much, so it runs beside them and is shown after them."""
        with self.beside(meanwhile) if meanwhile else nullcontext():
            for part in parts:
                print(f"\n{part.title}", flush=True)
                start = time.monotonic()
                with part.started() as process:
                    code = process.wait()
                self.results.append((part.title, code, time.monotonic() - start))

    @contextmanager
    def beside(self, part: Part) -> Iterator[None]:
        """Runs this part while the context lasts, then waits for it and prints what it said."""
        start = time.monotonic()
        with tempfile.TemporaryFile() as output, part.started(output=output) as process:
            yield
            code = process.wait()
            output.seek(0)
            print(f"\n{part.title}\n{output.read().decode(errors='replace')}", flush=True)
        self.results.append((part.title, code, time.monotonic() - start))

    def conclude(self) -> None:
        """Print a line for each run and one for all. Exit code 1 unless something ran and all passed."""
        print()
        for title, code, seconds in self.results:
            print(f"{title + ':':60} {WORDS.get(code, 'FAILED')}, {seconds:.0f} s")
        codes = {code for _, code, _ in self.results} - {NOTHING_TO_RUN}
        if codes != {0}:
            sys.exit("Some tests failed; see above." if codes else "No test was found.")
        print("All tests passed.")
