#!/usr/bin/env python3
"""Run a command of the site: `python3 manage.py up` is all that a new machine needs.

Until the dependencies are installed this file can count on nothing but Python and pip. It keeps `.venv` as
the lock file says and then runs the command inside it, so every command works on a fresh clone:

    python3 manage.py up              start the site on this machine
    python3 manage.py test            run every test
    python3 manage.py setup [--dev]   only install, with or without the tools for development
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed-from"
RUNTIME_LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"  # holds all of the runtime lock
NO_ROOM = (*map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)), "No usable temporary directory")


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    command, options = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if Path(sys.prefix).resolve() != VENV.resolve():
        needs_tools = command == "test" or (command == "setup" and "--dev" in options)
        try:
            install(DEV_LOCK if needs_tools else RUNTIME_LOCK)
        except OSError as error:
            sys.exit(f"Cannot write to {error.filename or ROOT}: {error.strerror}.")
        if command != "setup":
            os.execv(venv_python(), [str(venv_python()), str(ROOT / "manage.py"), *sys.argv[1:]])
    elif command != "setup":
        run_django()


def venv_python() -> Path:
    return VENV / "bin" / "python"


def stamp(lock: Path) -> str:
    """What `.venv` was made from: another lock or another Python gives another stamp."""
    return hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()


def is_installed(lock: Path) -> bool:
    """True if `.venv` works and holds at least what `lock` asks for."""
    if not (STAMP.exists() and venv_python().exists()):
        return False
    return STAMP.read_text() in {stamp(lock), stamp(DEV_LOCK)}


def install(lock: Path) -> None:
    """Make `.venv` anew unless it already holds `lock`.

    The tools for development are added to what runs the site, which may be running. An interrupted install leaves
    no stamp and starts over.
    :raises OSError: the directory cannot be written.
    """
    if is_installed(lock):
        return
    print("Installing the dependencies into .venv; this happens once and takes up to a minute.", flush=True)
    if is_installed(RUNTIME_LOCK):
        STAMP.unlink()
    else:
        venv.EnvBuilder(with_pip=False, clear=True, symlinks=True).create(VENV)
    if pip_reaches_other_environments():
        pip = [sys.executable, "-m", "pip", "--python", str(venv_python())]
    else:
        pip = [str(venv_python()), "-m", "pip"]
        no_pip = "This Python has no pip; install it (Debian: apt install python3-pip), then try again."
        run([str(venv_python()), "-Im", "ensurepip", "--default-pip"], or_else=no_pip)
    options = ["-qq", "--disable-pip-version-check", "--no-input"]
    failed = "The dependencies could not be installed; pip says why above."
    run([*pip, "install", *options, "--require-hashes", "-r", str(lock)], or_else=failed)
    STAMP.write_text(stamp(lock))


def run(command: list[str], *, or_else: str) -> None:
    """Run a step of the installation; if it fails, end with its reason: no room on the disk, or what it says itself."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode:
        if reason := next((reason for reason in NO_ROOM if reason in done.stderr), None):
            sys.exit(f"The dependencies could not be installed in {VENV}: {reason}.")
        sys.stderr.write(done.stderr)
        sys.exit(or_else)


def pip_reaches_other_environments() -> bool:
    """True for pip 22.3 and newer, which install into an environment that has no pip of its own."""
    answer = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, text=True).stdout
    version = re.match(r"pip (\d+)\.(\d+)", answer)
    return version is not None and tuple(map(int, version.groups())) >= (22, 3)


def run_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))


if __name__ == "__main__":
    main()
