"""`manage.py up` with real processes: what a person sees who starts it, stops it or starts it wrongly."""

import contextlib
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from cardsite import environment
from cardsite.server import valkey as valkey_server
from cardsite.server.processes import stop
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parents[2]
STOP_SECONDS = 60  # on a machine with much else to do


class Site:
    """`manage.py up` on a free port with a directory of its own for all that it keeps."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        self.env = {
            name: value
            for name, value in os.environ.items()
            if name not in ("REDIS_URL", "DATABASE_URL", "ALLOWED_HOSTS", "SECRET_KEY")
        } | {"VAR_DIR": str(var), "PYTHONUNBUFFERED": "1"}

    def command(self, *options: str) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), "up", f"--port={self.port}", *options]

    def refusal(self, *options: str, largest_file: int | None = None, **env: str) -> str:
        """What it says when it cannot start. largest_file: in bytes, as on a disk without room for more."""

        def limit() -> None:
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        done = subprocess.run(
            self.command(*options),
            env=self.env | env,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            preexec_fn=limit,
        )
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        return done.stderr.strip()

    def start(self, *options: str) -> None:
        """Start it and wait until it says that it is open."""
        self.out = (self.var.parent / "out").open("w+")
        command = self.command(*options)
        elsewhere = self.var.parent
        self.process = subprocess.Popen(
            command, env=self.env, cwd=elsewhere, stdout=self.out, stderr=subprocess.STDOUT, umask=0o022
        )
        wait_until(self.is_listening, "the open port")
        try:
            status = self.get("/", seconds=PATIENCE_SECONDS).status
        except OSError as error:
            error.add_note(self.says())
            raise
        assert status == 200, "the first visitor waits until the database is ready"
        wait_until(lambda: "Ctrl-C stops it" in self.says() or self.process.poll() is not None, "the open site")
        assert self.process.poll() is None, self.says()
        # The supervisor, Valkey, web, the worker and its two, the slow worker, beat.
        wait_until(lambda: len(self.processes()) >= 8, "all processes")

    def says(self) -> str:
        return Path(self.out.name).read_text()

    def get(self, path: str, *, seconds: float = STOP_SECONDS) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.request("GET", path)
        return connection.getresponse()

    def is_listening(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=STOP_SECONDS):
            return True
        return False

    def is_well(self) -> bool:
        """Every part of it answers."""
        try:
            return self.get("/readyz").status == 200
        except OSError:
            return False

    def down(self) -> list[str]:
        """The processes that `/readyz` says are down."""
        report = json.loads(self.get("/readyz").read())
        return [name for name, state in report.get("processes", {}).items() if state == "down"]

    def find(self, mark: str) -> list[int]:
        """The ids of the processes with this mark in their command lines, without those of their pools."""
        found = []
        for pid, command in self.processes().items():
            with contextlib.suppress(ProcessLookupError):
                if mark in command and os.getpgid(pid) == pid:
                    found.append(pid)
        return found

    def kill(self, mark: str) -> bool:
        """Kill all processes with this mark. False if there is none now."""
        found = self.find(mark)
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return bool(found)

    def processes(self) -> dict[int, str]:
        """The command lines of all processes that belong to this site, by id, its own included."""
        found = {}
        for directory in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                # Valkey writes its title over its environment, but it works in its data directory.
                is_ours = (
                    f"VAR_DIR={self.var}\0".encode() in (directory / "environ").read_bytes()
                    or (directory / "cwd").readlink() == self.var / "valkey"
                )
                if is_ours:
                    command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(directory.name)] = command
        return found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "var")
    yield site
    for pid in site.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if hasattr(site, "process"):
        site.process.wait()
    shutil.rmtree(environment.embedded_socket(site.var).parent, ignore_errors=True)


def test_site_starts_lets_the_admin_in_starts_again_what_is_killed_and_ctrl_c_leaves_nothing(site: Site) -> None:
    (site.var / "mail").mkdir(parents=True)
    (site.var / "mail" / "old.log").touch()
    assert stat.S_IMODE((site.var / "mail" / "old.log").stat().st_mode) & 0o044  # others can read what is there
    site.start("--web=2")
    for pid in site.find("uvicorn"):
        os.kill(pid, signal.SIGSTOP)
        assert site.get("/healthz").status == 200  # by the other one
        os.kill(pid, signal.SIGCONT)
    link = re.search(r"http://127.0.0.1:\d+(/login-link/\S+)", site.says())
    assert site.get("/readyz").status in (200, 503)
    assert site.get(link[1]).status == 302
    assert site.get(link[1]).status == 403
    for mark, names in (
        ("uvicorn", ("web", "web-2")),
        ("queues=default", ("worker",)),
        (" beat", ("beat",)),
        ("valkey-server", ("valkey",)),
    ):
        assert site.kill(mark)
        for name in names:
            said = f"  {name} ended by itself (signal 9) and was started again"
            wait_until(lambda said=said: said in site.says(), said)
    wait_until(site.is_well, "the answer that all is well")
    assert_private(site.var, environment.embedded_socket(site.var).parent)
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(STOP_SECONDS) == 0
    assert site.says().endswith("Stopped; nothing is left running.\n")
    assert not site.processes()


def assert_private(*directories: Path) -> None:
    """Nobody but the owner may do anything with what is in there."""
    paths = [path for directory in directories for path in (directory, *directory.rglob("*"))]
    names = {path.name for path in paths}
    assert {"secret_key", "cardsite.sqlite3", "valkey.sock", "web.log", "worker.log", "old.log"} <= names
    modes = {str(path): oct(path.lstat().st_mode) for path in paths if path.exists()}
    assert {path: mode for path, mode in modes.items() if int(mode, 8) & 0o077} == {}


def test_kill_of_the_supervisor_leaves_nothing_and_a_crash_loop_does_not_take_the_web_down(site: Site) -> None:
    site.start()
    assert "Bringing the database up to date." in site.says()
    site.process.kill()
    # The environment of a process that is killed is gone before its sockets are closed.
    wait_until(lambda: not site.processes() and not site.is_listening(), "the end of all", seconds=STOP_SECONDS)
    site.process.wait()
    log = site.var / "log" / "worker.log"
    said_before = log.read_text()
    site.start()
    assert site.says().lstrip().startswith("The site is open:")  # nothing has changed, so nothing else is said
    wait_until(lambda: len(log.read_text()) > len(said_before), "words of the worker")
    assert log.read_text().startswith(said_before)
    wait_until(site.is_well, "the answer that all is well")
    crash_loop(site)
    keep_its_port(site)


def crash_loop(site: Site) -> None:
    """One process dies as often as it is started; everything else goes on, and so does it when it is left alone."""

    pause = re.compile(r"slow-worker ended by itself \(signal 9\) and starts again in \d+ s")

    def waits_for_its_next_start() -> bool:
        site.kill("queues=slow")
        return site.down() == ["slow-worker"] and pause.search(site.says()) is not None

    wait_until(waits_for_its_next_start, "the pause of the slow worker")
    assert "and starts again in" in (site.var / "log" / "slow-worker.log").read_text()
    assert site.get("/").status == 200
    wait_until(site.is_well, "the answer that all is well")


def keep_its_port(site: Site) -> None:
    """While no web process is running, no other program gets the port, and a visitor waits for the next process."""
    site.process.send_signal(signal.SIGSTOP)
    assert site.kill("uvicorn")
    wait_until(lambda: not site.find("uvicorn"), "the end of the web process")
    with pytest.raises(OSError, match="Address already in use"), socket.create_server(("127.0.0.1", site.port)):
        pass
    visitor = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_SECONDS)
    visitor.request("GET", "/healthz")
    site.process.send_signal(signal.SIGCONT)
    assert visitor.getresponse().status == 200


@pytest.mark.parametrize(
    ("largest_file", "sentence"),
    [
        (40, r"Cannot use \S+/secret_key: File too large\."),
        (200_000, r"CommandError: Collecting static files failed: File too large\."),
        (400_000, r"CommandError: Bringing the database up to date failed: .*\."),
    ],
)
def test_first_start_without_room_is_one_sentence(site: Site, largest_file: int, sentence: str) -> None:
    said = site.refusal(largest_file=largest_file)
    assert re.fullmatch(sentence, said), said
    assert not site.processes()
    assert (site.var / "secret_key").exists() == (largest_file > 100)  # none that is empty is in the way of the next


@pytest.mark.parametrize("name", ["valkey", "log"])
def test_start_without_room_for_a_directory_is_one_sentence(site: Site, name: str) -> None:
    site.var.mkdir()
    (site.var / name).touch()
    assert re.fullmatch(rf"CommandError: Cannot write to {site.var / name}: \S.*\.", site.refusal())
    assert not site.processes()


def test_second_start_in_the_same_directory_is_refused(site: Site, tmp_path: Path) -> None:
    socket_path = environment.embedded_socket(site.var)
    first = valkey_server.server(socket_path, data=tmp_path / "data", log=tmp_path / "log")
    valkey_server.start(first, socket_path, data=tmp_path / "data")
    try:
        said = site.refusal()
    finally:
        stop([first])
    assert said == "CommandError: The site is already running from this directory; stop it first."


def test_no_web_process_is_one_sentence(site: Site) -> None:
    assert site.refusal("--web=0") == "CommandError: --web must be at least 1."


def test_busy_port_is_one_sentence(site: Site) -> None:
    with socket.create_server(("127.0.0.1", site.port)):
        assert site.refusal() == (
            f"CommandError: Cannot listen on 127.0.0.1 port {site.port}: Address already in use. "
            "Choose another with --port."
        )
    assert not site.processes()


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"DATABASE_URL": "cards"}, r"DATABASE_URL must look like .*"),
        ({"DATABASE_URL": "postgresql://me@127.0.0.1:1/cards"}, r"The database of DATABASE_URL .* refused.*"),
        ({"DATABASE_URL": "sqlite:////nowhere/site"}, r"The database of DATABASE_URL .* unable to open .*"),
        ({"REDIS_URL": "cards"}, r"REDIS_URL must look like .*"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, r"The server of REDIS_URL does not answer: .* refused.*"),
        ({"REDIS_URL": "redis://127.0.0.1:port"}, r"REDIS_URL .*"),
        ({"VAR_DIR": "/proc/nowhere"}, r"Cannot make the directory /proc/nowhere: .*"),
        ({"DEBUG": "maybe"}, r"DEBUG must be 1 or 0, not 'maybe'\."),
        ({"FORWARDED_ALLOW_IPS": "*"}, r"FORWARDED_ALLOW_IPS must not be \*: .* Name the address .*"),
    ],
)
def test_broken_setting_is_one_sentence(site: Site, env: dict[str, str], sentence: str) -> None:
    said = site.refusal(**env)
    assert re.fullmatch(rf"(CommandError: )?{sentence}\.?", said), said
    assert not site.processes()


def test_directory_that_many_share_is_refused_and_left_as_it_is(site: Site) -> None:
    site.var.mkdir()
    site.var.chmod(0o1777)
    assert site.refusal() == f"CommandError: VAR_DIR must be a directory of the site's own, not {site.var}."
    assert stat.S_IMODE(site.var.stat().st_mode) == 0o1777


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_directory_of_somebody_else_is_one_sentence() -> None:
    code = "import os; from cardsite import environment as e; os.setuid(65534); e.directory('', default='/')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.endswith("ImproperlyConfigured: Cannot write to /: permission denied.\n")


def test_server_refuses_a_socket_directory_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    socket_path = tmp_path / "link" / "valkey.sock"
    child = valkey_server.server(socket_path, data=tmp_path / "data", log=tmp_path / "log")
    with pytest.raises(valkey_server.ValkeyError, match="belongs to another user"):
        valkey_server.start(child, socket_path, data=tmp_path / "data")
    assert not child.is_running


def test_only_its_owner_reaches_the_bundled_server(tmp_path: Path) -> None:
    """Who writes into Redis runs code in the site: caches are pickled."""
    directory = tmp_path / "socket"
    directory.mkdir()
    directory.chmod(0o777)
    socket_path = directory / "valkey.sock"
    child = valkey_server.server(socket_path, data=tmp_path / "data", log=tmp_path / "log")
    try:
        valkey_server.start(child, socket_path, data=tmp_path / "data")
        assert [stat.S_IMODE(path.stat().st_mode) for path in (directory, socket_path)] == [0o700, 0o700]
        with redis.Redis(unix_socket_path=str(socket_path)) as client:
            assert client.config_get("port") == {"port": "0"}, "it listens to the network, too"
    finally:
        stop([child])
