"""Traces of a move and of what follows from it in a worker, as a collector gets them."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from accounts import tokens
from tests.receiver import Receiver, serving
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("sqlite")]


class Collector(Receiver):
    """An OpenTelemetry collector that speaks OTLP over HTTP."""

    @property
    def spans(self) -> list[Any]:
        exports = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        scopes = [scope for one in exports for resource in one.resource_spans for scope in resource.scope_spans]
        return [span for scope in scopes for span in scope.spans]

    def named(self, name: str, trace_id: bytes) -> list[Any]:
        return [span for span in self.spans if span.name == name and span.trace_id == trace_id]


def said_of(span: Any) -> dict[str, str | int]:
    """The attributes of a span."""
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with serving(Collector()) as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")  # milliseconds
        monkeypatch.setenv("LOG_FORMAT", "json")
        yield collector


@pytest.fixture
def processes_url(collector: Collector, processes_url: str) -> str:
    return processes_url


def test_a_move_its_statements_and_the_answer_of_a_bot_are_one_trace(
    collector: Collector, celery_worker_process: Any, start_site: Callable, person: Callable
) -> None:
    call_command("make_house_bots", verbosity=0)
    _, token = tokens.make_token(user=person("alice"), name="test", scopes=["read", "play"])
    with start_site("traced") as (address, process):

        def ask(path: str, sent: object = None) -> dict[str, Any]:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            body = None if sent is None else json.dumps(sent).encode()
            with urllib.request.urlopen(urllib.request.Request(address + path, body, headers), timeout=60) as answer:
                return json.load(answer)

        code = ask("/api/v1/tables", {"game": "casino", "company": "bots"})["code"]
        path = f"/api/v1/tables/{code}"
        wait_until(lambda: bool((ask(path)["view"] or {}).get("moves")), "a turn of hers")
        table = ask(path)
        ask(f"{path}/moves", {"move": table["view"]["moves"][0]["move"], "version": table["version"]})

        def request() -> Any:
            return next((span for span in collector.spans if span.name == "POST api:play_move"), None)

        wait_until(lambda: request() is not None, "the request")
        trace_id = request().trace_id
        wait_until(lambda: bool(collector.named("games.tasks.play_bot", trace_id)), "the bot's task")
        wait_until(lambda: any(span.name == "bot's choice" for span in collector.spans), "the bot's move")
    assert not request().parent_span_id
    assert said_of(request()).items() >= {"http.response.status_code": 200, "table": code}.items()
    move, *bots_moves = sorted(collector.named("move", trace_id), key=lambda span: span.start_time_unix_nano)
    assert move.parent_span_id == request().span_id
    assert said_of(move).items() >= {"game": "casino", "by": "person"}.items()
    assert said_of(move)["request_id"] == said_of(request())["request_id"]
    assert {said_of(span)["by"] for span in bots_moves} <= {"bot"}  # the tick may have called it first
    assert any(span.parent_span_id == move.span_id for span in collector.spans if span.name == "UPDATE")
    told = " ".join(str(value) for span in collector.spans for value in (span.name, *said_of(span).values()))
    text = table["view"]["moves"][0]["move"]  # may well be a word of SQL, as the ace of spades is
    assert "alice" not in told and f"'{text}'" not in told
    assert text not in {value for span in collector.spans for value in said_of(span).values()}
