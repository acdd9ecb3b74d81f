"""State of the site: an admin page with what the doctor finds and the metrics, for those without Grafana."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError as BrokerError
from prometheus_client.metrics_core import Metric
from redis import RedisError

from cardsite.web import doctor
from cardsite.web.metrics import registry_now


class Figure(NamedTuple):
    """of: such as the game or the queue that it is about."""

    what: str
    of: str
    value: str


@require_safe
def state_page(request: HttpRequest) -> HttpResponse:
    if not (request.user.is_active and request.user.is_superuser):
        raise PermissionDenied("This page is for admins.")
    findings = list(doctor.examine(doctor.QUICK_PARTS))
    context = admin.site.each_context(request) | {
        "title": "State of the site",
        "findings": findings,
        "is_well": not any(finding.is_wrong for finding in findings),
        "figures": figures(),
    }
    return render(request, "admin/state.html", context)


def figures() -> list[Figure]:
    """[] while Redis or the database is out of reach, as the doctor says."""
    try:
        return [figure for metric in registry_now().collect() for figure in figures_of(metric)]
    except (DatabaseError, RedisError, BrokerError):
        return []


def figures_of(metric: Metric) -> Iterator[Figure]:
    """A gauge or a counter as it is; of a histogram how often, and how long at the mean."""
    values = {(sample.name, tuple(sample.labels.values())): sample.value for sample in metric.samples}
    for (name, labels), value in sorted(values.items()):
        of = ", ".join(filter(None, labels))
        if metric.type != "histogram":
            yield Figure(metric.documentation, of, f"{value:g}")
        elif name.endswith("_count") and value:
            total = values[name.removesuffix("_count") + "_sum", labels]
            yield Figure(metric.documentation, of, f"{value:g} times, {total / value * 1000:.1f} ms")
