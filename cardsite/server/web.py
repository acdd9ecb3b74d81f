"""Web server: its process, and when it is ready."""

import http.client
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from cardsite.server.processes import Child, stop

START_SECONDS = 60
OPTIONS = ("--lifespan=off", "--no-access-log", "--timeout-graceful-shutdown=2")
EVERY_ADDRESS = ("0.0.0.0", "::")


class WebServerError(Exception):
    """The web server did not start."""


def listen(host: str, port: int) -> socket.socket:
    """A socket for the web processes to share. Visitors who come before one of them accepts wait for it.

    :raises OSError: the port is taken. :raises OverflowError: it is no port.
    """
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def server(
    listener: socket.socket,
    *,
    name: str = "web",
    log: Path,
    env: Mapping[str, str] = {},
    after_term: Callable[[], None] = lambda: None,
) -> Child:
    """A web process that has yet to start. Its other parameters are those of `Child`."""
    command = [sys.executable, "-m", "uvicorn", "cardsite.asgi:application", *OPTIONS, f"--fd={listener.fileno()}"]
    return Child(
        name,
        command,
        log=log,
        env={**find_code(), **env},
        descriptors=[listener.fileno()],
        after_term=after_term,
    )


def wait_for(child: Child, host: str, port: int, *, pause: Callable[[float], object] = time.sleep) -> None:
    """Returns when the server answers, or when `pause`, which takes seconds, returns something true.

    :raises WebServerError: it has ended, or does not answer in START_SECONDS; with the end of its log.
    """
    deadline = time.monotonic() + START_SECONDS
    while not answers(host, port):
        if not child.is_running or time.monotonic() > deadline:
            raise WebServerError(f"The web server did not start. The end of its log:\n{child.last_lines()}")
        if pause(0.02):
            return


@contextmanager
def site(*, log: Path, env: Mapping[str, str] = {}) -> Iterator[tuple[str, Child]]:
    """A web server on a free port of 127.0.0.1: its address without a slash at the end, and its process."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        child = server(listener, log=log, env=env)
        child.start()
    try:
        wait_for(child, "127.0.0.1", port)
        yield f"http://127.0.0.1:{port}", child
    finally:
        stop([child])


def find_code() -> dict[str, str]:
    """The environment in which Python finds the site, also if it is started from another directory."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(settings.BASE_DIR), os.environ.get("PYTHONPATH"))))}


def answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(reachable(host).strip("[]"), port, timeout=5)
    try:
        connection.request("HEAD", "/healthz")
        connection.getresponse()
    except OSError:
        return False
    finally:
        connection.close()
    return True


def reachable(host: str) -> str:
    """`host` as a browser on this machine can reach it."""
    if host in EVERY_ADDRESS:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
