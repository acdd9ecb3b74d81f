"""Environment variables for the settings. A bad value stops the start with one sentence."""

import hashlib
import os
import secrets
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS = {
    # A transaction that reads first and writes later cannot wait for the lock, whatever the timeout,
    # so every transaction takes the write lock at its start.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA foreign_keys=ON;",
}
POSTGRESQL_OPTIONS = {"connect_timeout": 5}


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name, "").lower()
    if value not in ("", "0", "1", "true", "false"):
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in ("1", "true") if value else default


def text(name: str, *, default: str) -> str:
    return os.environ.get(name) or default


def choice(name: str, values: list[str]) -> str:
    """One of these values; the first if the variable is unset."""
    value = os.environ.get(name) or values[0]
    if value not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {value!r}.")
    return value


def words(name: str, *, default: list[str]) -> list[str]:
    """The comma-separated values of a variable."""
    value = os.environ.get(name, "")
    return [word.strip() for word in value.split(",") if word.strip()] or default


def networks(name: str, *, default: list[str]) -> list[str]:
    """The IP addresses and networks of a variable, comma-separated."""
    found = words(name, default=default)
    for word in found:
        try:
            ip_network(word)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} must list IP addresses or networks, such as 10.0.0.5 or 10.0.0.0/8: {error}."
            ) from error
    return found


def proxies(name: str) -> list[str]:
    """The IP addresses and networks of trusted proxies, comma-separated; [] if the variable is unset.

    The web server reads the variable itself. It ignores a word that it does not understand, and believes any visitor's
    X-Forwarded-For where all addresses are trusted, so both are refused here.
    """
    found = ["*"] if "*" in words(name, default=[]) else networks(name, default=[])
    for word in found:
        if word == "*" or ip_network(word).prefixlen == 0:
            raise ImproperlyConfigured(
                f"{name} must not be {word}: visitors could claim any address and so escape the limit on wrong "
                "passwords. Name the address or network of your proxy, such as 127.0.0.1 or 172.16.0.0/12."
            )
    return found


def directory(name: str, *, default: Path) -> Path:
    """A directory that this process can write to; created, for its owner only, if it does not exist."""
    path = Path(os.environ.get(name) or default)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"Cannot make the directory {path}: {error.strerror}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"Cannot write to {path}: permission denied.")
    return path


def secret_key(path: Path) -> str:
    """SECRET_KEY, or else a key that is generated once and kept in `path`, readable by its owner only."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    try:
        write_once(path, secrets.token_urlsafe(64))
        key = path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"Cannot use {path}: {error.strerror}.") from error
    if not key:
        raise ImproperlyConfigured(f"{path} is empty; remove it and start again.")
    return key


def write_once(path: Path, content: str) -> None:
    """Creates a file for its owner only, unless it exists. No other process sees a part of it.

    :raises OSError: it cannot be written.
    """
    if path.exists():
        return
    with NamedTemporaryFile("w", dir=path.parent) as file:
        file.write(content)
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)


def database(url: str, *, is_pooled: bool = False) -> dict[str, Any]:
    """An entry of DATABASES: `sqlite:///path/to/file` or `postgresql://user:password@host:port/name`.

    is_pooled: each transaction may get another connection to the server, so nothing outlives one: no cursor, and no
    prepared statement (`games.fast_moves.connections`; Django prepares none by itself). The PostgreSQL socket directory
    can be given in the query, `?host=/run/postgresql`, as can any other option of libpq.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}.") from error
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme == "sqlite" and name:
        # Opening the file again for each request would cost more than most queries.
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "CONN_MAX_AGE": None, "OPTIONS": SQLITE_OPTIONS}
    if parts.scheme in ("postgres", "postgresql") and name:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": port or "",
            # Who uses the database does so in a few threads that stay (cardsite/web/handler.py); streams keep no
            # connection, and the moves of an event loop share a few (`games.fast_moves.connections`).
            "CONN_MAX_AGE": 600,
            "DISABLE_SERVER_SIDE_CURSORS": is_pooled,
            "OPTIONS": POSTGRESQL_OPTIONS | dict(parse_qsl(parts.query)),
        }
    raise ImproperlyConfigured(
        "DATABASE_URL must look like postgresql://user:password@host/name or sqlite:///path/to/file."
    )


MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def mail(url: str) -> dict[str, Any]:
    """The EMAIL_* settings of `smtps://user:password@host`, `smtp+tls://` (STARTTLS), `smtp://` or `file:///directory`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"EMAIL_URL cannot be read: {error}.") from error
    if parts.scheme == "file" and parts.path:
        backend = "django.core.mail.backends.filebased.EmailBackend"
        return {"EMAIL_BACKEND": backend, "EMAIL_FILE_PATH": unquote(parts.path)}
    if parts.scheme in MAIL_PORTS and parts.hostname:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": parts.hostname,
            "EMAIL_PORT": port or MAIL_PORTS[parts.scheme],
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
            "EMAIL_USE_SSL": parts.scheme == "smtps",
            "EMAIL_TIMEOUT": 10,
        }
    raise ImproperlyConfigured("EMAIL_URL must look like smtps://user:password@host or file:///path/to/directory.")


def embedded_socket(var_dir: Path) -> Path:
    """The socket of the Valkey of `manage.py up`: the same path for every process of one VAR_DIR.

    It is in /tmp because the path of a socket may not be longer than about 100 characters.
    """
    name = hashlib.sha256(bytes(var_dir.resolve())).hexdigest()[:12]
    return Path("/tmp") / f"cardsite-{name}" / "valkey.sock"


def redis(url: str, *, db: int) -> str:
    """The Redis URL for the numbered database `db`, as redis-py spells it.

    url: `redis://`, `rediss://` or `unix:///path`; a database number of its own is replaced.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"REDIS_URL cannot be read: {error}.") from error
    if parts.scheme in ("redis", "rediss") and parts.hostname:
        return urlunsplit(parts._replace(path=f"/{db}"))
    if parts.scheme == "unix" and parts.path:
        return f"unix://{parts.path}?db={db}"
    raise ImproperlyConfigured("REDIS_URL must look like redis://host:6379 or unix:///path/to/socket.")


def celery(url: str, *, db: int) -> str:
    """As `redis`, as Celery spells it."""
    found = redis(url, db=db)
    if found.startswith("unix://"):
        return f"redis+socket://{urlsplit(found).path}?virtual_host={db}"
    return found
