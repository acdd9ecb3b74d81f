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
from django.db.models import QuerySet
from django.utils import timezone

from cardsite.web.health import LATE_SECONDS, tick_ages
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
LATE_COLUMNS = ("deadline_at", "bot_due_at", "rating_due_at", "shuffle_due_at")
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
            yield wrong(f"{part.__name__.strip('_').capitalize()} could not be examined: {_sentence(error)}")


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
    with connection.cursor() as cursor:
        cursor.execute("SELECT CURRENT_TIMESTAMP")
        now = cursor.fetchone()[0]
    yield Finding(f"The database is {connection.display_name} and answers.")
    executor = MigrationExecutor(connection)
    if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield wrong(f"The database is of an earlier version: {len(plan)} migrations are open. Run `manage.py prepare`.")
    if connection.vendor == "postgresql":
        yield from _compare_clocks("the database", now.timestamp())


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
    seconds, microseconds = client.time()
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
        server = get_connection()
        server.open()
        server.close()
    except OSError as error:
        yield wrong(f"{settings.EMAIL_HOST} does not take e-mails: {_sentence(error)}")
    else:
        yield Finding(f"{settings.EMAIL_HOST} takes e-mails.")


def _push() -> Iterator[Finding]:
    """Whether the push services of the subscribed browsers may and can be reached."""
    endpoints = list(PushSubscription.objects.values_list("endpoint", flat=True))
    yield Finding(f"{len(endpoints)} browsers receive push messages.")
    if endpoints and settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
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
    """Rows that the tick should have taken long ago."""
    before = timezone.now() - STUCK
    for column in LATE_COLUMNS:
        yield from _named(Table.objects.filter(**{f"{column}__lt": before}), "table", f"{column} is past")
    yield from _named(Event.objects.filter(due_at__lt=before, paused_at=None), "event", "its next step is overdue")
    waiting = Event.objects.exclude(cannot_go_on_because="")
    yield from _named(waiting, "event", "it waits for its director")


def _named(rows: "QuerySet[Any]", what: str, why: str) -> Iterator[Finding]:
    if found := list(rows[:5]):
        names = ", ".join(str(row) for row in found)
        yield wrong(f"{rows.count()} {what}s need a look, since {why}: {names}.")


def _sentence(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"{lines[0].rstrip('.')}."


QUICK_PARTS: tuple[Part, ...] = (_settings, _disk, _time_zones, _database, _redis, _ticks, _stuck)
PARTS = (*QUICK_PARTS, _mail, _push)
"""The last ones ask other servers."""
