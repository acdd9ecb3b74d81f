"""Child processes of `manage.py up`: logs, restarts with backoff, and the end when their parent is killed."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from cardsite.server import processes
from cardsite.server.processes import Child, stop

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 60


def python(code: str, *, log: Path, name: str = "short") -> Child:
    return Child(name, [sys.executable, "-c", code], log=log)


def run_to_end(child: Child) -> None:
    child.start()
    assert child.process.wait(WAIT_SECONDS) == 0
    child.read_to_end()


def end(child: Child) -> None:
    """Wait until a process that ends by itself has done so."""
    child.process.wait(WAIT_SECONDS)


def test_log_goes_on_where_the_last_start_ended(tmp_path: Path) -> None:
    for word in ("one", "two"):
        child = python(f"print('{word}')", log=tmp_path / "log")
        run_to_end(child)
        assert child.last_lines() == word  # of this start alone
    assert (tmp_path / "log").read_text() == "one\ntwo\n"


def test_log_rotates_and_its_size_is_bounded(tmp_path: Path) -> None:
    line = 50_000
    lines = (processes.LOG_FILES + 1) * processes.LOG_BYTES // line
    child = python(f"for n in range({lines}): print(f'{{n:0{line}}}')", log=tmp_path / "log")
    run_to_end(child)
    files = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(files) == {"log", *(f"log.{number}" for number in range(1, processes.LOG_FILES))}
    assert max(files.values()) <= processes.LOG_BYTES
    assert (tmp_path / "log").read_text().endswith(f"0{lines - 1}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_process_goes_on_when_its_log_has_no_room(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log").symlink_to("/dev/full")
    child = python("for n in range(10_000): print(n)", log=tmp_path / "log")
    run_to_end(child)
    assert child.last_lines(1) == "9999"
    assert capfd.readouterr() == ("", "")


def test_process_that_keeps_ending_starts_again_after_longer_and_longer_pauses(tmp_path: Path) -> None:
    child = python("print('here'); raise SystemExit(3)", log=tmp_path / "log")
    child.start()
    now, pauses = child.started_at, []
    for _ in range(10):
        end(child)
        said = child.keep_running(now)
        assert said.startswith("short ended by itself (exit code 3) and ")
        assert said in (tmp_path / "log").read_text()
        if not child.starts_at:  # it was started at once
            pauses.append(0)
            continue
        pauses.append(child.starts_at - now)
        assert child.keep_running(child.starts_at - 0.1) == "" and not child.is_running
        now = child.starts_at
        assert child.keep_running(now) == "" and child.starts_at is None
    assert pauses == [0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    end(child)
    assert "was started again" in child.keep_running(now + processes.QUIET_SECONDS)
    end(child)
    child.read_to_end()
    assert (tmp_path / "log").read_text().count("here\n") == 12


def test_program_that_is_gone_for_a_while_is_tried_again(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o700)
    child = Child("short", [program], log=tmp_path / "log")
    child.start()
    end(child)
    program.rename(tmp_path / "elsewhere")
    now = child.started_at
    assert "short cannot start" in child.keep_running(now)
    (tmp_path / "elsewhere").rename(program)
    assert child.starts_at > now
    assert child.keep_running(child.starts_at) == ""
    end(child)
    assert child.process.returncode == 0


def test_running_process_is_left_alone(tmp_path: Path) -> None:
    child = python("import signal; signal.pause()", log=tmp_path / "log")
    child.start()
    try:
        assert child.keep_running(child.started_at + 1) == ""
        assert child.is_running
    finally:
        child.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_child_that_does_not_heed_sigterm_ends_with_its_killed_parent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    stubborn = (
        "import signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"with open({str(tmp_path / 'fifo')!r}, 'w') as fifo:\n"
        "    print('ready', file=fifo, flush=True)\n"
        "    signal.pause()\n"
    )
    parent = (
        "import signal, sys\n"
        "from pathlib import Path\n"
        "from cardsite.server.processes import Child\n"
        f"Child('stubborn', [sys.executable, '-c', {stubborn!r}], log=Path({str(tmp_path / 'log')!r})).start()\n"
        "signal.pause()\n"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", parent], cwd=ROOT)
    with (tmp_path / "fifo").open() as fifo:
        assert fifo.readline() == "ready\n"
        supervisor.kill()
        supervisor.wait()
        readable, _, _ = select.select([fifo], [], [], WAIT_SECONDS)
        assert readable and fifo.read() == ""  # nobody has it open any more


def test_stop_leaves_the_last_words_in_the_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit('last words'))\n"
        f"print('ready', file=open({str(tmp_path / 'fifo')!r}, 'w'), flush=True)\n"
        "signal.pause()\n"
    )
    child = python(code, log=tmp_path / "log")
    child.start()
    with (tmp_path / "fifo").open() as fifo:
        assert fifo.readline() == "ready\n"
    stop([child])
    assert (tmp_path / "log").read_text() == "last words\n"
