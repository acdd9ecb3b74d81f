"""Tracing: spans of requests, moves, tasks and statements for an OpenTelemetry collector, if the environment variable
OTEL_EXPORTER_OTLP_ENDPOINT names one; the library is imported only then, and reads its other variables itself.

A span holds the route, the game, statements without their values, and the fields of the log context: no card, no name,
no address of a person. A request begins a trace of its own, whatever its headers say; a task belongs to that of the
request that queued it. Log lines have the id of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created

from infra.log_context import log_fields, logged_with
from infra.release import release

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_tracer: Tracer | None = None  # None: there is no collector
_tasks: dict[str, ExitStack] = {}  # by id, of the tasks that this process runs


def start() -> None:
    """Call it once in each process, after it was forked: a thread of its own sends the spans.

    :raises ImproperlyConfigured: the library is not installed.
    """
    global _tracer
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ImproperlyConfigured(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the packages opentelemetry-sdk and "
            "opentelemetry-exporter-otlp-proto-http: pip install 'cardsite[opentelemetry]'."
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.version": release()}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer = provider.get_tracer("cardsite")
    connection_created.connect(_trace_statements)


@contextmanager
def span(
    name: str, attributes: Mapping[str, str | int] = {}, *, kind: str = "internal", parent: Mapping[str, str] = {}
) -> Iterator[None]:
    """A span of this block, below that of the block around it. Also a decorator.

    kind: server, consumer, client or internal. parent: what `carried` has told of a span in another process.
    """
    if _tracer is None:
        yield
        return
    from opentelemetry.propagate import extract
    from opentelemetry.trace import SpanKind, format_trace_id

    opened = _tracer.start_as_current_span(
        name,
        context=extract(parent) if parent else None,
        kind=SpanKind[kind.upper()],
        attributes={**log_fields(), **attributes},
        record_exception=False,  # its message may name cards
        set_status_on_exception=False,
    )
    with opened as current, logged_with(trace_id=format_trace_id(current.get_span_context().trace_id)):
        try:
            yield
        except Exception as error:
            current.set_attribute("error.type", type(error).__name__)
            raise


def describe(attributes: Mapping[str, str | int], *, name: str = "", has_failed: bool = False) -> None:
    """Says more of the span of this block: what is known only now. name: a better one."""
    if _tracer is None:
        return
    from opentelemetry.trace import StatusCode, get_current_span

    current = get_current_span()
    current.set_attributes(attributes)
    if name:
        current.update_name(name)
    if has_failed:
        current.set_status(StatusCode.ERROR)


def carried() -> dict[str, str]:
    """The span of this block, for one in another process."""
    headers: dict[str, str] = {}
    if _tracer is not None:
        from opentelemetry.propagate import inject

        inject(headers)
    return headers


# Statements


def _trace_statements(connection: Any, **kwargs: object) -> None:
    """Receiver of `connection_created`, which a connection sends each time it is opened again."""
    if _traced_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_traced_statement)


def _traced_statement(
    send: Callable[..., object], sql: str, params: object, many: bool, context: Mapping[str, Any]
) -> object:
    """Statements outside a span, such as those of a live stream, have none."""
    if not carried():
        return send(sql, params, many, context)
    said = {"db.system.name": context["connection"].vendor, "db.query.text": sql}
    with span(sql.partition(" ")[0], said, kind="client"):
        return send(sql, params, many, context)


# Tasks. They come after those of `infra.log_context` when a task begins, and before them when it ends.


def send_along(headers: dict[str, object], **kwargs: object) -> None:
    """Receiver of `before_task_publish`."""
    headers["trace"] = carried()


def begin_task(task_id: str, task: Any, **kwargs: object) -> None:
    """Receiver of `task_prerun`."""
    opened = _tasks[task_id] = ExitStack()
    opened.enter_context(span(task.name, kind="consumer", parent=getattr(task.request, "trace", None) or {}))


def end_task(task_id: str, state: str | None, **kwargs: object) -> None:
    """Receiver of `task_postrun`."""
    if (opened := _tasks.pop(task_id, None)) is not None:
        describe({}, has_failed=state == "FAILURE")
        opened.close()
