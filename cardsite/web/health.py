"""Health check at `/healthz`: database, Redis, and whether the workers still run the ticks."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

HEALTH_PATH = "/healthz"
TICK_TASKS = ("games.tasks.tick", "tournaments.tasks.tick")
LATE_SECONDS = 15


def note_tick(sender: Any, **kwargs: Any) -> None:
    """Runs in the worker after every task that ended well."""
    if sender.name in TICK_TASKS:
        cache.set(f"last-run:{sender.name}", time.time(), timeout=None)


def health_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """The first middleware: health checks come by IP address and without TLS."""
    return lambda request: health_page(request) if request.path_info == HEALTH_PATH else get_response(request)


@never_cache
@require_safe
def health_page(request: HttpRequest) -> JsonResponse:
    """A word or number for each part; status 503 if one of them is not well.

    Ticks are given as the seconds since the last one that ended well. Under `manage.py up` there is a word for each
    process, too: "running" or "down".
    """
    report: dict[str, Any] = {"database": database(), "redis": "unreachable", "ticks": {}}
    try:
        last_runs = cache.get_many([f"last-run:{name}" for name in TICK_TASKS])
    except (redis.RedisError, OSError):
        last_runs = {}
    else:
        report["redis"] = "ok"
    for name in TICK_TASKS:
        last_run = last_runs.get(f"last-run:{name}")
        report["ticks"][name] = None if last_run is None else round(time.time() - last_run, 1)
    is_well = report["database"] == report["redis"] == "ok" and all(
        age is not None and age < LATE_SECONDS for age in report["ticks"].values()
    )
    if states := processes():
        report["processes"] = states
        is_well = is_well and set(states.values()) == {"running"}
    return JsonResponse(report, status=200 if is_well else 503)


def database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def processes() -> dict[str, str]:
    """The state of the processes of `manage.py up`; empty without it."""
    try:
        return json.loads(Path(settings.PROCESSES_FILE).read_text()) if settings.PROCESSES_FILE else {}
    except (OSError, ValueError):
        return {}
