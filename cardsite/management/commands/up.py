"""`manage.py up`: the whole site on this machine, in the foreground, until Ctrl-C."""

import json
import os
import signal
import socket
import stat
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, OperationalError, connection

from cardsite.management.commands.prepare import has_open_migrations
from cardsite.pages import login_link
from cardsite.server import valkey, web
from cardsite.server.processes import Child, stop
from cardsite.web import static_files


class Command(BaseCommand):
    help = "Start the site on this machine: web server, task workers and, unless REDIS_URL names one, Valkey."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="(default: %(default)s)")
        parser.add_argument("--web", type=int, default=1, help="number of web processes (default: %(default)s)")

    def handle(self, *, host: str, port: int, web: int, **options: object) -> None:
        if web < 1:
            raise CommandError("--web must be at least 1.")
        self.valkey: list[Child] = []
        self.web: list[Child] = []
        self.celery: list[Child] = []
        self.stopping = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.stopping.set())
        os.umask(0o077)  # of all processes that it starts, too
        try:
            with one_sentence():
                self.open(host, port, web_processes=web)
            self.watch()
        finally:
            # A running task still finds the pages that watch it and the broker that it reports to.
            for children in (self.celery, self.web, self.valkey):
                stop(children)
        self.stdout.write("Stopped; nothing is left running.")

    def open(self, host: str, port: int, *, web_processes: int) -> None:
        """Start one part after the other."""
        make_private(settings.VAR_DIR)
        processes_file().unlink(missing_ok=True)  # of a supervisor that was killed
        for numbers in settings.METRICS_DIR.glob("*.db"):  # of processes of the last start
            numbers.unlink()
        if settings.REDIS_URL:
            check_redis()
        else:
            self.start_valkey()
        self.listener = listen(host, port)
        check_database()
        self.collect_static_files()
        is_news = has_open_migrations()
        if not is_news:
            self.start_web(host, web_processes)  # they load while this process prepares
        call_command("prepare", stdout=self.stdout, demo=True)
        if is_news:
            self.start_web(host, web_processes)  # visitors wait until the tables are there that a page reads
        try:
            web.wait_for(self.web[0], host, port, pause=self.stopping.wait)
        except web.WebServerError as error:
            raise CommandError(str(error)) from error
        if self.stopping.is_set():
            return
        address = f"http://{web.reachable(host)}:{port}"
        self.stdout.write(f"\n  The site is open:    {address}/")
        self.stdout.write(f"  Log in as admin:     {address}{login_link.make_login_link()}  (works once)")
        self.stdout.write(f"  Logs are in:         {logs()}/")
        self.stdout.write("  Ctrl-C stops it.\n")
        self.start_celery("worker", "worker", "--queues=default", "--concurrency=2", "--hostname=worker@%h")
        self.start_celery("expert-worker", "worker", "--queues=experts", "--pool=solo", "--hostname=experts@%h")
        self.start_celery("slow-worker", "worker", "--queues=slow", "--pool=solo", "--hostname=slow@%h")
        self.start_celery("beat", "beat", "--pidfile=")

    def start_valkey(self) -> None:
        data = settings.VAR_DIR / "valkey"
        try:
            child = valkey.server(settings.EMBEDDED_SOCKET, data=data, log=logs() / "valkey.log")
            self.valkey.append(child)
            valkey.start(child, settings.EMBEDDED_SOCKET, data=data)
        except valkey.ValkeyError as error:
            raise CommandError(str(error)) from error

    def collect_static_files(self) -> None:
        """Collects them before the web server starts, which then reads which there are."""
        try:
            static_files.collect(settings.STATIC_ROOT)
        except OSError as error:
            raise CommandError(f"Collecting static files failed: {error.strerror}.") from error

    def start_web(self, host: str, processes: int) -> None:
        """Web processes that share a socket. It stays open here, so visitors wait while a process starts again."""
        env = {"PROCESSES_FILE": str(processes_file())}
        if "ALLOWED_HOSTS" not in os.environ:
            env["ALLOWED_HOSTS"] = ",".join(names_of(host))
        for name in ("web", *(f"web-{number}" for number in range(2, processes + 1))):
            log = logs() / f"{name}.log"
            child = web.server(self.listener, name=name, log=log, env=env, after_term=close_streams)
            self.web.append(child)
            child.start()

    def start_celery(self, name: str, *arguments: str) -> None:
        quiet = ["--loglevel=WARNING"] + ["--without-gossip", "--without-mingle"] * (arguments[0] == "worker")
        command = [sys.executable, "-m", "celery", "--app=cardsite", *arguments, *quiet]
        child = Child(name, command, log=logs() / f"{name}.log", env=web.find_code())
        self.celery.append(child)
        child.start()

    def watch(self) -> None:
        """Restart what ends by itself, with backoff, and tell `/readyz` what is down. The rest keeps running."""
        children = self.valkey + self.web + self.celery
        known: dict[str, str] = {}
        while not self.stopping.wait(0.5):
            for child in children:
                if said := child.keep_running(time.monotonic()):
                    with suppress(OSError):  # nothing that cannot be printed stops the site
                        self.stdout.write(f"  {said}")
            states = {child.name: "running" if child.is_running else "down" for child in children}
            if states != known:
                with suppress(OSError):  # once the disk has room, the next try works
                    write_processes(states)
                    known = states


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn the usual reasons why a site cannot start, such as a full disk, into a CommandError."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise CommandError(f"The site cannot start: {where}{error.strerror or error}.") from error
    except (redis.RedisError, OperationalError) as error:
        raise CommandError(f"The site cannot start: {str(error).strip().splitlines()[0]}.") from error


def make_private(directory: Path) -> None:
    """Take away what the modes of existing files allow to others. For new ones the umask does it.

    :raises CommandError: the directory is one that many share, such as /tmp.
    """
    if directory.stat().st_mode & stat.S_ISVTX:
        raise CommandError(f"VAR_DIR must be a directory of the site's own, not {directory}.")
    for path in (directory, *directory.rglob("*")):
        with suppress(FileNotFoundError):  # a file of a running site that was there a moment ago
            found = path.lstat()
            if found.st_uid == os.getuid() and not stat.S_ISLNK(found.st_mode) and found.st_mode & 0o077:
                path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


def processes_file() -> Path:
    """Which process is running and which is down, for `/readyz`."""
    return settings.VAR_DIR / "processes.json"


def write_processes(states: dict[str, str]) -> None:
    """:raises OSError: it cannot be written."""
    draft = processes_file().with_suffix(".new")
    draft.write_text(json.dumps(states))
    draft.replace(processes_file())


def logs() -> Path:
    return settings.VAR_DIR / "log"


def listen(host: str, port: int) -> socket.socket:
    """:raises CommandError: this is no port, or it is taken."""
    try:
        return web.listen(host, port)
    except OverflowError as error:
        raise CommandError(f"{port} is no port; choose one from 1024 to 65535.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        sentence = f"Cannot listen on {host} port {port}: {reason}. Choose another with --port."
        raise CommandError(sentence) from error


def check_database() -> None:
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise CommandError(f"The database of DATABASE_URL cannot be used: {reason}.") from error


def check_redis() -> None:
    try:
        with redis.Redis.from_url(settings.LIVE_REDIS_URL, socket_connect_timeout=3, retry=None) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise CommandError(f"The server of REDIS_URL does not answer: {error}.") from error


def close_streams() -> None:
    """Tell every live stream to end; the web server waits for them."""
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL, socket_timeout=1)
    with suppress(redis.RedisError), client:
        client.publish(settings.LIVE_SYSTEM_CHANNEL, "bye")


def names_of(host: str) -> list[str]:
    """The names under which browsers may ask for a site that listens on `host`."""
    names = ["localhost", "127.0.0.1", "[::1]", web.reachable(host)]
    if host in web.EVERY_ADDRESS:
        names += [socket.gethostname(), f"{socket.gethostname()}.local", own_address()]
    return names


def own_address() -> str:
    """This machine's address in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks the kernel for the way out
        return str(probe.getsockname()[0])
