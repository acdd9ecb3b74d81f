"""PgBouncer in transaction mode before the database of a test: the next statement may get another connection."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

from tests.ports import free_port
from tests.waiting import wait_until

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
SERVER_CONNECTIONS = 3  # fewer than the clients, so that they take turns


@contextmanager
def pooled(url: str, directory: Path) -> Iterator[str]:
    """The DATABASE_URL that leads through PgBouncer to the database of `url`, a scratch server's on a socket."""
    parts = urlsplit(url)
    [socket_directory] = parse_qs(parts.query)["host"]
    port = free_port()
    options = directory / "pgbouncer.ini"
    options.write_text(
        f"[databases]\n* = host={socket_directory} user={parts.username}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\n"
    )
    # It refuses to run as root, and only its owner can open the socket.
    as_user = [f"--user={Path(socket_directory).owner()}"] if os.getuid() == 0 else []
    with (directory / "pgbouncer.log").open("w") as log:
        process = subprocess.Popen([PROGRAM, *as_user, options], stdout=log, stderr=subprocess.STDOUT)
    pooled_url = f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"

    def is_open() -> bool:
        assert process.poll() is None, (directory / "pgbouncer.log").read_text()
        try:
            psycopg.connect(pooled_url).close()
        except psycopg.OperationalError:
            return False
        return True

    try:
        wait_until(is_open, "PgBouncer")
        yield pooled_url
    finally:
        process.terminate()
        process.wait()
