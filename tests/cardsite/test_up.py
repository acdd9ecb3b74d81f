"""`manage.py up` with real processes: what a person sees who starts it, stops it or starts it wrongly."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardsite import environment
from cardsite.supervisor import valkey as valkey_server
from cardsite.supervisor.processes import RESTARTS, Child, stop

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 240
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

    def refusal(self, *options: str, **env: str) -> str:
        """What it says when it cannot start."""
        done = subprocess.run(
            self.command(*options), env=self.env | env, capture_output=True, text=True, timeout=WAIT_SECONDS
        )
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        return done.stderr.strip()

    def start(self) -> None:
        """Start it and wait until it says that it is open."""
        self.out = (self.var.parent / "out").open("w+")
        command = self.command()
        self.process = subprocess.Popen(command, env=self.env, stdout=self.out, stderr=subprocess.STDOUT)
        wait_until(lambda: "Ctrl-C stops it" in self.says() or self.process.poll() is not None)
        assert self.process.poll() is None, self.says()
        # The supervisor, Valkey, web, the worker and its two, the slow worker, beat.
        wait_until(lambda: len(self.processes()) >= 8)

    def says(self) -> str:
        return Path(self.out.name).read_text()

    def get(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        return connection.getresponse()

    def is_well(self) -> bool:
        """Every part of it answers."""
        try:
            return self.get("/healthz").status == 200
        except OSError:
            return False

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


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def wait_until(condition, seconds: float = WAIT_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def test_site_starts_lets_the_admin_in_starts_again_what_is_killed_and_ctrl_c_leaves_nothing(site: Site) -> None:
    site.start()
    link = re.search(r"http://127.0.0.1:\d+(/login-link/\S+)", site.says())
    assert site.get("/healthz").status in (200, 503)
    assert site.get(link[1]).status == 302
    assert site.get(link[1]).status == 403
    for mark, name in (("uvicorn", "web"), ("queues=default", "worker"), (" beat", "beat")):
        victim = min(pid for pid, command in site.processes().items() if mark in command)
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda said=f"{name} ended by itself and was started again": said in site.says())
    wait_until(site.is_well)
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(STOP_SECONDS) == 0
    assert site.says().endswith("Stopped; nothing is left running.\n")
    assert not site.processes()


def test_kill_of_the_supervisor_leaves_nothing_the_site_starts_again_and_stops_when_valkey_dies(site: Site) -> None:
    site.start()
    assert "Bringing the database up to date." in site.says()
    site.process.kill()
    wait_until(lambda: not site.processes(), seconds=STOP_SECONDS)
    site.process.wait()
    site.start()
    assert site.says().lstrip().startswith("The site is open:")  # nothing has changed, so nothing else is said
    assert site.get("/healthz").status in (200, 503)
    (valkey_pid,) = (pid for pid, command in site.processes().items() if "valkey-server" in command)
    os.kill(valkey_pid, signal.SIGKILL)
    assert site.process.wait(STOP_SECONDS) == 1
    assert "valkey ended by itself" in site.says()
    assert not site.processes()


def test_what_keeps_ending_is_not_started_for_ever(tmp_path: Path) -> None:
    child = Child("short", [sys.executable, "-c", "print('here')"], log=tmp_path / "log")
    child.start()
    starts = 1
    while child.process.wait() == 0 and child.start_again():
        starts += 1
    assert starts == 1 + RESTARTS
    assert child.last_lines().splitlines() == ["here"] * starts


def test_second_start_in_the_same_directory_is_refused(site: Site, tmp_path: Path) -> None:
    socket_path = environment.embedded_socket(site.var)
    first = valkey_server.server(socket_path, data=tmp_path / "data", log=tmp_path / "log")
    valkey_server.start(first, socket_path, data=tmp_path / "data")
    try:
        said = site.refusal()
    finally:
        stop([first])
    assert said == "CommandError: The site is already running from this directory; stop it first."


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
    with pytest.raises(valkey_server.ValkeyError, match="belongs to somebody else"):
        valkey_server.start(child, socket_path, data=tmp_path / "data")
    assert not child.is_running
