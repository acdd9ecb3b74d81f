"""`manage.py test`: all tests, on both databases and in a browser."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO, Any

from django.core.management import BaseCommand

from cardsite.server.postgresql import scratch_server

NOTHING_TO_RUN = 5  # pytest's exit code
POLL_SECONDS = 0.1
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
            [Part("sqlite", "All but the browser tests, on SQLite", no_browser)],
            meanwhile=[
                Part("browser", "The browser tests", browser),
                Part("postgresql", "What uses the database, on PostgreSQL", no_browser, on_postgresql=True),
            ],
        )
        self.conclude()

    def run(self, parts: Sequence[Part], meanwhile: Sequence[Part] = ()) -> None:
        """The parts one after the other, and beside them the others one after the other, which are shown at the end.

        Each part waits now and then, for a browser or for its last long test; the other one has the processors then.
        """
        with ExitStack() as stack:
            outputs = [stack.enter_context(tempfile.TemporaryFile()) for _ in meanwhile]
            ways = [self.one_by_one(parts, [None] * len(parts)), self.one_by_one(meanwhile, outputs)]
            for way in ways:
                stack.enter_context(closing(way))
            for _ in zip_longest(*ways):
                time.sleep(POLL_SECONDS)
            for part, output in zip(meanwhile, outputs, strict=True):
                output.seek(0)
                print(f"\n{part.title}\n{output.read().decode(errors='replace')}", flush=True)

    def one_by_one(self, parts: Sequence[Part], outputs: Sequence[IO[bytes] | None]) -> Generator[None, None, None]:
        """Yields while a part runs; one without an output of its own is shown at once."""
        for part, output in zip(parts, outputs, strict=True):
            if output is None:
                print(f"\n{part.title}", flush=True)
            start = time.monotonic()
            with part.started(output) as process:
                while process.poll() is None:
                    yield
            self.results.append((part.title, process.returncode, time.monotonic() - start))

    def conclude(self) -> None:
        """Print a line for each run and one for all. Exit code 1 unless something ran and all passed."""
        print()
        for title, code, seconds in self.results:
            print(f"{title + ':':60} {WORDS.get(code, 'FAILED')}, {seconds:.0f} s")
        codes = {code for _, code, _ in self.results} - {NOTHING_TO_RUN}
        if codes != {0}:
            sys.exit("Some tests failed; see above." if codes else "No test was found.")
        print("All tests passed.")
