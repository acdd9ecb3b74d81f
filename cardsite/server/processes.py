"""Child processes: logs, restarts with exponential backoff, and a clean end, also when the parent is killed."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from logging import Formatter, LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

STOP_SECONDS = 10
FIRST_PAUSE_SECONDS = 1
LONGEST_PAUSE_SECONDS = 60
QUIET_SECONDS = 60  # a process that ran this long starts again at once
LOG_FILES = 5
LOG_BYTES = 5_000_000  # per file
KEPT_LINES = 1000
LONGEST_LINE = 65_536
READ_SECONDS = 1  # for the last words of a process that has ended
PR_SET_PDEATHSIG = 1


class LogFile(RotatingFileHandler):
    """Rotating log of one process: LOG_FILES files of LOG_BYTES, appended to at every start.

    Only the parent writes to it, so nothing else rotates it meanwhile.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", delay=True)
        self.setFormatter(Formatter("%(message)s"))

    def write(self, line: str) -> None:
        self.handle(makeLogRecord({"msg": line}))

    def handleError(self, record: LogRecord) -> None:
        """Drop a line that the disk has no room for: the process must not stop because of its log."""


class Child:
    """One process in a group of its own, so that Ctrl-C in the terminal reaches only the parent.

    log: file that takes what the process prints, see `LogFile`.
    descriptors: open files and sockets that the process shares with its parent, under the same numbers.
    after_term: called after the process was asked to stop, for what helps it to be quick.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] = {},
        descriptors: Sequence[int] = (),
        after_term: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.command = command
        self.log = log
        self.log_file = LogFile(log)
        self.env = env
        self.descriptors = descriptors
        self.after_term = after_term
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)  # printed since `start`
        self.quick_ends = 0  # in a row
        self.started_at = 0.0
        self.starts_at: float | None = None  # set while it waits for its next start

    def start(self) -> None:
        """Call it in the main thread: on Linux the child ends with the thread that started it.

        :raises OSError: the directory of the log cannot be written, or the program cannot run.
        """
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.lines.clear()
        self._run(time.monotonic())

    def keep_running(self, now: float) -> str:
        """Restart with exponential backoff. Call it again and again; it waits for nothing.

        now: of the monotonic clock. Returns a line about a process that has just ended, else "".
        """
        if self.is_running:
            return ""
        said = ""
        if self.starts_at is None:
            said = self._plan_restart(now, how=self._how_it_ended())
        if self.starts_at is not None and now >= self.starts_at:
            try:
                self._run(now)
            except (OSError, subprocess.SubprocessError) as error:
                said = self._plan_restart(now, how=f"cannot start ({error})")
        return said

    def _plan_restart(self, now: float, *, how: str) -> str:
        if now - self.started_at >= QUIET_SECONDS:
            self.quick_ends = 0
        pause = min(FIRST_PAUSE_SECONDS * 2 ** (self.quick_ends - 1), LONGEST_PAUSE_SECONDS) if self.quick_ends else 0
        self.quick_ends += 1
        self.starts_at = now + pause
        what_next = f"starts again in {pause} s; its log is {self.log}" if pause else "was started again"
        said = f"{self.name} {how} and {what_next}."
        self.log_file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {said}")
        return said

    def _how_it_ended(self) -> str:
        code = self.process.returncode if self.process else 0
        return f"ended by itself ({f'signal {-code}' if code < 0 else f'exit code {code}'})"

    def _run(self, now: float) -> None:
        self.starts_at = None
        self.started_at = now
        self.process = subprocess.Popen(
            self.command,
            env=os.environ | self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
            pass_fds=self.descriptors,
            preexec_fn=_end_with_parent(os.getpid()),
        )
        assert self.process.stdout
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self.reader.start()

    def _read(self, output: IO[bytes]) -> None:
        """Copy to the log what the process prints, until it and all that it has started are gone."""
        with output:
            for line in iter(lambda: output.readline(LONGEST_LINE), b""):
                text = line.decode(errors="replace").rstrip("\n")
                self.lines.append(text)
                self.log_file.write(text)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def terminate(self) -> None:
        """Asks the process to finish its work and end (SIGTERM)."""
        if self.process is not None and self.is_running:
            self.process.terminate()
            self.after_term()

    def kill(self) -> None:
        """Kill the process and what it has started, at once."""
        if self.process is not None and self.is_running:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def read_to_end(self) -> None:
        """After it has ended: waits until its last output is in the log."""
        if not self.is_running:
            self.reader.join(READ_SECONDS)

    def last_lines(self, count: int = 15) -> str:
        """The end of its output since `start`."""
        self.read_to_end()
        return "\n".join(list(self.lines)[-count:])


def stop(children: Collection[Child]) -> None:
    """Stop all of them at once; what still runs after STOP_SECONDS is killed."""
    for child in children:
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        if child.process is not None:
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0, deadline - time.monotonic()))
            child.kill()
            child.read_to_end()


def _end_with_parent(parent: int) -> Callable[[], None] | None:
    """What a new process does first, so that SIGKILL of its parent ends it too (Linux only).

    It is killed, too: nobody is left to wait for it, to stop the parts in their order, or to kill what does not stop.
    A worker whose broker has gone first may wait for it for ever. All that is stored survives that.
    """
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)

    def ask_the_kernel() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the kernel was asked
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_the_kernel
