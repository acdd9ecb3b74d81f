"""What the settings read from the environment, and how they refuse what they cannot use."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from cardsite import environment

ROOT = Path(__file__).parents[2]


def test_sqlite_url_names_a_file() -> None:
    assert environment.database("sqlite:////var/lib/site.sqlite3")["NAME"] == "/var/lib/site.sqlite3"


def test_every_sqlite_transaction_takes_the_write_lock_at_its_start() -> None:
    assert environment.database("sqlite:///site.sqlite3")["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_postgresql_url_is_taken_apart_and_unquoted() -> None:
    found = environment.database("postgresql://ann:p%40ss@db.example:5433/cards?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "ann", "p@ss", "db.example", 5433, "cards",
    )  # fmt: skip
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["CONN_MAX_AGE"] == 600


def test_postgresql_socket_directory_may_stand_in_the_query() -> None:
    found = environment.database("postgresql:///cards?host=/run/postgresql")
    assert (found["HOST"], found["OPTIONS"]["host"]) == ("", "/run/postgresql")


@pytest.mark.parametrize("url", ["mysql://host/name", "postgresql://host", "postgresql://h:p/name", "cards"])
def test_unknown_database_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL [^\n]*\.$"):
        environment.database(url)


def test_redis_url_gets_the_database_number_asked_for() -> None:
    assert environment.redis("redis://:secret@host:6380/7", db=1) == "redis://:secret@host:6380/1"
    assert environment.celery("redis://host:6379", db=2) == "redis://host:6379/2"


def test_redis_socket_is_spelled_for_redis_and_for_celery() -> None:
    assert environment.redis("unix:///run/valkey.sock", db=1) == "unix:///run/valkey.sock?db=1"
    assert environment.celery("unix:///run/valkey.sock", db=2) == "redis+socket:///run/valkey.sock?virtual_host=2"


@pytest.mark.parametrize("url", ["host:6379", "http://host", "redis://", "unix://"])
def test_unknown_redis_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL must look like"):
        environment.redis(url, db=0)


def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment.proxies("PROXIES") == []
    monkeypatch.setenv("PROXIES", "127.0.0.1, ::1,10.0.0.0/8")
    assert environment.proxies("PROXIES") == ["127.0.0.1", "::1", "10.0.0.0/8"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("*", r"must not be \*: visitors could claim any address"),
        ("10.0.0.1,0.0.0.0/0", r"must not be 0.0.0.0/0:"),
        ("::/0", r"must not be ::/0:"),
        ("10.0.0.1/8", "must list IP addresses or networks.* has host bits set"),
        ("proxy.example", "must list IP addresses or networks.* 'proxy.example'"),
        ("10.0.0.1;10.0.0.2", "must list IP addresses"),
    ],
)
def test_proxies_that_the_web_server_would_misread_are_refused(
    value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROXIES", value)
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.proxies("PROXIES")


def test_flag_that_is_neither_on_nor_off_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "maybe")
    with pytest.raises(ImproperlyConfigured, match="DEBUG must be 1 or 0, not 'maybe'"):
        environment.flag("DEBUG", default=False)


def test_secret_key_is_made_once_and_only_its_owner_can_read_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SECRET_KEY")
    first = environment.secret_key(tmp_path / "secret_key")
    assert len(first) > 50
    assert environment.secret_key(tmp_path / "secret_key") == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_processes_that_start_at_once_get_the_same_secret_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One found the file that another had not yet written, and refused it as empty."""
    monkeypatch.delenv("SECRET_KEY")
    for number in range(200):
        path = tmp_path / str(number)
        with ThreadPoolExecutor(8) as threads:
            assert len({*threads.map(environment.secret_key, [path] * 8)}) == 1


def test_secret_key_without_room_leaves_no_empty_file_behind(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path; from cardsite import environment\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))\n"
        f"environment.secret_key(Path({str(tmp_path / 'secret_key')!r}))"
    )
    env = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.stderr.endswith(f"ImproperlyConfigured: Cannot use {tmp_path / 'secret_key'}: File too large.\n")
    assert not list(tmp_path.iterdir())


def test_empty_secret_key_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY")
    (tmp_path / "secret_key").touch()
    with pytest.raises(ImproperlyConfigured, match="secret_key is empty; remove it and start again"):
        environment.secret_key(tmp_path / "secret_key")


def test_new_directory_is_for_its_owner_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VAR_DIR")
    assert environment.directory("VAR_DIR", default=tmp_path / "var").stat().st_mode & 0o777 == 0o700


def test_secret_key_of_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")
    assert environment.secret_key(tmp_path / "secret_key") == "given"
    assert not (tmp_path / "secret_key").exists()


def test_directory_that_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "file" / "var"))
    with pytest.raises(ImproperlyConfigured, match="Cannot make the directory"):
        environment.directory("VAR_DIR", default=tmp_path)


def test_mail_goes_into_files_or_by_a_server() -> None:
    assert environment.mail("file:///srv/mail")["EMAIL_FILE_PATH"] == "/srv/mail"
    found = environment.mail("smtp+tls://ann:p%40ss@mail.example")
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_HOST_PASSWORD"]) == ("mail.example", 587, "p@ss")
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (True, False)
    assert environment.mail("smtps://mail.example:2465")["EMAIL_PORT"] == 2465


@pytest.mark.parametrize("url", ["mail.example", "smtps://", "http://mail.example", "smtp://mail.example:port"])
def test_unknown_mail_server_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^EMAIL_URL [^\n]*\.$"):
        environment.mail(url)
