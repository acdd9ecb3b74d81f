"""Doctor: what is wrong with the set-up of a site, in sentences that say what to do."""

import os
import shutil
import socket
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import redis
from django.conf import settings
from django.core import checks
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max, QuerySet
from django.utils import timezone

from cardsite.web.health import LATE_SECONDS, database, redis_server, tick_ages
from games.models import Table
from infra.redis_client import redis_client
from infra.task_queue import QUEUES, waiting_tasks
from notifications.models import PushSubscription
from notifications.web_push import is_push_service
from tournaments.models import Event

CLOCK_SECONDS = 2.0
LEAST_DISK_BYTES = 1_000_000_000
LONG_QUEUE = 500
PUSH_SECONDS = 5
STUCK = timedelta(minutes=5)
OVERDUE = {
    "deadline_at": "whose clock has run out",
    "bot_due_at": "where a bot has yet to move",
    "rating_due_at": "whose ratings have yet to be counted",
    "shuffle_due_at": "whose cards have yet to be dealt",
}
"""By column of a table: what the tick should have done long ago."""
NEEDED_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")


@dataclass(frozen=True, slots=True)
class Finding:
    """What an examination found. is_wrong: something has to be done about it."""

    text: str
    is_wrong: bool = False


def wrong(text: str) -> Finding:
    return Finding(text, is_wrong=True)


Part = Callable[[], Iterator[Finding]]


def examine(parts: Sequence[Part]) -> Iterator[Finding]:
    """All findings, in an order in which the cause of others comes first. Nothing is changed."""
    for part in parts:
        try:
            yield from part()
        except (DatabaseError, redis.RedisError, OSError) as error:
            name = part.__name__.strip("_").replace("_", " ").capitalize()
            yield wrong(f"{name} could not be examined: {_sentence(error)}")


def _settings() -> Iterator[Finding]:
    for message in checks.run_checks(include_deployment_checks=settings.HTTPS):
        if message.level >= checks.WARNING and not message.is_silenced():
            yield wrong(f"{message.msg} {message.hint or ''}".strip())
    for path in (settings.VAR_DIR, settings.VAR_DIR / "secret_key"):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            yield wrong(f"Others on this machine can read {path}. Take that away: chmod go= {path}")
    if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        yield wrong("Static files have not been collected. Run `manage.py prepare`.")


def _database() -> Iterator[Finding]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        yield wrong(f"The database does not answer: {_sentence(error)} Start it, or correct DATABASE_URL.")
        return
    yield Finding(f"The database is {connection.display_name} and answers.")
    if count := _open_migrations():
        yield wrong(
            f"The database is new or of an earlier version: {count} migrations are open. Run `manage.py prepare`."
        )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            yield from _compare_clocks("the database", cursor.fetchone()[0].timestamp())


def _open_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _has_tables() -> bool:
    """Whether the rows of the site can be read; `_database` tells of what is wrong otherwise."""
    return database() == "ok" and not _open_migrations()


def _clock() -> Iterator[Finding]:
    """Whether the clock has been set back since the newest table was opened."""
    now = timezone.now()
    newest = Table.objects.aggregate(at=Max("created_at"))["at"] if _has_tables() else None
    if newest and newest - now > timedelta(seconds=CLOCK_SECONDS):
        yield wrong(
            f"The clock of this machine is slow: it says {now:%d %b %Y %H:%M} UTC, and a table was opened at "
            f"{newest:%d %b %Y %H:%M}. Let it follow a time server."
        )


def _compare_clocks(whose: str, seconds: float) -> Iterator[Finding]:
    ahead = time.time() - seconds
    if abs(ahead) > CLOCK_SECONDS:
        word = "ahead of" if ahead > 0 else "behind"
        yield wrong(
            f"The clock of this machine is {abs(ahead):.1f} s {word} that of {whose}. Players would lose time; let "
            "both follow a time server."
        )


def _time_zones() -> Iterator[Finding]:
    try:
        for zone in NEEDED_ZONES:
            ZoneInfo(zone)
    except ZoneInfoNotFoundError as error:
        yield wrong(f"Time zone data are missing: {error}. Install the package tzdata of your system.")


def _disk() -> Iterator[Finding]:
    for path in dict.fromkeys((Path(settings.VAR_DIR), Path(settings.STATIC_ROOT))):
        free = shutil.disk_usage(path).free
        if free < LEAST_DISK_BYTES:
            yield wrong(f"Only {free / 1e6:.0f} MB are free where {path} is. SQLite, logs and backups need room.")
        if not os.access(path, os.W_OK):
            yield wrong(f"This process cannot write to {path}.")


def _redis() -> Iterator[Finding]:
    client = redis_client(settings.LIVE_REDIS_URL)
    try:
        seconds, microseconds = client.time()
    except redis.RedisError as error:
        which = "correct REDIS_URL" if settings.REDIS_URL else "start the site, whose `manage.py up` has its own"
        yield wrong(f"Redis does not answer: {_sentence(error)} Start it, or {which}.")
        return
    yield Finding("Redis answers.")
    yield from _compare_clocks("Redis", seconds + microseconds / 1e6)
    memory: dict[str, Any] = client.info("memory")
    if memory.get("maxmemory") and memory.get("maxmemory_policy") != "noeviction":
        yield wrong(
            f"Redis throws keys away when its memory is full ({memory['maxmemory_policy']}), tasks among them. Set "
            "maxmemory-policy to noeviction."
        )
    for queue in QUEUES:
        if (length := waiting_tasks(queue)) > LONG_QUEUE:
            yield wrong(f"{length} tasks wait in the queue {queue}. Start more workers for it.")


def _ticks() -> Iterator[Finding]:
    if redis_server() != "ok":
        return  # nobody can tell
    for name, age in tick_ages().items():
        if age is None:
            yield wrong(f"{name} has never run. Start beat and a worker for the queue default.")
        elif age > LATE_SECONDS:
            yield wrong(f"{name} last ran {age:.0f} s ago. Are beat and a worker for the queue default running?")


def _mail() -> Iterator[Finding]:
    if "smtp" not in settings.EMAIL_BACKEND:
        yield Finding("E-mails become files in VAR_DIR; set EMAIL_URL to send them.")
        return
    try:
        with get_connection():
            pass
    except OSError as error:
        address = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
        yield wrong(f"The mail server {address} does not take e-mails: {_sentence(error)} Correct EMAIL_URL.")
    else:
        yield Finding(f"{settings.EMAIL_HOST} takes e-mails.")


def _push() -> Iterator[Finding]:
    """Whether the push services of the subscribed browsers may and can be reached."""
    if not _has_tables():
        return
    endpoints = list(PushSubscription.objects.values_list("endpoint", flat=True))
    yield Finding(f"{len(endpoints)} browsers receive push messages.")
    if endpoints and settings.EMAIL_FROM.endswith("@localhost"):
        yield wrong("Push services want an address that they can write to. Set EMAIL_FROM.")
    services = {f"{parts.scheme}://{parts.netloc}": parts for parts in map(urlsplit, endpoints)}
    for service, parts in sorted(services.items()):
        if not is_push_service(service):
            yield wrong(f"{service} takes messages of subscribed browsers, but is not in PUSH_SERVICES.")
            continue
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            socket.create_connection((parts.hostname or "", port), timeout=PUSH_SECONDS).close()
        except OSError as error:
            yield wrong(f"{service} does not take push messages: {_sentence(error)}")


def _stuck() -> Iterator[Finding]:
    """Rows that the tick should have taken long ago, and events that wait for a person."""
    if not _has_tables():
        return
    before = timezone.now() - STUCK
    why = f"have waited for more than {STUCK.seconds // 60} minutes. The log of the worker should say why."
    for column, what in OVERDUE.items():
        yield from _listed(Table.objects.filter(**{f"{column}__lt": before}), f"Tables {what} {why}")
    late = Event.objects.filter(due_at__lt=before, paused_at=None)
    yield from _listed(late, f"Tournaments with a step that is due {why}")
    halted = Event.objects.exclude(cannot_go_on_because="")
    yield from _listed(halted, "Tournaments have stopped, and their consoles say what a director has to do.")


def _listed(rows: "QuerySet[Any]", what: str) -> Iterator[Finding]:
    """what: a sentence about the rows. Their number and the first few of them follow."""
    if found := list(rows[:5]):
        names = ", ".join(f"{row} ({row.get_absolute_url()})" for row in found)
        yield wrong(f"{what} {rows.count()}: {names}.")


def _sentence(error: Exception) -> str:
    """The reason of an error, without its number."""
    reason = (
        getattr(error, "smtp_error", b"").decode(errors="replace") or getattr(error, "strerror", None) or str(error)
    )
    lines = reason.strip().splitlines() or [type(error).__name__]
    return f"{lines[0].rstrip('.')}."


QUICK_PARTS: tuple[Part, ...] = (_settings, _disk, _time_zones, _database, _clock, _redis, _ticks, _stuck)
PARTS = (*QUICK_PARTS, _mail, _push)
"""The last ones ask other servers."""
