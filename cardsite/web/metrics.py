"""Metrics page at `/metrics`, for Prometheus: what `infra.metrics` counts, and how the site is at this moment.

It is answered to the addresses of METRICS_ALLOW_IPS alone, and to all others as a page that does not exist.
"""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from cardsite.web.health import tick_ages
from games.models import Table
from infra import metrics
from infra.task_queue import QUEUES, waiting_tasks
from tournaments.models import Event

_started: dict[str, float] = {}  # by task id, of the tasks that this process runs


def note_start(task_id: str, **kwargs: Any) -> None:
    """Runs in the worker before every task."""
    _started[task_id] = perf_counter()


def note_end(task_id: str, task: Any, state: str | None, **kwargs: Any) -> None:
    """Runs in the worker after every task, whether it ended well or not."""
    started = _started.pop(task_id, None)
    if started is not None:
        metrics.tasks.labels(task.name, state or "").observe(perf_counter() - started)


class SiteCollector(Collector):
    """Gauges that are read from database and queue on request."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        ages = GaugeMetricFamily("cardsite_tick_age_seconds", "Since the tick last ended well", labels=["tick"])
        for name, age in tick_ages().items():
            ages.add_metric([name], float("inf") if age is None else age)
        yield ages
        waiting = GaugeMetricFamily("cardsite_waiting_tasks", "Tasks that no worker has taken", labels=["queue"])
        for queue in QUEUES:
            waiting.add_metric([queue], waiting_tasks(queue))
        yield waiting
        now = timezone.now()
        running = Table.objects.running()
        yield GaugeMetricFamily("cardsite_running_tables", "Tables at which a game runs", value=running.count())
        late = running.filter(bot_due_at__lt=now).count()
        yield GaugeMetricFamily("cardsite_late_bots", "Tables whose bot should have moved", value=late)
        events = Event.objects.filter(due_at__lt=now, paused_at=None).count()
        yield GaugeMetricFamily("cardsite_late_events", "Events whose next step is overdue", value=events)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    if not may_read(request.META.get("REMOTE_ADDR", "")):
        return HttpResponseNotFound()
    return HttpResponse(generate_latest(registry_now()), content_type=CONTENT_TYPE_LATEST)


def registry_now() -> CollectorRegistry:
    """All metrics of the processes of this machine and of the site."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(SiteCollector())
    return registry


def may_read(address: str) -> bool:
    """Whether this visitor's address is in METRICS_ALLOW_IPS; a socket without an address is this machine."""
    try:
        visitor = ip_address(address)
    except ValueError:
        return not address
    return any(visitor in ip_network(network) for network in settings.METRICS_ALLOW_IPS)
