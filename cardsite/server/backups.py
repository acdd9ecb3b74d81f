"""Backup and restore of the database: one file with all that the site remembers.

SQLite is copied by its online backup while the site runs; PostgreSQL by pg_dump, whose version must not be older than
the server's. What Redis holds (sessions in the cache, the queue, who is there) is made again from the database.
"""

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

SUFFIXES = {"sqlite": ".sqlite3", "postgresql": ".dump"}
OWNER_ONLY = 0o600
CUSTOM_FORMAT = b"PGDMP"  # how a dump of pg_dump --format=custom begins
SQLITE_FORMAT = b"SQLite format 3\0"


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says why."""


def default_path() -> Path:
    """A new file in `VAR_DIR/backups`, named after the time."""
    name = timezone.now().strftime("%Y-%m-%dT%H-%M-%SZ") + SUFFIXES[connection.vendor]
    return Path(settings.VAR_DIR) / "backups" / name


def back_up(path: Path) -> None:
    """Writes the whole database to a new file that only its owner can read. None is left if that fails.

    :raises BackupError: the file exists, or it cannot be written.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists():
            raise BackupError(f"{path} exists already.")
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(_name()), unfinished)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", f"--file={unfinished}")
        unfinished.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"Cannot write {path}: {error}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def restore(path: Path) -> None:
    """Puts a backup in the place of the whole database. Nothing changes if that fails.

    No process of the site may run meanwhile. :raises BackupError: the file is no backup of this kind of database, is
    damaged, or the database is in use.
    """
    check(path)
    connection.close()
    if connection.vendor == "sqlite":
        try:
            _copy_sqlite(path, Path(_name()))
        except (OSError, sqlite3.Error) as error:
            raise BackupError(f"Cannot restore {path}: {error}.") from error
    else:
        _run(
            "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error",
            f"--dbname={_name()}", str(path),
        )  # fmt: skip


def check(path: Path) -> None:
    """:raises BackupError: this is no backup of the kind of database in use, or it is damaged."""
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE_FORMAT))
    except OSError as error:
        raise BackupError(f"Cannot read {path}: {error.strerror}.") from error
    kind = "sqlite" if start == SQLITE_FORMAT else "postgresql" if start.startswith(CUSTOM_FORMAT) else ""
    if kind != connection.vendor:
        made_by = {"": "no backup", "sqlite": "a backup of SQLite", "postgresql": "a backup of PostgreSQL"}[kind]
        raise BackupError(f"{path} is {made_by}; this site uses {connection.display_name}.")
    if kind == "sqlite":
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as copy:
                found = [row[0] for row in copy.execute("PRAGMA integrity_check(1)")]
        except sqlite3.Error as error:
            found = [str(error)]
        if found != ["ok"]:
            raise BackupError(f"{path} is damaged: {found[0]}.")


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copies a database that may be in use; the target has all of it or stays as it was."""
    with closing(sqlite3.connect(source, timeout=20)) as old, closing(sqlite3.connect(target, timeout=20)) as new:
        old.backup(new)


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _run(program: str, *arguments: str) -> None:
    """Runs a program of PostgreSQL on the database of the settings; the password is in its environment only."""
    given: dict[str, Any] = connection.settings_dict
    options = given["OPTIONS"]
    variables = {
        "PGDATABASE": _name(),
        "PGUSER": given["USER"],
        "PGPASSWORD": given["PASSWORD"],
        "PGHOST": given["HOST"] or options.get("host", ""),
        "PGPORT": str(given["PORT"]),
        "PGSSLMODE": options.get("sslmode", ""),
    }
    environment = os.environ | {name: value for name, value in variables.items() if value}
    try:
        done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise BackupError(f"{program} is not installed; it comes with the client tools of PostgreSQL.") from error
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")
