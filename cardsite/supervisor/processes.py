"""Child processes that end when they are told to, and also when their parent is killed."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

STOP_SECONDS = 10
RESTARTS = 3  # in the window
RESTART_WINDOW_SECONDS = 60
PR_SET_PDEATHSIG = 1


class Child:
    """One process in a group of its own, so that Ctrl-C in the terminal reaches only the parent.

    log: file that takes what the process prints; it starts anew with `start`, not when the process is started again.
    after_term: called after the process was asked to stop, for what helps it to be quick.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] = {},
        after_term: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.command = command
        self.log = log
        self.env = env
        self.after_term = after_term
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Call it in the main thread: on Linux the child ends with the thread that started it."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        self.deaths: list[float] = []
        self._run()

    def start_again(self) -> bool:
        """After it ended by itself; False if that happens too often, so that starting it is no help."""
        self.deaths = [moment for moment in self.deaths if moment > time.monotonic() - RESTART_WINDOW_SECONDS]
        self.deaths.append(time.monotonic())
        if len(self.deaths) > RESTARTS:
            return False
        self._run()
        return True

    def _run(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=os.environ | self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=_end_with_parent(os.getpid()),
            )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def terminate(self) -> None:
        """Ask the process to finish what it does and end."""
        if self.process is not None and self.is_running:
            self.process.terminate()
            self.after_term()

    def kill(self) -> None:
        """Kill the process and what it has started, at once."""
        if self.process is not None and self.is_running:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def last_lines(self, count: int = 15) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])


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


def _end_with_parent(parent: int) -> Callable[[], None] | None:
    """What a new process does first, so that SIGKILL of its parent ends it too (Linux only)."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)

    def ask_the_kernel() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the kernel was asked
            os.kill(os.getpid(), signal.SIGTERM)

    return ask_the_kernel
