"""Health checks: `/healthz` for a load balancer, `/readyz` for those who look after the whole site.

A web process is well while it reaches database and Redis: only then can it answer visitors. The site is ready while the
workers run the ticks as well and, under `manage.py up`, all of its processes run.
"""

import json
import time
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

TICK_TASKS = ("games.tasks.tick", "tournaments.tasks.tick")
LATE_SECONDS = 15


def note_tick(sender: Any, **kwargs: Any) -> None:
    """Runs in the worker after every task that ended well."""
    if sender.name in TICK_TASKS:
        cache.set(f"last-run:{sender.name}", time.time(), timeout=None)


@never_cache
@require_safe
def health_page(request: HttpRequest) -> JsonResponse:
    """A word for database and Redis; status 503 if one of them is out of reach."""
    return _answer(_parts(), is_well=True)


@never_cache
@require_safe
def ready_page(request: HttpRequest) -> JsonResponse:
    """As `health_page`, and each tick as the seconds since the last one that ended well; 503 if one of them is late.

    Under `manage.py up` there is a word for each process, too: "running" or "down".
    """
    ages = tick_ages()
    report = _parts() | {"ticks": ages}
    is_well = all(age is not None and age < LATE_SECONDS for age in ages.values())
    if states := processes():
        report["processes"] = states
        is_well = is_well and set(states.values()) == {"running"}
    return _answer(report, is_well=is_well)


def _parts() -> dict[str, Any]:
    return {"database": database(), "redis": redis_server()}


def _answer(report: dict[str, Any], *, is_well: bool) -> JsonResponse:
    is_well = is_well and report["database"] == report["redis"] == "ok"
    return JsonResponse(report, status=200 if is_well else 503)


def tick_ages() -> dict[str, float | None]:
    """Seconds since each tick last ended well; None if it never did, or if nobody can tell."""
    try:
        last_runs = cache.get_many([f"last-run:{name}" for name in TICK_TASKS])
    except (redis.RedisError, OSError):
        last_runs = {}
    now = time.time()
    return {
        name: None if (last_run := last_runs.get(f"last-run:{name}")) is None else round(now - last_run, 1)
        for name in TICK_TASKS
    }


def database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def redis_server() -> str:
    try:
        cache.get("health")
    except (redis.RedisError, OSError):
        return "unreachable"
    return "ok"


def processes() -> dict[str, str]:
    """The state of the processes of `manage.py up`; empty without it."""
    try:
        return json.loads(Path(settings.PROCESSES_FILE).read_text()) if settings.PROCESSES_FILE else {}
    except (OSError, ValueError):
        return {}
