"""Log lines as JSON: of a request, of the thread that serves it, and of the task that it queues."""

import json
import logging
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest
from django.conf import settings

from cardsite.environment import choice
from infra.log_context import ContextFilter, log_fields, logged_with
from infra.threads import in_thread
from tests.loop import run
from tests.receiver import Receiver, serving
from tests.waiting import wait_until

LOG_A_LINE = "import logging; logging.getLogger('games').warning('hello %s', 'you')"


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def shell(code: str, **env: str) -> subprocess.CompletedProcess:
    """`manage.py shell` with this code, in a process of its own."""
    command = [sys.executable, settings.BASE_DIR / "manage.py", "shell", "--verbosity=0", "--command", code]
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "cardsite.settings", **env}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=True)


def test_fields_are_those_of_the_block_and_of_the_one_around_it() -> None:
    with logged_with(request_id="one"):
        with logged_with(table="abc"):
            assert log_fields() == {"request_id": "one", "table": "abc"}
        assert log_fields() == {"request_id": "one"}
    assert log_fields() == {}


def test_a_thread_has_the_fields_of_its_caller() -> None:
    async def ask() -> object:
        with logged_with(request_id="one"):
            return await in_thread(log_fields)

    assert run(ask()) == {"request_id": "one"}


def test_a_record_has_the_fields() -> None:
    record = logging.makeLogRecord({"msg": "hello"})
    with logged_with(request_id="one"):
        assert ContextFilter().filter(record)
    assert record.__dict__["request_id"] == "one"


@pytest.mark.parametrize("log_format", ["line", "json"])
def test_a_line_has_the_format_of_the_setting(log_format: str) -> None:
    code = f"from infra.log_context import logged_with\nwith logged_with(request_id='one'):\n    {LOG_A_LINE}"
    said = shell(code, LOG_FORMAT=log_format).stderr
    if log_format == "line":
        assert said.endswith(" WARNING games: hello you\n")
    else:
        [line] = lines_of(said)
        assert line.pop("time") and line == {
            "level": "WARNING", "logger": "games", "message": "hello you", "request_id": "one",
        }  # fmt: skip


def test_another_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "xml")
    with pytest.raises(Exception, match="LOG_FORMAT must be line or json, not 'xml'"):
        choice("LOG_FORMAT", ["line", "json"])


# The web server


def answer_to(url: str, **headers: str) -> str:
    """The id in the answer."""
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.headers["X-Request-ID"]
    except urllib.error.HTTPError as error:
        return error.headers["X-Request-ID"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.only_on("sqlite")
def test_a_request_keeps_its_id_and_its_lines_have_it(start_site: Callable, valkey: None) -> None:
    with start_site("json-web", LOG_FORMAT="json") as (address, process):
        assert answer_to(f"{address}/tables/nosuch/", **{"X-Request-ID": "proxy-1234.x"}) == "proxy-1234.x"
        new = answer_to(f"{address}/", **{"X-Request-ID": "odd id\t;"})
        assert len(new) == 16 and answer_to(f"{address}/") != new
        logged = "'Not Found: /tables/nosuch/'"
        wait_until(lambda: "Not Found" in process.last_lines(1000), logged)
        lines = lines_of(process.last_lines(1000))
    [line] = [line for line in lines if line["message"] == "Not Found: /tables/nosuch/"]
    assert (line["request_id"], line["table"], line["logger"]) == ("proxy-1234.x", "nosuch", "django.request")
    assert any("Uvicorn running" in line["message"] for line in lines), "uvicorn logs in another format"


# Tasks


def test_a_task_has_the_fields_of_the_request_that_queued_it_and_its_own(valkey: None, tmp_path) -> None:
    code = (
        "from infra.log_context import logged_with\nfrom infra.task_queue import enqueue\n"
        "with logged_with(request_id='one'):\n    enqueue('notifications.tasks.mail_notice', 'no number')"
    )
    shell(code)
    command = [sys.executable, "-m", "celery", "--app=cardsite", "worker", "--pool=solo", "--loglevel=INFO"]
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "cardsite.settings", "LOG_FORMAT": "json"}
    log = tmp_path / "worker.log"
    with log.open("w") as output:
        worker = subprocess.Popen(command, env=env, stderr=output, stdout=output, cwd=settings.BASE_DIR)
        try:
            wait_until(lambda: "mail_notice" in log.read_text() and "raised unexpected" in log.read_text(), "the task")
        finally:
            worker.terminate()
            worker.wait(60)
    failed = [line for line in lines_of(log.read_text()) if "raised unexpected" in line["message"]]
    assert [(line["request_id"], line["task"]) for line in failed] == [("one", "notifications.tasks.mail_notice")]
    assert failed[0]["task_id"] in failed[0]["message"]


# Error reports


FAIL = """
import logging
from infra.log_context import logged_with
def deal(card):
    raise RuntimeError("the deck is empty")
with logged_with(request_id="one"):
    try:
        deal("9" + "H")
    except RuntimeError:
        logging.getLogger("games").exception("cannot deal")
"""


def test_an_error_is_reported_without_values() -> None:
    with serving(Receiver()) as sentry:
        shell(FAIL, SENTRY_DSN=f"http://key@127.0.0.1:{sentry.server_port}/1")
    assert "the deck is empty" in sentry.text and '"request_id":"one"' in sentry.text.replace(": ", ":")
    assert "9H" not in sentry.text and "'9'" not in sentry.text


def test_without_an_address_the_libraries_are_not_even_loaded() -> None:
    # redis-py loads the rest of OpenTelemetry where it is installed.
    loaded = "import sys; print({*sys.modules} & {'sentry_sdk', 'opentelemetry.exporter'})"
    assert shell(loaded, SENTRY_DSN="", OTEL_EXPORTER_OTLP_ENDPOINT="").stdout.strip() == "set()"
